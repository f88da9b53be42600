# SPDX-License-Identifier: Apache-2.0
"""The library of all of CUDA: whole, and no burden to what runs without it."""

import ctypes
import os
import pathlib
import shutil
import subprocess

import pytest

LIBRARIES = pathlib.Path(os.environ["POINTTREE_BUILD"]) / "lib"


def needed(library):
    """Names of the shared libraries that a library asks for."""
    listing = subprocess.run(["readelf", "-d", library], check=True, capture_output=True, text=True).stdout
    return [line.split("[")[1].rstrip("]") for line in listing.split("\n") if "(NEEDED)" in line]


def test_plugin_loads_with_everything_it_links_and_exports_its_door():
    plugin = ctypes.CDLL(LIBRARIES / "libpointtree_cuda.so", mode=os.RTLD_NOW)
    assert plugin.pointtree_make_cuda_backend
    assert plugin.pointtree_make_cuda_preprocessor


@pytest.mark.skipif("NCCL_INCLUDE_DIR-NOTFOUND" in (LIBRARIES.parent / "CMakeCache.txt").read_text(),
                    reason="built without nccl.h")
def test_training_plugin_loads_with_everything_it_links_and_exports_its_door():
    plugin = ctypes.CDLL(LIBRARIES / "libpointtree_training_cuda.so", mode=os.RTLD_NOW)
    assert plugin.pointtree_join_nccl


@pytest.mark.skipif(shutil.which("cuobjdump") is None, reason="the toolkit here has no cuobjdump")
@pytest.mark.skipif(shutil.which("nvidia-smi") is not None or "CMAKE_CUDA_ARCHITECTURES" in (LIBRARIES.parent / "CMakeCache.txt").read_text(),
                    reason="built for chosen architectures")
def test_plugin_has_code_for_its_architectures_and_ptx_for_the_newest():
    code, ptx = (subprocess.run(["cuobjdump", option, LIBRARIES / "libpointtree_cuda.so"], check=True,
                                capture_output=True, text=True).stdout for option in ("--list-elf", "--list-ptx"))
    for architecture in (75, 87, 120):
        assert f"sm_{architecture}.cubin" in code
    assert "sm_120.ptx" in ptx


@pytest.mark.parametrize("module", ["geometry", "io", "inference", "network", "datasets", "training", "perception"])
def test_modules_do_not_link_cuda(module):
    assert not [name for name in needed(LIBRARIES / f"libpointtree_{module}.so")
                if name.startswith(("libtorch_cuda", "libc10_cuda", "libcublas", "libcudnn", "libpointtree_cuda"))]
