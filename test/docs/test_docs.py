# SPDX-License-Identifier: Apache-2.0
"""The public headers are documented, and the documentation's links lead somewhere."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
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


@pytest.mark.parametrize("page", sorted(str(page.relative_to(ROOT)) for pattern in ("*.md", "docs/**/*.md", "examples/*.md")
                                        for page in ROOT.glob(pattern)))
def test_links_lead_somewhere(page):
    text = (ROOT / page).read_text()
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text):
        if not re.match(r"[a-z]+:", target):
            assert ((ROOT / page).parent / target).exists(), f"{page} links to {target}"


STATION = re.compile(r"`((?:src|include)/[\w/]+\.\w+):(\w+)`")


def test_stations_of_the_architecture_exist():
    text = (ROOT / "docs/architecture.md").read_text()
    walks = re.split(r"^## ", text, flags=re.MULTILINE)[1:]
    stations = {walk.split("\n")[0]: re.findall(r"^\| (\d+) \|", walk, re.MULTILINE) for walk in walks}
    stations = {title: numbers for title, numbers in stations.items() if numbers}
    assert len(stations) == 2 and all(4 <= len(numbers) <= 12 for numbers in stations.values()), stations
    for file, function in STATION.findall(text):
        assert (ROOT / file).is_file(), f"architecture.md names {file}, which does not exist"
        # A definition begins with its return type and names the function before its parameters.
        definition = re.compile(rf"^ *[\w:].*[ :*&]{function}\(", re.MULTILINE)
        assert definition.search((ROOT / file).read_text()), f"architecture.md names {function}, which {file} lacks"
    rows = re.findall(r"^\| \d+ \| (.*?) \|", text, re.MULTILINE)
    assert all(STATION.fullmatch(row) for row in rows), rows


@pytest.mark.parametrize("page", sorted(str(page.relative_to(ROOT)) for pattern in ("*.md", "docs/**/*.md", "examples/*.md")
                                        for page in ROOT.glob(pattern)))
def test_lines_are_short_enough_to_read(page):
    lines = (ROOT / page).read_text().split("\n")
    long = [number for number, line in enumerate(lines, 1) if len(line) > 200 and not line.startswith(("|", "!["))]
    assert not long, f"{page} has lines of more than 200 characters: {long}"


# What each module may include beside itself, as docs/architecture.md draws it.
GEOMETRY, IO, INFERENCE = {"geometry"}, {"geometry", "io"}, {"geometry", "io", "inference"}
MAY_INCLUDE = {
    "geometry": set(), "io": GEOMETRY, "inference": IO, "perception": INFERENCE, "ros": INFERENCE | {"perception"},
    "simulation": IO, "network": INFERENCE, "datasets": INFERENCE | {"perception", "simulation"},
    "training": INFERENCE | {"perception", "simulation", "network", "datasets"},
}


@pytest.mark.parametrize("module", MAY_INCLUDE)
def test_a_module_includes_only_those_its_arrows_lead_to(module):
    files = [file for folder in (ROOT / "src" / module, ROOT / "include/pointtree" / module)
             for file in folder.rglob("*") if file.suffix in (".cpp", ".hpp", ".cu", ".cuh")]
    assert files
    wrong = [f"{file.relative_to(ROOT)} includes {other}" for file in files
             for other in re.findall(r'^#include ["<](?:pointtree/)?(\w+)/', file.read_text(), re.MULTILINE)
             if other in {*MAY_INCLUDE, "cli"} - MAY_INCLUDE[module] - {module}]
    assert not wrong, wrong


def test_the_enclave_policy_names_every_topic_and_service_of_the_node():
    policy = re.search(r"<policy.*</policy>", (ROOT / "docs/reliability.md").read_text(), re.DOTALL).group()
    allowed = {kind: {element.text for group in ElementTree.fromstring(policy).iter(kind + "s") for element in group}
               for kind in ("topic", "service")}
    topics = set(re.findall(r'"(~?/[\w/]+)"', (ROOT / "src/ros/outputs.hpp").read_text()))
    files = [*(ROOT / "src/ros").rglob("*.cpp"), ROOT / "src/ros/reload_service.hpp"]
    services = {name for file in files for name in re.findall(r'"(~/[\w/]+)"', file.read_text())}
    assert len(topics) >= 13 and topics <= allowed["topic"], topics - allowed["topic"]
    assert len(services) >= 7 and services <= allowed["service"], services - allowed["service"]


def declared_dependencies():
    package = ElementTree.parse(ROOT / "package.xml").getroot()
    return {element.text for element in package if element.tag.endswith("depend")}


def test_the_package_declares_what_its_launch_files_import():
    files = [*(ROOT / "launch").glob("*.py"), ROOT / "examples/composable_node.launch.py"]
    imported = {name for file in files for name in re.findall(r"^(?:from|import) (\w+)", file.read_text(), re.MULTILINE)}
    assert {"launch", "launch_ros"} <= imported
    assert imported - set(sys.stdlib_module_names) <= declared_dependencies()


def test_the_package_declares_pkg_config_where_cmake_asks_for_it():
    assert "pkg_check_modules" in (ROOT / "CMakeLists.txt").read_text()
    assert "pkg-config" in declared_dependencies()


def test_the_citation_has_the_version_of_the_package():
    version = ElementTree.parse(ROOT / "package.xml").getroot().findtext("version")
    assert re.search(r"^version: (.*)$", (ROOT / "CITATION.cff").read_text(), re.MULTILINE).group(1) == version


def test_the_readme_lists_every_shipped_model():
    section = (ROOT / "README.md").read_text().split("## Models")[1].split("\n## ")[0]
    listed = re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE)
    assert sorted(listed) == sorted(path.parent.name for path in (ROOT / "models").glob("*/model.yaml"))


def test_configurations_named_in_messages_and_pages_exist():
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("src/cli/*.cpp")]
    named = {name for page in pages for name in re.findall(r"config/[\w/]+\.yaml", page.read_text())}
    assert named and not [name for name in named if not (ROOT / name).exists()]


def test_source_files_carry_their_licence():
    kinds = ("*.cpp", "*.hpp", "*.cu", "*.cuh", "*.py", "*.cmake", "CMakeLists.txt")
    folders = ("include", "src", "test", "examples", "launch", "cmake")
    files = [file for folder in folders for kind in kinds for file in (ROOT / folder).rglob(kind)]
    assert len(files) > 100
    without = [str(file.relative_to(ROOT)) for file in files
               if not any("SPDX-License-Identifier: Apache-2.0" in line for line in file.read_text().split("\n")[:3])]
    assert not without, without


def test_the_view_of_rviz_is_easy_to_read():
    yaml = pytest.importorskip("yaml")
    view = yaml.safe_load((ROOT / "rviz/pointtree.rviz").read_text())["Visualization Manager"]
    displays = {display["Name"]: display for display in view["Displays"]}
    assert displays["Grid"]["Offset"]["Z"] < -1, "at the ground's height"
    assert displays["Labelled points"]["Topic"]["Value"] == "/pointtree/output/visualization"
    assert displays["Boxes and names"]["Namespaces"] == {"boxes": True, "names": True, "unknown_boxes": True, "unknown_names": False}
    assert displays["Probability"]["Use rainbow"] is False and not displays["Probability"]["Enabled"]
