# SPDX-License-Identifier: Apache-2.0
"""A run that is killed again and again ends with the weights of a run that was left alone."""

import json
import random
import shutil
import signal
import subprocess
import time

import pytest
from safetensors.numpy import load_file
from small_run import MODELS, STEPS
from small_shapes import PROGRAM, train_command


def steps_on_disk(run):
    return [int(file.stem.split("-")[1]) for file in run.glob("checkpoint-*.json")]


def weights(run):
    return (run / f"checkpoint-{STEPS}.safetensors").read_bytes()


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
        process = subprocess.Popen(train_command(data, run), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
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
    process = subprocess.Popen(train_command(data, run, "run.checkpoint_minutes=60"), stderr=subprocess.PIPE, text=True)
    while process.poll() is None and not (run / "steps.csv").exists():
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=240)
    assert process.returncode == 130
    assert f"pointtree train --resume {run}" in errors
    assert len(steps_on_disk(run)) == 1
    subprocess.run([PROGRAM, "train", "--resume", run, "--set", "run.checkpoint_minutes=60"], check=True,
                   capture_output=True, timeout=240)
    assert weights(run) == weights(undisturbed)


def test_a_run_starts_from_the_weights_of_a_bundle(data, undisturbed, tmp_path):
    still = ["run.steps=1", "run.validate_every=1", "optimizer.learning_rate=1e-12", "optimizer.weight_decay=0",
             "optimizer.ema_decay=0"]
    shutil.copytree(undisturbed / "bundle", tmp_path / "start")
    subprocess.run(train_command(data, tmp_path / "same", f"run.start={tmp_path / 'start'}", *still), check=True,
                   capture_output=True, timeout=240)
    before, after = (load_file(run / "bundle" / "weights.safetensors") for run in (undisturbed, tmp_path / "same"))
    learned = [name for name in before if not name.endswith(("running_mean", "running_var"))]
    assert all(abs(after[name] - before[name]).max() < 1e-6 for name in learned)

    shutil.rmtree(tmp_path / "start")
    subprocess.run([PROGRAM, "train", "--resume", tmp_path / "same"], check=True, capture_output=True, timeout=240)

    misfit = subprocess.run(train_command(data, tmp_path / "other", f"run.start={MODELS / 'rooms'}"), capture_output=True,
                            text=True, timeout=240)
    assert misfit.returncode == 1
    assert "run.start: no layer of" in misfit.stdout + misfit.stderr


@pytest.mark.parametrize("override, reason", [
    ("run.batch=1000", "1000"), ("model.classes=4", "model.classes"), ("data.path=/nonexistent", "/nonexistent")])
def test_what_does_not_fit_is_named(data, tmp_path, override, reason):
    result = subprocess.run(train_command(data, tmp_path / "run", override), capture_output=True, text=True, timeout=240)
    assert result.returncode == 1
    assert reason in result.stdout + result.stderr


@pytest.mark.parametrize("change, key", [("model.leaf_width=16", "model.leaf_width"), ("data.kind=auto", "data.kind")])
def test_run_of_another_network_or_of_other_data_is_not_overwritten(data, undisturbed, tmp_path, change, key):
    run = tmp_path / "run"
    shutil.copytree(undisturbed, run)
    before = {path: path.read_bytes() for path in run.rglob("*") if path.is_file()}
    refused = subprocess.run([*train_command(data, run), change], capture_output=True, text=True, timeout=240)
    assert refused.returncode == 1
    assert f"another {key}" in refused.stderr and "--resume" in refused.stderr
    assert {path: path.read_bytes() for path in run.rglob("*") if path.is_file()} == before


def test_configuration_of_something_else_is_not_overwritten(data, tmp_path):
    (tmp_path / "config.yaml").write_text("robot: mine\n")
    refused = subprocess.run(train_command(data, tmp_path), capture_output=True, text=True, timeout=240)
    assert refused.returncode == 1 and "config.yaml" in refused.stderr
    assert (tmp_path / "config.yaml").read_text() == "robot: mine\n"
