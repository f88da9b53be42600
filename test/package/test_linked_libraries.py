# SPDX-License-Identifier: Apache-2.0
"""A robot carries what it uses: its libraries and the demo's program need neither LibTorch nor HDF5, the libraries no cairo.

Read from the files themselves. Where this build has the lab, the program without it is built apart.
"""

import os
import pathlib
import re
import subprocess

import pytest

SOURCE = pathlib.Path(os.environ["POINTTREE_SOURCE"])
BUILD = pathlib.Path(os.environ["POINTTREE_BUILD"])
OWN = "libpointtree_"
LANGUAGE = {"libc", "libm", "libstdc++", "libgcc_s", "ld-linux-x86-64", "ld-linux-aarch64"}
FILES = {"libcrypto", "liblz4", "libzstd", "libsqlite3", "libz", "libyaml-cpp"}
LOGGING = {"libspdlog", "libfmt"}
ALLOWED = {
    "libpointtree_geometry": LANGUAGE,
    "libpointtree_io": LANGUAGE | FILES,
    "libpointtree_inference": LANGUAGE | FILES,
    "libpointtree_perception": LANGUAGE | FILES | LOGGING,
    "pointtree": LANGUAGE | FILES | LOGGING | {"libcairo"},
}
LAB = re.compile(r"lib(torch|c10|hdf5|pcl|gloo|cudart)")


def cached(option):
    return re.search(rf"^{option}:\w+=(.*)$", (BUILD / "CMakeCache.txt").read_text(), re.MULTILINE).group(1)


HAS_LAB = cached("POINTTREE_LAB") == "ON"


def needed(path):
    """Libraries that a file needs, and those that it needs by way of our own, without the endings of their names."""
    listing = subprocess.run(["readelf", "-d", path], check=True, capture_output=True, text=True).stdout
    found = set()
    for name in re.findall(r"\(NEEDED\)\s+Shared library: \[(.*)\]", listing):
        if name.startswith(OWN):
            found |= needed(library_folder(path) / name)
        found.add(re.sub(r"\.so.*", "", name))
    return found


def library_folder(path):
    return path.parent.parent / "lib"


@pytest.fixture(scope="module")
def without_lab():
    """A build of the program as tools/demo makes it."""
    if not HAS_LAB:
        return BUILD
    folder = BUILD / "without_lab"
    for command in (["cmake", "-S", SOURCE, "-B", folder, "-G", "Ninja", "-DPOINTTREE_LAB=OFF", "-DPOINTTREE_SIMULATION=ON",
                     "-DPOINTTREE_ROS=OFF", "-DPOINTTREE_BUILD_TESTS=OFF"],
                    ["cmake", "--build", folder, "--target", "pointtree_cli"]):
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.mark.parametrize("name", [name for name in ALLOWED if name.startswith(OWN)])
def test_a_library_of_the_robot_needs_only_what_it_uses(name):
    foreign = {library for library in needed(BUILD / "lib" / f"{name}.so") if not library.startswith(OWN)}
    assert "libstdc++" in foreign and foreign <= ALLOWED[name], foreign - ALLOWED[name]


def test_the_program_without_the_lab_needs_only_what_it_uses(without_lab):
    libraries = needed(without_lab / "bin/pointtree")
    foreign = {library for library in libraries if not library.startswith(OWN)}
    assert {"libpointtree_inference", "libyaml-cpp"} <= libraries and foreign <= ALLOWED["pointtree"], foreign - ALLOWED["pointtree"]


@pytest.mark.parametrize("path", ["bin/pointtree_standalone_node", "lib/libpointtree_ros.so"])
def test_the_node_needs_nothing_of_the_lab(path):
    if not (BUILD / path).exists():
        pytest.skip("this build has no ROS 2")
    libraries = needed(BUILD / path)
    assert "libpointtree_perception" in libraries
    assert not [library for library in libraries if LAB.match(library) or library == "libcairo"]


@pytest.mark.skipif(not HAS_LAB, reason="this build has no lab")
def test_the_lab_is_seen_where_it_is_needed():
    assert any(LAB.match(library) for library in needed(BUILD / "lib/libpointtree_training.so"))
