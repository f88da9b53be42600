# SPDX-License-Identifier: Apache-2.0
"""Processes that train one network together do what one process does with the whole batch."""

import csv
import os
import signal
import socket
import subprocess
import time

import pytest
from small_shapes import train_command, write_boxes

CONFIG = """
model: {alignment: tnet, pre_align: canonical, points: 32, classes: 3, leaf_hidden: 16, leaf_width: 8,
        max_width: 32, width: 0.25}
optimizer: {learning_rate: 0.001}
schedule: {name: constant}
augment: {transformation: affine}
data: {kind: modelnet40}
run: {batch: 16, steps: 10, validate_every: 10, log_every: 1, threads: 1}
"""


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    folder = tmp_path_factory.mktemp("shapes")
    write_boxes(folder, CONFIG)
    return folder


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def start(data, run, port, rank, size, *more):
    variables = dict(os.environ, MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port), RANK=str(rank),
                     WORLD_SIZE=str(size))
    return subprocess.Popen(train_command(data, run, *more), env=variables, stdout=subprocess.DEVNULL,
                            stderr=subprocess.PIPE, text=True)


def losses(run):
    with open(run / "steps.csv", newline="") as file:
        return [float(row["loss"]) for row in csv.DictReader(file)]


def skip_without_gloo(errors):
    if "without gloo" in errors:
        pytest.skip("built without gloo's headers")


def test_bad_rank_is_named(data, tmp_path):
    _, errors = start(data, tmp_path / "run", 1, 5, 2).communicate(timeout=240)
    assert "RANK: expected a number from 0 to 1, found '5'" in errors


def test_two_processes_have_the_loss_curve_of_one(data, tmp_path):
    alone = start(data, tmp_path / "one", 1, 0, 1)
    assert alone.wait(timeout=240) == 0
    port = free_port()
    together = [start(data, tmp_path / "two", port, rank, 2) for rank in range(2)]
    for process in together:
        _, errors = process.communicate(timeout=240)
        skip_without_gloo(errors)
        assert process.returncode == 0, errors
    one, two = losses(tmp_path / "one"), losses(tmp_path / "two")
    assert len(one) == len(two) == 10
    # Rounding grows from step to step, threefold where maxima change their points; statistics that were not shared
    # would differ by per cents at once.
    for step, (a, b) in enumerate(zip(one, two)):
        assert abs(a - b) <= 1e-4 * 3**step * abs(a), (step, one, two)


def test_lost_process_ends_the_run_with_a_checkpoint(data, tmp_path):
    port = free_port()
    run = tmp_path / "run"
    first, second = (start(data, run, port, rank, 2, "run.steps=100000", "run.validate_every=100000")
                     for rank in range(2))
    while not (run / "steps.csv").exists() or len(losses(run)) < 3:
        if first.poll() is not None:
            skip_without_gloo(first.stderr.read())
            pytest.fail("the first process ended by itself")
        time.sleep(0.02)
    second.send_signal(signal.SIGKILL)
    second.wait(timeout=60)
    _, errors = first.communicate(timeout=240)
    assert first.returncode == 1
    assert "lost another one" in errors and "pointtree train --resume" in errors
    assert list(run.glob("checkpoint-*.json"))
