# SPDX-License-Identifier: Apache-2.0
"""launch/evaluate.launch.py: plays a bag, records the results, prints and writes the report, ends by itself."""

import datetime
import json
import os
import subprocess

import rosbag2_py

from ros_client import PATIENCE, next_domain, read_clouds, read_messages


def test_it_ends_with_a_report_on_every_frame(models, street, tmp_path):
    frames = len(read_clouds(street))
    params = tmp_path / "params.yaml"
    params.write_text("/**:\n  ros__parameters:\n    input_qos: {depth: 20}\n    min_confidence: 0.0\n")
    # Slow enough that no frame replaces another even on a busy machine.
    arguments = {"bag": street, "model": models / "objects", "params_file": params, "rate": 0.25,
                 "report": tmp_path / "report.json", "record": tmp_path / "results"}
    done = subprocess.run(["ros2", "launch", "pointtree", "evaluate.launch.py", *(f"{key}:={value}" for key, value in arguments.items())],
                          text=True, capture_output=True, timeout=2 * PATIENCE, env={**os.environ, "ROS_DOMAIN_ID": str(next_domain())})
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"processed: {frames}\n" in done.stdout, done.stdout[done.stdout.find("received:"):]
    figures = json.loads((tmp_path / "report.json").read_text())
    assert [int(figures[key]) for key in ("received", "processed", "dropped", "rejected")] == [frames, frames, 0, 0]
    assert sum(figures["objects"].values()) > 0
    played, recorded = (rosbag2_py.Info().read_metadata(str(bag), "").starting_time for bag in (street, tmp_path / "results"))
    assert abs(recorded - played) < datetime.timedelta(seconds=10), "recorded at the bag's time"
    kinds = [kind for bag in (tmp_path / "results").glob("*.mcap") for kind, _ in read_messages(bag)]
    assert kinds.count("pointtree/msg/LabeledObjectArray") == kinds.count("vision_msgs/msg/Detection3DArray") == frames
    assert kinds.count("vision_msgs/msg/LabelInfo") == 1, "published before the recorder came, and kept for it"
