# SPDX-License-Identifier: Apache-2.0
"""What the tests of launch files share: a bag, small models, and the check that the node answers."""

import os
import pathlib
import subprocess
import tempfile
import time

from ros_client import BIN, PATIENCE, POINTTREE, SEGMENTATION, Client, make_cloud, read_clouds, settled

CLOUDS, RATE = 40, 10.0
FOLDER = pathlib.Path(tempfile.mkdtemp(prefix="pointtree_launch_"))


def make_model(kind="objects"):
    folder = FOLDER / kind
    subprocess.run([BIN / "make_bundle", folder, kind, "1"], check=True)
    return str(folder)


def make_bag(frames):
    bag = FOLDER / "street.mcap"
    subprocess.run([POINTTREE, "simulate", "--scene", "street", "--frames", str(frames), "--beams", "16", "--columns", "360",
                    "--output", bag], check=True, capture_output=True)
    return bag


def assert_answers(node, topic):
    """Publishes a cloud and waits for its labels."""
    client = Client(int(os.environ["ROS_DOMAIN_ID"]), node)
    try:
        heard = client.connect(SEGMENTATION.replace("/pointtree", node))
        client.input(topic).publish(read_clouds(make_bag(1))[0])
        client.until(lambda: heard, f"{node} does not answer")
        return client.counts()
    finally:
        client.close()


def wall(size):
    """Points on a wall, 48 bytes each as an Ouster's, in a cloud of about `size` bytes."""
    import numpy
    points = numpy.zeros((size // 48 // 128 * 128, 12), "<f4")
    points[:, 0], points[:, 1] = 10.0, numpy.linspace(-20.0, 20.0, len(points))
    points[:, 2] = numpy.tile(numpy.linspace(-1.5, 2.0, 128), len(points) // 128)
    cloud = make_cloud([[0.0, 0.0, 0.0]])
    cloud.width, cloud.point_step, cloud.row_step, cloud.data = len(points), 48, points.nbytes, points.tobytes()
    return cloud


def arrivals_of(node, topic, size, reliable):
    """How many of CLOUDS large clouds at RATE come over the wire, whether the node could take them in time or not."""
    cloud = wall(size)
    client = Client(int(os.environ["ROS_DOMAIN_ID"]), node)
    try:
        publisher = client.input(topic, reliable)
        begin = time.monotonic()
        for number in range(CLOUDS):
            cloud.header.stamp.sec = number
            client.spin(begin + number / RATE - time.monotonic())
            publisher.publish(cloud)
        end, arrived = time.monotonic() + PATIENCE, 0
        while arrived < CLOUDS and time.monotonic() < end:  # a busy machine is late
            counts = client.counts(settled)
            arrived = counts["received"] + counts["lost"]
        return arrived
    finally:
        client.close()
