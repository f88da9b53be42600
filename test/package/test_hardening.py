"""What was built carries the protections that cmake/Hardening.cmake asks for, read from the files themselves."""

import os
import pathlib
import re
import subprocess

import pytest

BUILD = pathlib.Path(os.environ["POINTTREE_BUILD"])
PROGRAMS = [path for path in (BUILD / "bin/pointtree", BUILD / "bin/pointtree_standalone_node") if path.exists()]
LIBRARIES = [path for path in sorted((BUILD / "lib").glob("libpointtree_*.so"))
             if not path.name.startswith("libpointtree__") and path.name != "libpointtree_cuda.so"]  # rosidl's and nvcc's


def readelf(path, *options):
    return subprocess.run(["readelf", "-W", *options, path], check=True, capture_output=True, text=True).stdout


def test_there_is_something_to_look_at():
    assert PROGRAMS and len(LIBRARIES) >= 5, (PROGRAMS, LIBRARIES)


@pytest.mark.parametrize("path", PROGRAMS + LIBRARIES, ids=lambda path: path.name)
def test_memory_is_either_writable_or_executable_and_tables_are_read_only(path):
    segments = readelf(path, "--segments")
    assert "GNU_RELRO" in segments
    rights = re.findall(r"(?:LOAD|GNU_STACK)\s+(?:0x\w+\s+){5}([RWE ]+?)\s+0x", segments)
    assert len(rights) >= 4 and not any("W" in right and "E" in right for right in rights), rights
    dynamic = readelf(path, "--dynamic")
    assert re.search(r"FLAGS.*\b(BIND_)?NOW\b", dynamic), "foreign functions are looked up at start"
    assert "TEXTREL" not in dynamic


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.name)
def test_programs_load_at_any_address(path):
    assert re.search(r"Type:\s+DYN", readelf(path, "--file-header"))
    assert re.search(r"FLAGS_1.*\bPIE\b", readelf(path, "--dynamic"))
