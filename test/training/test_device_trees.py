# SPDX-License-Identifier: Apache-2.0
"""Poses and trees made where the network is trained, not by the loader: here the CPU plays the device."""

import csv
import subprocess

import pytest
from small_shapes import train_command, write_boxes

CONFIG = """
model: {alignment: none, pre_align: canonical, points: 32, classes: 3, leaf_hidden: 16, leaf_width: 8,
        max_width: 32, width: 0.25}
optimizer: {learning_rate: 0.001}
schedule: {name: constant}
augment: {transformation: affine, signed_permutation: true, pose_linear: 0.05, pose_jitter: 0.01}
data: {kind: modelnet40}
run: {batch: 16, steps: 6, validate_every: 6, log_every: 1, threads: 1}
"""


def train(folder, run, trees):
    done = subprocess.run(train_command(folder, run, f"run.trees={trees}"), capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stderr
    with open(run / "steps.csv", newline="") as file:
        return [float(row["loss"]) for row in csv.DictReader(file)]


def test_a_run_learns_the_same_wherever_its_trees_are_made(tmp_path):
    write_boxes(tmp_path, CONFIG)
    by_loader = train(tmp_path, tmp_path / "loader", "loader")
    on_device = train(tmp_path, tmp_path / "device", "device")
    assert len(by_loader) == 6
    # Coordinates differ by rounding, which training magnifies from step to step.
    assert on_device == pytest.approx(by_loader, rel=1e-3)
