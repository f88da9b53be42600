# SPDX-License-Identifier: Apache-2.0
"""The package as its users meet it: built by colcon, found by another project, its program run from the install."""

import os
import pathlib
import re
import shutil
import subprocess

import pytest

SOURCE = pathlib.Path(os.environ["POINTTREE_SOURCE"])
BUILD = pathlib.Path(os.environ["POINTTREE_BUILD"])


def run(*command, **options):
    result = subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)
    assert result.returncode == 0, f"{command}:\n{result.stdout}\n{result.stderr}"
    return result.stdout


@pytest.fixture(scope="module")
def prefix(tmp_path_factory):
    """The package as colcon installs it. colcon is shown the build at hand, which spares compiling everything again."""
    colcon = shutil.which("colcon")
    if colcon is None:
        pytest.skip("colcon is not installed")
    base = tmp_path_factory.mktemp("colcon")
    (base / "build").mkdir()
    (base / "build" / "pointtree").symlink_to(BUILD)
    run(colcon, "--log-base", base / "log", "build", "--merge-install", "--base-paths", SOURCE,
        "--packages-select", "pointtree", "--build-base", base / "build", "--install-base", base / "install",
        "--cmake-force-configure", cwd=base)
    return base / "install"


def test_colcon_installs_the_program(prefix):
    version = run(prefix / "bin" / "pointtree", "--version").strip()
    declared = (SOURCE / "package.xml").read_text().split("<version>")[1].split("<")[0]
    assert version == f"pointtree {declared}"


def test_another_project_finds_links_and_runs_the_library(prefix, tmp_path):
    run("cmake", "-S", SOURCE / "test/package/consumer", "-B", tmp_path, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}")
    run("cmake", "--build", tmp_path)
    assert run(tmp_path / "consumer") == "depth 2\n"


def test_installed_files_name_no_build_folder(prefix):
    for config in (prefix / "share/pointtree/cmake").glob("*.cmake"):
        assert str(BUILD / "lib") not in config.read_text(), config


@pytest.mark.parametrize("option", ["-DPOINTTREE_BUILD_TESTS=OFF", "-DPOINTTREE_BUILD_BENCHMARKS=OFF",
                                    "-DBUILD_SHARED_LIBS=OFF"])
def test_the_package_configures_with(option, tmp_path):
    cache = (BUILD / "CMakeCache.txt").read_text()
    parts = re.findall(r"^(POINTTREE_(?:LAB|SIMULATION|ROS|VENV)):\w+=(.*)$", cache, re.MULTILINE)
    run("cmake", "-S", SOURCE, "-B", tmp_path, "-G", "Ninja", *(f"-D{name}={value}" for name, value in parts), option)
