# SPDX-License-Identifier: Apache-2.0
"""Bundles are evaluated as asked: alone or as an ensemble."""

import json
import os
import re
import shutil
import subprocess

import pytest
from small_run import MODELS
from small_shapes import PROGRAM, train_command


def evaluate(data, *models, options=(), split="validation"):
    return subprocess.run([PROGRAM, "evaluate", "--model", *models, "--data", data, "--split", split, "--transform",
                           "affine", *options, "--seed", "1", "--json"], capture_output=True, text=True, timeout=500)


def test_bundle_is_evaluated_like_the_validation(data, undisturbed):
    result = json.loads(evaluate(data, undisturbed / "bundle", options=("--draws", "3")).stdout)
    best = json.loads((undisturbed / "summary.json").read_text())["best_validation_score"]
    assert len(result["overall_accuracies"]) == 3
    assert abs(result["overall_accuracy"] - best) < 0.35
    assert result["expected_angle_difference"] < 1e-3


def test_the_same_model_twice_is_refused(data, undisturbed):
    bundle = undisturbed / "bundle"
    result = evaluate(data, bundle, bundle)
    assert result.returncode == 2
    assert f"{bundle} is given twice" in result.stdout + result.stderr


def test_a_bundle_is_evaluated_with_all_its_networks(data, undisturbed, tmp_path):
    first = tmp_path / "first"
    subprocess.run(train_command(data, tmp_path / "run", "run.seed=7"), check=True, capture_output=True, timeout=240)
    other = tmp_path / "run" / "bundle"
    shutil.copytree(undisturbed / "bundle", first)
    shutil.copytree(other, first / "second")
    manifest = (first / "model.yaml").read_text()
    (first / "model.yaml").write_text(manifest.replace("units:", "ensemble: [second]\nunits:"))
    joint, named = (json.loads(evaluate(data, *models).stdout) for models in ([first], [undisturbed / "bundle", other]))
    assert joint["weights_sha256"] == named["weights_sha256"]
    assert joint["overall_accuracies"] == named["overall_accuracies"]

    shutil.rmtree(first / "second")
    missing = evaluate(data, first)
    assert missing.returncode == 1
    assert str(first / "second") in missing.stdout + missing.stderr


def test_models_of_other_classes_are_no_ensemble(data, undisturbed):
    result = evaluate(data, undisturbed / "bundle", MODELS / "modelnet40")
    assert result.returncode == 1
    assert "modelnet40" in result.stdout + result.stderr and "differ" in result.stdout + result.stderr


def test_the_command_in_the_readme_gives_its_score():
    root = os.environ.get("POINTTREE_DATA")
    if root is None:
        pytest.skip("POINTTREE_DATA is not set")
    source = MODELS.parent
    command = re.search(r"^pointtree (evaluate .*--draws )5( .*)$", (source / "README.md").read_text(), re.MULTILINE)
    arguments = f"{command[1]}1{command[2]} --json".replace(" DIR ", f" {root}/modelnet40 ").split()  # one draw: the others say the same
    result = subprocess.run([PROGRAM, *arguments], cwd=source, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout)["overall_accuracy"] > 0.85
