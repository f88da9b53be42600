# SPDX-License-Identifier: Apache-2.0
"""launch/evaluate.launch.py: plays a bag, records the results, prints and writes the report, ends by itself."""

import json
import os
import pathlib
import subprocess

import pytest
import rosbag2_py
from rclpy.serialization import deserialize_message
from vision_msgs.msg import Detection3DArray

from launch_process import Launch, command, environment
from ros_client import PATIENCE, next_domain, read_clouds, read_messages

OUSTER = pathlib.Path(os.environ.get("POINTTREE_DATA", "/nowhere")) / "ros2_bags/ouster_os1_db3"


def evaluate(**arguments):
    return subprocess.run(command("evaluate.launch.py", arguments), text=True, capture_output=True, timeout=2 * PATIENCE,
                          env=environment(next_domain()))


def test_it_ends_with_a_report_on_every_frame(models, street, tmp_path):
    frames = len(read_clouds(street))
    params = tmp_path / "params.yaml"
    params.write_text("/**:\n  ros__parameters:\n    input_qos: {depth: 20}\n    min_confidence: 0.0\n")
    # Slow enough that no frame replaces another even on a busy machine.
    done = evaluate(bag=street, model=models / "objects", params_file=params, rate=0.25, report=tmp_path / "report.json",
                    record=tmp_path / "results")
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"processed: {frames}\n" in done.stdout, done.stdout[done.stdout.find("received:"):]
    figures = json.loads((tmp_path / "report.json").read_text())
    assert [int(figures[key]) for key in ("received", "processed", "dropped", "rejected")] == [frames, frames, 0, 0]
    assert sum(figures["objects"].values()) > 0
    played, recorded = (rosbag2_py.Info().read_metadata(str(bag), "").starting_time for bag in (street, tmp_path / "results"))
    assert abs(recorded.nanoseconds - played.nanoseconds) < 10e9, "recorded at the bag's time"
    messages = [message for bag in (tmp_path / "results").glob("*.mcap") for message in read_messages(bag)]
    kinds = [kind for kind, _ in messages]
    assert kinds.count("pointtree/msg/LabeledObjectArray") == kinds.count("vision_msgs/msg/Detection3DArray") == frames
    assert kinds.count("vision_msgs/msg/LabelInfo") == 1, "published before the recorder came, and kept for it"
    detections = [found for kind, data in messages if kind == "vision_msgs/msg/Detection3DArray"
                  for found in deserialize_message(data, Detection3DArray).detections]
    scores = [[result.hypothesis.score for result in found.results] for found in detections]
    assert scores and all(len(each) > 1 and each == sorted(each, reverse=True) for each in scores), "likeliest class first"


@pytest.mark.skipif(not OUSTER.is_dir(), reason="POINTTREE_DATA has no ros2_bags/ouster_os1_db3")
def test_clouds_of_a_real_recording_arrive_with_nothing_but_defaults(tmp_path):
    """Two clouds of 6.3 MB, in a bag without quality of service for /tf_static."""
    done = evaluate(bag=OUSTER, report=tmp_path / "report.json")
    assert done.returncode == 0, done.stdout + done.stderr
    figures = json.loads((tmp_path / "report.json").read_text())
    received, processed, dropped, rejected, lost = (
        int(figures[key]) for key in ("received", "processed", "dropped", "rejected", "lost"))
    assert received == processed + dropped + rejected == 2 and rejected == 0, figures
    # Of two clouds none can be lost if two came; the player's end may be counted as one (LossCounter).
    assert lost <= 1, figures


def test_a_looping_bag_goes_on(models, street):
    with Launch("evaluate.launch.py", bag=street, model=models / "objects", loop="true") as running:
        running.client.counts(lambda counts: counts["received"] > 8)
