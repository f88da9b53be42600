# SPDX-License-Identifier: Apache-2.0
"""Runs `pointtree` as a script does."""

import os
import pathlib
import subprocess

PROGRAM = pathlib.Path(os.environ["POINTTREE_BUILD"]) / "bin" / "pointtree"
MODELS = pathlib.Path(os.environ["POINTTREE_SOURCE"]) / "models"


def run(*arguments, code=0, env=None, cwd=None):
    result = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, cwd=cwd,
                            env={**os.environ, **(env or {})})
    assert result.returncode == code, f"{result.returncode} instead of {code}: {result.stdout}{result.stderr}"
    return result


def simulate(output, *more, scene="street", seed=3, frames=2):
    run("simulate", "--scene", scene, "--seed", seed, "--frames", frames, "--beams", 16, "--columns", 256,
        "--output", output, *more)
    return output


def start(*arguments, **more):
    return subprocess.Popen([PROGRAM, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            **more)
