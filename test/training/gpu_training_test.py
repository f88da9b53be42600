# SPDX-License-Identifier: Apache-2.0
"""Training on CUDA devices with poses and trees made there; skipped with the reason where there is no device."""

import os
import socket
import subprocess

import pytest
from small_shapes import PROGRAM, train_command, write_boxes
from test_device_trees import CONFIG


def device_count():
    """CUDA devices that training can use, or the reason why there are none."""
    found = 0
    while True:
        done = subprocess.run([PROGRAM, "bench", "network", "--points", "64", "--batch", "1", "--repeats", "1",
                               "--device", f"cuda:{found}"], capture_output=True, text=True, timeout=240)
        if done.returncode != 0:
            return found, done.stderr.strip().split("\n")[-1]
        found += 1


DEVICES, REASON = device_count()


@pytest.fixture
def shapes(tmp_path):
    write_boxes(tmp_path, CONFIG)
    return tmp_path


def start(shapes, *more, **variables):
    return subprocess.Popen(train_command(shapes, shapes / "run", *more), env=dict(os.environ, **variables),
                            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


@pytest.mark.skipif(DEVICES < 1, reason=REASON)
@pytest.mark.parametrize("amp", ["false", "true"])
def test_one_process_trains_on_a_device(shapes, amp):
    process = start(shapes, "run.device=cuda:0", f"run.amp={amp}")
    _, errors = process.communicate(timeout=240)
    assert process.returncode == 0, errors
    assert (shapes / "run" / "bundle" / "model.yaml").exists()


@pytest.mark.skipif(DEVICES < 2, reason=REASON)
def test_two_processes_train_on_two_devices(shapes):
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
    processes = [start(shapes, "run.device=cuda", MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port), RANK=str(rank),
                       LOCAL_RANK=str(rank), WORLD_SIZE="2", NCCL_SOCKET_IFNAME="lo") for rank in range(2)]
    for process in processes:
        _, errors = process.communicate(timeout=240)
        assert process.returncode == 0, errors
