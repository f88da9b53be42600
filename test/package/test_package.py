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


def test_without_libtorch_cmake_says_what_to_do(tmp_path):
    done = subprocess.run(["cmake", "-S", SOURCE, "-B", tmp_path, "-G", "Ninja", "-DPOINTTREE_LAB=ON", "-DPOINTTREE_ROS=OFF",
                           "-DPOINTTREE_VENV=/nowhere", "-DLibTorch_CPU_LIBRARY="], capture_output=True, text=True)
    assert done.returncode != 0 and "a robot needs none: -DPOINTTREE_LAB=OFF" in " ".join(done.stderr.split()), done.stderr


@pytest.mark.parametrize("nvidia_smi, architectures", [("true", "native"), ("false", "75;87-real;120")])
def test_cuda_code_is_made_for_the_gpu_at_hand_alone(nvidia_smi, architectures, tmp_path):
    cache = (BUILD / "CMakeCache.txt").read_text()
    if "POINTTREE_LAB:BOOL=OFF" in cache:
        pytest.skip("the robot alone is built, without LibTorch")
    program = tmp_path / "bin/nvidia-smi"
    program.parent.mkdir()
    program.symlink_to(shutil.which(nvidia_smi))
    venv = re.search(r"^POINTTREE_VENV:\w+=(.*)$", cache, re.MULTILINE).group(1)
    done = subprocess.run(["cmake", "-S", SOURCE, "-B", tmp_path / "build", "-G", "Ninja", "-DPOINTTREE_LAB=ON", "-DPOINTTREE_ROS=OFF",
                           "-DPOINTTREE_BUILD_TESTS=OFF", f"-DPOINTTREE_VENV={venv}"], capture_output=True, text=True,
                          env={**os.environ, "PATH": f"{program.parent}:{os.environ['PATH']}"})
    if "CUDA: off" in done.stdout:
        pytest.skip("there is no CUDA toolkit, or LibTorch has no CUDA part")
    assert f" for {architectures}\n" in done.stdout, done.stdout + done.stderr
