# SPDX-License-Identifier: Apache-2.0
"""A bag played by ROS 2's own player gives what `pointtree replay` gives."""

import os
import pathlib
import re
import subprocess

import pytest
from rclpy.qos import DurabilityPolicy
from rosbag2_interfaces.srv import Resume

from bags import read_bag, write_bag
from ros_client import POINTTREE, SEGMENTATION, Client, model, next_domain, read_clouds, running_node, settled

SOURCE = pathlib.Path(os.environ["POINTTREE_SOURCE"])
RESUME = "/rosbag2_player/resume"


@pytest.fixture(scope="module")
def recording(tmp_path_factory):
    """Three seconds of a street."""
    bag = tmp_path_factory.mktemp("recording") / "street.mcap"
    subprocess.run([POINTTREE, "simulate", "--scene", "street", "--frames", "30", "--beams", "16", "--columns", "360",
                    "--output", bag], check=True, capture_output=True)
    bag.with_suffix(".labels.yaml").unlink()  # names the simulator's classes, which random models don't have
    return bag


def play(recording, rate, arguments):
    """What the node counted and answered while the bag was played into it."""
    with running_node(*arguments) as (_, client):
        heard = client.connect(SEGMENTATION)
        client.input("/lidar/points")  # the node is known to listen
        # Humble's player sends the first two clouds at once unless it waits for a start signal.
        player = client.start("ros2", "bag", "play", str(recording), "--topics", "/lidar/points", "--rate", str(rate),
                              "--disable-keyboard-controls", "--start-paused")
        client.until(client.node.create_client(Resume, RESUME).service_is_ready, "the player does not come")
        client.spin(2.0)  # player and node find each other
        client.call(Resume, RESUME, Resume.Request())
        client.until(lambda: player.poll() is not None, "the player does not end")
        assert player.returncode == 0, player.stdout.read()
        counts = client.counts(lambda counts: counts["received"] == 30 and settled(counts))
        client.until(lambda: len(heard) == counts["processed"], "counted but not published")
    return counts, heard


@pytest.mark.parametrize("kind", ["objects", "blocks"])
def test_a_played_bag_gets_the_labels_of_replay_and_loses_no_frame(models, recording, tmp_path, kind):
    labelled = tmp_path / "labelled.mcap"
    subprocess.run([POINTTREE, "replay", recording, "--model", models / kind, "--labels", "none", "--output", labelled], check=True,
                   capture_output=True)
    expected = {(cloud.header.stamp.sec, cloud.header.stamp.nanosec): cloud for cloud in read_clouds(labelled, SEGMENTATION)}
    assert len(expected) == 30
    arguments = (*model(models, kind), "-p", "input_qos.reliability:=reliable", "-p", "input_qos.depth:=30",
                 "-r", "~/input/pointcloud:=/lidar/points")
    for rate in (1.0, 0.5, 0.1):  # slower where a machine has too much other work for the bag's own rate
        counts, heard = play(recording, rate, arguments)
        assert counts["rejected"] == 0
        for answer in heard:
            assert answer == expected[(answer.header.stamp.sec, answer.header.stamp.nanosec)]
        if counts["dropped"] == 0:
            break
    assert counts["dropped"] == 0 and len(heard) == 30, counts


def test_the_overrides_of_the_documentation_make_static_transforms_transient_local(street, tmp_path):
    text = (SOURCE / "docs/robot.md").read_text().split("--qos-profile-overrides-path", 1)[1]
    (tmp_path / "overrides.yaml").write_text(re.search(r"```yaml\n(.*?)```", text, re.DOTALL).group(1))
    topic, _ = read_bag(street, "/lidar/points")
    topic.name, topic.type = "/tf_static", "tf2_msgs/msg/TFMessage"
    write_bag(tmp_path / "bag", topic, [(bytes(8), 1)])  # no transforms
    client = Client(next_domain())
    player = client.start("ros2", "bag", "play", str(tmp_path / "bag"), "--start-paused", "--disable-keyboard-controls",
                          "--qos-profile-overrides-path", str(tmp_path / "overrides.yaml"))
    try:
        client.until(lambda: client.node.count_publishers("/tf_static"), lambda: f"the player does not come: {player.poll()}")
        offered = client.node.get_publishers_info_by_topic("/tf_static")[0].qos_profile
        assert offered.durability == DurabilityPolicy.TRANSIENT_LOCAL
    finally:
        player.terminate()
        player.wait()
        client.close()
