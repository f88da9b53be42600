"""Bundles are judged as asked: alone, by several looks, with others."""

import json
import os
import shutil
import subprocess

import pytest
import yaml
from small_run import MODELS
from small_shapes import PROGRAM, train_command


def evaluate(data, *models, options=(), split="validation"):
    return subprocess.run([PROGRAM, "evaluate", "--model", *models, "--data", data, "--split", split, "--transform",
                           "affine", *options, "--seed", "1", "--json"], capture_output=True, text=True, timeout=500)


def test_bundle_is_judged_like_the_validation(data, undisturbed):
    result = json.loads(evaluate(data, undisturbed / "bundle", options=("--draws", "3")).stdout)
    best = json.loads((undisturbed / "summary.json").read_text())["best_validation_score"]
    assert len(result["overall_accuracies"]) == 3
    assert abs(result["overall_accuracy"] - best) < 0.35
    assert result["expected_angle_difference"] < 1e-3


def test_a_model_that_votes_with_itself_answers_as_alone(data, undisturbed):
    bundle = undisturbed / "bundle"
    alone, twice = (json.loads(evaluate(data, *models, options=("--votes", "8")).stdout)
                    for models in ([bundle], [bundle, bundle]))
    assert twice["overall_accuracies"] == alone["overall_accuracies"]
    assert twice["model"] == f"{alone['model']} + {alone['model']}"
    assert f"--model {bundle} {bundle} --data" in twice["command"]


def test_a_bundle_is_looked_at_as_often_as_it_asks_for(data, undisturbed, tmp_path):
    bundle = tmp_path / "bundle"
    shutil.copytree(undisturbed / "bundle", bundle)
    manifest = (bundle / "model.yaml").read_text()
    (bundle / "model.yaml").write_text(manifest.replace("looks: 1", "looks: 3"))
    own, once, thrice = (json.loads(evaluate(data, bundle, options=options).stdout)
                         for options in ((), ("--views", "1"), ("--views", "3")))
    assert [own["views"], once["views"], thrice["views"]] == [3, 1, 3]
    assert own["overall_accuracies"] == thrice["overall_accuracies"]
    assert "--views" not in own["command"] and "--views 1" in once["command"]


def test_a_bundle_is_judged_with_those_it_votes_with(data, undisturbed, tmp_path):
    first, second = tmp_path / "first", tmp_path / "second"
    subprocess.run(train_command(data, tmp_path / "run", "run.seed=7"), check=True, capture_output=True, timeout=240)
    shutil.copytree(undisturbed / "bundle", first)
    shutil.copytree(tmp_path / "run" / "bundle", second)
    manifest = (first / "model.yaml").read_text()
    (first / "model.yaml").write_text(manifest.replace("votes_with:\n  []", "votes_with: [second]"))
    together, named, alone, before = (
        json.loads(evaluate(data, *models, options=options).stdout)
        for models, options in (((first,), ()), ((first, second), ()), ((first,), ("--alone",)),
                                ((undisturbed / "bundle",), ())))
    assert together["weights_sha256"] == named["weights_sha256"] != alone["weights_sha256"] == before["weights_sha256"]
    assert together["overall_accuracies"] == named["overall_accuracies"]
    assert alone["overall_accuracies"] == before["overall_accuracies"]
    assert f"--model {first} --alone --data" in alone["command"] and "--alone" not in together["command"]

    shutil.rmtree(second)
    missing = evaluate(data, first)
    assert missing.returncode == 1
    assert f"{first}: votes with {second}" in missing.stdout + missing.stderr


def test_models_of_other_classes_cannot_vote_together(data, undisturbed):
    result = evaluate(data, undisturbed / "bundle", MODELS / "modelnet40")
    assert result.returncode == 1
    assert "modelnet40" in result.stdout + result.stderr and "differ" in result.stdout + result.stderr


def test_shipped_bundles_lie_beside_those_they_vote_with():
    votes_with = [yaml.safe_load(file.read_text()).get("votes_with", []) for file in MODELS.glob("*/model.yaml")]
    assert any(votes_with)
    assert all((MODELS / name / "model.yaml").exists() for names in votes_with for name in names)


def test_shipped_models_still_name_shapes_under_affine_maps():
    root = os.environ.get("POINTTREE_DATA")
    if root is None:
        pytest.skip("POINTTREE_DATA is not set")
    result = evaluate(f"{root}/modelnet40", MODELS / "modelnet40", options=("--views", "1"), split="test_public")
    assert json.loads(result.stdout)["overall_accuracy"] > 0.85
