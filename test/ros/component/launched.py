# SPDX-License-Identifier: Apache-2.0
"""What the tests of launch files share: a bag, small models, and the check that the node answers."""

import os
import pathlib
import subprocess
import tempfile

from ros_client import BIN, POINTTREE, SEGMENTATION, Client, read_clouds

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
