# SPDX-License-Identifier: Apache-2.0
"""What was built carries the protections that cmake/Hardening.cmake asks for, read from the files themselves."""

import json
import os
import pathlib
import platform
import re
import subprocess

import pytest

BUILD = pathlib.Path(os.environ["POINTTREE_BUILD"])
SOURCE = pathlib.Path(os.environ["POINTTREE_SOURCE"])
PROGRAMS = [path for path in (BUILD / "bin/pointtree", BUILD / "bin/pointtree_standalone_node") if path.exists()]
LIBRARIES = [path for path in sorted((BUILD / "lib").glob("libpointtree_*.so"))
             if not path.name.startswith("libpointtree__") and not path.name.endswith("_cuda.so")]  # rosidl's and nvcc's
ENDBR64 = b"\xf3\x0f\x1e\xfa"  # where computed jumps may land


def readelf(path, *options):
    return subprocess.run(["readelf", "-W", *options, path], check=True, capture_output=True, text=True).stdout


def test_there_is_something_to_look_at():
    assert PROGRAMS and len(LIBRARIES) >= 4, (PROGRAMS, LIBRARIES)


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


@pytest.mark.parametrize("path", LIBRARIES, ids=lambda path: path.name)
def test_stacks_are_guarded(path):
    assert "__stack_chk_fail" in readelf(path, "--dyn-syms")


def test_calls_of_the_c_library_are_checked():
    checked = {name for path in PROGRAMS + LIBRARIES
               for name in re.findall(r"UND (__\w+_chk)@", readelf(path, "--dyn-syms"))}
    assert checked & {"__memcpy_chk", "__snprintf_chk", "__read_chk", "__memset_chk", "__memmove_chk"}, checked


@pytest.mark.skipif(platform.machine() != "x86_64", reason="only x86-64 marks where jumps may land")
@pytest.mark.parametrize("path", LIBRARIES, ids=lambda path: path.name)
def test_functions_begin_where_jumps_may_land(path):
    text = re.search(r" \.text\s+PROGBITS\s+([0-9a-f]+) ([0-9a-f]+) ([0-9a-f]+)", readelf(path, "--sections"))
    address, offset, size = (int(number, 16) for number in text.groups())
    code = path.read_bytes()[offset:offset + size]
    places = [int(value, 16) - address
              for value in re.findall(r"\d+: ([0-9a-f]+)\s+\d+ FUNC\s+GLOBAL\s+DEFAULT\s+\d+ _ZN\w*9pointtree", readelf(path, "--dyn-syms"))]
    marked = sum(code[place:place + 4] == ENDBR64 for place in places if 0 <= place < size)
    assert places and marked == len(places), f"{marked} of {len(places)}"


def test_every_file_of_ours_is_compiled_with_the_protections():
    needed = ["-fstack-protector-strong", "-fstack-clash-protection", "-D_FORTIFY_SOURCE="]
    for entry in json.loads((BUILD / "compile_commands.json").read_text()):
        if entry["file"].startswith(str(SOURCE / "src")) and entry["file"].endswith(".cpp"):
            missing = [flag for flag in needed if flag not in entry["command"]]
            assert not missing, (entry["file"], missing)
