"""The public headers are documented, and the documentation's links lead somewhere."""

import os
import pathlib
import re
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree

import pytest

ROOT = pathlib.Path(os.environ["POINTTREE_SOURCE"])
# A field or accessor whose name says it all needs no sentence of its own; its class or struct does.
SELF_EXPLAINING = re.compile(r"warning: Member .* of (struct|class) .* is not documented")


def test_doxygen_finds_nothing_undocumented(tmp_path):
    if shutil.which("doxygen") is None:
        pytest.skip("doxygen is not installed")
    settings = (ROOT / "docs" / "Doxyfile").read_text() + f"\nOUTPUT_DIRECTORY = {tmp_path}\n"
    result = subprocess.run(["doxygen", "-"], input=settings, cwd=ROOT, capture_output=True, text=True, timeout=240)
    assert result.returncode == 0, result.stderr
    warnings = [line for line in result.stderr.splitlines() if "warning:" in line and not SELF_EXPLAINING.search(line)]
    assert not warnings, "\n".join(warnings)
    assert (tmp_path / "html" / "classpointtree_1_1geometry_1_1RelaxedKdTree.html").exists()


@pytest.mark.parametrize("page", sorted(str(page.relative_to(ROOT)) for pattern in ("*.md", "docs/*.md")
                                        for page in ROOT.glob(pattern)))
def test_links_lead_somewhere(page):
    text = (ROOT / page).read_text()
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text):
        if not re.match(r"[a-z]+:", target):
            assert ((ROOT / page).parent / target).exists(), f"{page} links to {target}"


def test_the_enclave_policy_names_every_topic_and_service_of_the_node():
    policy = re.search(r"<policy.*</policy>", (ROOT / "docs/reliability.md").read_text(), re.DOTALL).group()
    allowed = {kind: {element.text for group in ElementTree.fromstring(policy).iter(kind + "s") for element in group}
               for kind in ("topic", "service")}
    topics = set(re.findall(r'"(~?/[\w/]+)"', (ROOT / "include/pointtree/ros/outputs.hpp").read_text()))
    files = [*(ROOT / "src/ros").rglob("*.cpp"), ROOT / "include/pointtree/ros/reload_service.hpp"]
    services = {name for file in files for name in re.findall(r'"(~/[\w/]+)"', file.read_text())}
    assert len(topics) >= 13 and topics <= allowed["topic"], topics - allowed["topic"]
    assert len(services) >= 7 and services <= allowed["service"], services - allowed["service"]
