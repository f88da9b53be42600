# SPDX-License-Identifier: Apache-2.0
"""A bag played by ROS 2's own player gives what `pointtree replay` gives."""

import subprocess

import pytest

from ros_client import POINTTREE, SEGMENTATION, model, read_clouds, running_node, settled


@pytest.fixture(scope="module")
def recording(tmp_path_factory):
    """Three seconds of a street."""
    bag = tmp_path_factory.mktemp("recording") / "street.mcap"
    subprocess.run([POINTTREE, "simulate", "--scene", "street", "--frames", "30", "--beams", "16", "--columns", "360",
                    "--output", bag], check=True, capture_output=True)
    bag.with_suffix(".labels.yaml").unlink()  # names the simulator's classes, which random models don't have
    return bag


def play(recording, arguments):
    """What the node counted and answered while the bag was played into it at its own rate."""
    with running_node(*arguments) as (_, client):
        heard = client.connect(SEGMENTATION)
        client.input("/lidar/points")  # the node is known to listen
        player = client.start("ros2", "bag", "play", str(recording), "--topics", "/lidar/points",
                              "--disable-keyboard-controls", "--delay", "2")
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
    for _ in range(3):  # a machine with other work may stall for longer than a frame, once
        counts, heard = play(recording, arguments)
        assert counts["rejected"] == 0
        for answer in heard:
            assert answer == expected[(answer.header.stamp.sec, answer.header.stamp.nanosec)]
        if counts["dropped"] == 0:
            break
    assert counts["dropped"] == 0 and len(heard) == 30, counts
