# SPDX-License-Identifier: Apache-2.0
"""The short form of test/ros/soak.py."""

from ros_client import model, running_node
from soak import simulated_clouds, soak


def test_no_frame_is_lost_uncounted_and_memory_stays(models):
    clouds = simulated_clouds(64, 900)
    with running_node(*model(models), "-p", "input_qos.reliability:=reliable") as (process, client):
        report = soak(process.pid, client, clouds, seconds=20, warm_up=8)
    assert report["sent"] == report["received"] == 200, report
    assert report["processed"] + report["dropped"] == 200 and report["processed"] > 0, report
    assert report["memory most after warm-up (MB)"] - report["memory after warm-up (MB)"] < 30, report
