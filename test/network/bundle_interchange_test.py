# SPDX-License-Identifier: Apache-2.0
"""Bundles against the safetensors package: each side reads what the other wrote."""

import hashlib
import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest
from safetensors import safe_open
from safetensors.numpy import save_file

POINTTREE = Path(os.environ["POINTTREE_BUILD"]) / "bin" / "pointtree"
SETTINGS = ["width=0.0625", "points=32", "classes=3", "variant=rns", "leaf_hidden=512"]


def run(*arguments):
    return subprocess.run([POINTTREE, "model", *map(str, arguments)], capture_output=True, text=True, check=False)


def described():
    flags = [flag for setting in SETTINGS for flag in ("--set", setting)]
    answer = run("describe", "--json", *flags)
    assert answer.returncode == 0, answer.stderr
    return json.loads(answer.stdout)


def write_bundle(folder, tensors, precision="float32"):
    folder.mkdir()
    weights = folder / "weights.safetensors"
    save_file(tensors, weights, metadata={"written by": "safetensors"})
    data = weights.read_bytes()
    manifest = {
        "format": "pointtree-model",
        "version": 1,
        "name": "interchange",
        "description": "",
        "model": dict(setting.split("=") for setting in SETTINGS),
        "classes": [{"name": name, "colour": [10, 20, 30]} for name in "abc"],
        "units": "metre",
        "training": {"data": "random numbers", "terms": "none"},
        "weights": {"precision": precision, "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()},
    }
    (folder / "model.yaml").write_text(json.dumps(manifest))
    return folder


@pytest.fixture(name="tensors")
def random_tensors():
    generator = np.random.default_rng(1)
    return {
        tensor["name"]: generator.standard_normal(tensor["shape"], dtype=np.float32)
        for layer in described()["layers"]
        if not layer["training_only"]
        for tensor in layer["tensors"]
    }


def test_reads_a_file_written_by_the_package(tmp_path, tensors):
    answer = run("check", write_bundle(tmp_path / "theirs", tensors))
    assert answer.returncode == 0, answer.stderr
    assert f"{len(tensors)} tensors" in answer.stdout


def test_the_package_reads_a_file_of_ours(tmp_path, tensors):
    theirs = write_bundle(tmp_path / "theirs", tensors)
    answer = run("convert", theirs, tmp_path / "ours", "--precision", "float32")
    assert answer.returncode == 0, answer.stderr
    with safe_open(tmp_path / "ours" / "weights.safetensors", framework="numpy") as file:
        assert set(file.keys()) == set(tensors)
        for name, values in tensors.items():
            np.testing.assert_array_equal(file.get_tensor(name), values)


def test_eight_bit_weights_are_numbers_times_row_scales(tmp_path, tensors):
    theirs = write_bundle(tmp_path / "theirs", tensors)
    assert run("convert", theirs, tmp_path / "int8", "--precision", "int8").returncode == 0
    with safe_open(tmp_path / "int8" / "weights.safetensors", framework="numpy") as file:
        narrowed = [name for name in file.keys() if name.endswith("_scale")]
        assert narrowed
        for scale_name in narrowed:
            name = scale_name.removesuffix("_scale")
            numbers = file.get_tensor(name)
            scale = file.get_tensor(scale_name)[:, None]
            assert numbers.dtype == np.int8
            assert np.abs(numbers * scale - tensors[name]).max() <= 0.501 * scale.max()
    assert run("check", tmp_path / "int8").returncode == 0


def test_a_missing_tensor_is_refused_by_name(tmp_path, tensors):
    del tensors["encoder.levels.3.linear.bias"]
    answer = run("check", write_bundle(tmp_path / "theirs", tensors))
    assert answer.returncode == 1
    assert "weights.safetensors: encoder.levels.3.linear.bias: expected" in answer.stderr + answer.stdout


def test_description_counts_the_published_numbers():
    whole = json.loads(run("describe", "--json").stdout)
    assert whole["parameters"] == 39_256_020
    assert whole["multiply_adds"] == 981_358_848
    assert sum(layer["parameters"] for layer in whole["layers"]) == 39_256_020
    text = run("describe").stdout
    assert "39,256,020" in text and "981,358,848" in text and "959,497" in text


def test_a_wrong_key_is_refused_by_name():
    answer = run("describe", "--set", "pionts=64")
    assert answer.returncode == 1
    assert "pionts" in answer.stderr + answer.stdout
