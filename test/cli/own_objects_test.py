# SPDX-License-Identifier: Apache-2.0
"""The three commands of docs/training.md for one's own objects, on a tiny labelled set."""

import json
import os
import pathlib

import numpy
from program import run, simulate

SOURCE = pathlib.Path(os.environ["POINTTREE_SOURCE"])


def make_objects(folder):
    """Flat tables and upright poles, which nothing could confuse."""
    random = numpy.random.default_rng(1)
    for name, size in (("pole", (0.2, 0.2, 4.0)), ("table", (2.0, 1.0, 0.1))):
        (folder / name).mkdir(parents=True)
        for k in range(20):
            cloud = random.uniform(-0.5, 0.5, (300, 3)) * size
            numpy.savetxt(folder / name / f"{k:02}.xyz", cloud)
    return folder


def test_train_evaluate_and_replay_own_objects(tmp_path):
    data, bundle = make_objects(tmp_path / "mine"), tmp_path / "run" / "bundle"
    run("train", SOURCE / "config/train/own_objects.yaml", "--set", f"data.path={data}", "model.classes=2",
        f"run.folder={tmp_path / 'run'}", f"run.start={SOURCE / 'models/objects_simulated'}", "run.steps=100", "optimizer.ema_decay=0.9", "run.batch=8", "run.threads=1")
    result = run("evaluate", "--model", bundle, "--data", data, "--kind", "labelled_folder", "--split", "test", "--json", "--threads", 1)
    scores = json.loads(result.stdout)
    assert scores["clouds"] == 8 and [row["name"] for row in scores["classes"]] == ["pole", "table"]
    assert scores["overall_accuracy"] > 0.8
    drive = simulate(tmp_path / "drive.mcap")
    run("replay", drive, "--model", bundle, "--labels", "none", "--html", tmp_path / "drive.html")
    assert (tmp_path / "drive.html").exists()
