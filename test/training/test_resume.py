"""A run that is killed again and again ends with the weights of a run that was left alone."""

import json
import random
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest
from safetensors.numpy import load_file
from small_shapes import PROGRAM, write_boxes

MODELS = Path(__file__).resolve().parents[2] / "models"
STEPS = 12
CONFIG = """
model: {alignment: none, pre_align: canonical, points: 32, classes: 3, leaf_hidden: 16, leaf_width: 8,
        max_width: 32, head_dropout: 0.3}
optimizer: {name: adamw, learning_rate: 0.003, weight_decay: 0.05, clip_norm: 5.0, ema_decay: 0.9}
schedule: {name: one_cycle, warmup: 0.3}
augment: {transformation: affine, pose_jitter: 0.02}
loss: {label_smoothing: 0.1}
data: {kind: modelnet40}
run: {batch: 16, steps: %d, validate_every: 4, checkpoint_minutes: 0, log_every: 2, threads: 1}
""" % STEPS


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    folder = tmp_path_factory.mktemp("shapes")
    write_boxes(folder)
    (folder / "config.yaml").write_text(CONFIG)
    return folder


def command(data, run, *more):
    return [PROGRAM, "train", data / "config.yaml", "--set", f"data.path={data}", f"run.folder={run}", *more]


def steps_on_disk(run):
    return [int(file.stem.split("-")[1]) for file in run.glob("checkpoint-*.json")]


def weights(run):
    return (run / f"checkpoint-{STEPS}.safetensors").read_bytes()


@pytest.fixture(scope="module")
def undisturbed(data, tmp_path_factory):
    run = tmp_path_factory.mktemp("undisturbed") / "run"
    subprocess.run(command(data, run), check=True, capture_output=True, timeout=240)
    return run


def test_run_folder_is_complete(undisturbed):
    for name in ["config.yaml", "steps.csv", "validation.csv", "log.json", "curves.png", "confusion.png",
                 "classes.csv", "summary.json", "bundle/model.yaml", "bundle/weights.safetensors"]:
        assert (undisturbed / name).stat().st_size > 0, name
    log = json.loads((undisturbed / "log.json").read_text())
    assert [record["step"] for record in log["validations"]] == [4, 8, 12]
    assert [record["step"] for record in log["steps"]] == [2, 4, 6, 8, 10, 12]


def test_killed_run_ends_with_the_same_weights(data, undisturbed, tmp_path):
    seed = random.randrange(1 << 30)
    print("seed", seed)
    chance = random.Random(seed)
    run = tmp_path / "run"
    kills = 0
    while True:
        process = subprocess.Popen(command(data, run), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        before = max(steps_on_disk(run), default=0) if run.exists() else 0
        while process.poll() is None and max(steps_on_disk(run), default=0) <= before:
            time.sleep(0.005)
        time.sleep(chance.uniform(0.0, 0.05))
        if process.poll() is None and kills < 5:
            process.send_signal(signal.SIGKILL)
            kills += 1
        if process.wait(timeout=240) == 0:
            break
    assert kills >= 2
    assert weights(run) == weights(undisturbed)
    assert (run / "bundle/weights.safetensors").read_bytes() == (
        undisturbed / "bundle/weights.safetensors").read_bytes()
    ours, theirs = ((folder / "validation.csv").read_text().splitlines() for folder in (run, undisturbed))
    without_hours = [[cell for i, cell in enumerate(line.split(",")) if i != 2] for line in ours]
    assert without_hours == [[cell for i, cell in enumerate(line.split(",")) if i != 2] for line in theirs]


def test_interrupted_run_says_how_to_resume(data, undisturbed, tmp_path):
    run = tmp_path / "run"
    process = subprocess.Popen(command(data, run, "run.checkpoint_minutes=60"), stderr=subprocess.PIPE, text=True)
    while process.poll() is None and not (run / "steps.csv").exists():
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=240)
    assert process.returncode == 0
    assert f"pointtree train --resume {run}" in errors
    assert len(steps_on_disk(run)) == 1
    subprocess.run([PROGRAM, "train", "--resume", run, "--set", "run.checkpoint_minutes=60"], check=True,
                   capture_output=True, timeout=240)
    assert weights(run) == weights(undisturbed)


def test_bundle_is_judged_like_the_validation(data, undisturbed):
    output = subprocess.run([PROGRAM, "evaluate", "--model", undisturbed / "bundle", "--data", data, "--split",
                             "validation", "--transform", "affine", "--draws", "3", "--seed", "1", "--json"],
                            check=True, capture_output=True, text=True, timeout=240).stdout
    result = json.loads(output)
    best = json.loads((undisturbed / "summary.json").read_text())["best_validation_score"]
    assert len(result["overall_accuracies"]) == 3
    assert abs(result["overall_accuracy"] - best) < 0.35
    assert result["expected_angle_difference"] < 1e-3


def test_a_run_starts_from_the_weights_of_a_bundle(data, undisturbed, tmp_path):
    still = ["run.steps=1", "run.validate_every=1", "optimizer.learning_rate=1e-12", "optimizer.weight_decay=0",
             "optimizer.ema_decay=0"]
    shutil.copytree(undisturbed / "bundle", tmp_path / "start")
    subprocess.run(command(data, tmp_path / "same", f"run.start={tmp_path / 'start'}", *still), check=True, capture_output=True, timeout=240)
    before, after = (load_file(run / "bundle" / "weights.safetensors") for run in (undisturbed, tmp_path / "same"))
    learned = [name for name in before if not name.endswith(("running_mean", "running_var"))]
    assert all(abs(after[name] - before[name]).max() < 1e-6 for name in learned)

    shutil.rmtree(tmp_path / "start")
    subprocess.run([PROGRAM, "train", "--resume", tmp_path / "same"], check=True, capture_output=True, timeout=240)

    misfit = subprocess.run(command(data, tmp_path / "other", f"run.start={MODELS / 'rooms'}"), capture_output=True,
                            text=True, timeout=240)
    assert misfit.returncode == 1
    assert "run.start: no layer of" in misfit.stdout + misfit.stderr


def evaluate(data, *models, options=("--votes", "8")):
    return subprocess.run([PROGRAM, "evaluate", "--model", *models, "--data", data, "--split", "validation",
                           "--transform", "affine", *options, "--seed", "1", "--json"],
                          capture_output=True, text=True, timeout=240)


def test_a_model_that_votes_with_itself_answers_as_alone(data, undisturbed):
    bundle = undisturbed / "bundle"
    alone, twice = (json.loads(evaluate(data, *models).stdout) for models in ([bundle], [bundle, bundle]))
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


def test_models_of_other_classes_cannot_vote_together(data, undisturbed):
    result = evaluate(data, undisturbed / "bundle", MODELS / "modelnet40")
    assert result.returncode == 1
    assert "modelnet40" in result.stdout + result.stderr and "differ" in result.stdout + result.stderr


@pytest.mark.parametrize("override, reason", [
    ("run.batch=1000", "1000"), ("model.classes=4", "model.classes"), ("data.path=/nonexistent", "/nonexistent")])
def test_what_does_not_fit_is_named(data, tmp_path, override, reason):
    result = subprocess.run(command(data, tmp_path / "run", override), capture_output=True, text=True, timeout=240)
    assert result.returncode == 1
    assert reason in result.stdout + result.stderr
