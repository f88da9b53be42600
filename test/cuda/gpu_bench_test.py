# SPDX-License-Identifier: Apache-2.0
"""The measurements on a CUDA device; skipped with the reason where there is none."""

import json
import os
import pathlib
import subprocess

import pytest

BUILD = pathlib.Path(os.environ["POINTTREE_BUILD"])
PROGRAM = BUILD / "bin" / "pointtree"


def run(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=240)


def bench(*arguments):
    """The JSON report of `pointtree bench`; skips where the device cannot be had."""
    done = run("bench", *arguments, "--device", "cuda:0", "--json")
    if done.returncode != 0 and "NVIDIA driver" in done.stderr:
        pytest.skip(done.stderr.strip().split("\n")[-1])
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_network_is_timed_on_the_device():
    report = bench("network", "--points", 512, "--batch", 8, "--repeats", 3)
    assert report["device"] == "cuda:0" and report["precision"] == "half"
    assert report["ms_per_cloud"] > 0
