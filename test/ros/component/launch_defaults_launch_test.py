# SPDX-License-Identifier: Apache-2.0
"""launch/pointtree.launch.py with nothing but the clouds' topic: the model of the package starts, and large clouds come whole."""

import os
import time
import unittest

import launch_testing.asserts
from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import IncludeLaunchDescription
from launch_testing.actions import ReadyToTest

from launched import assert_answers
from ros_client import Client, make_cloud, settled

LAUNCH = get_package_share_directory("pointtree") + "/launch/pointtree.launch.py"
TOPIC = "/lidar/points"
CLOUDS, RATE = 40, 10.0


def generate_test_description():
    return LaunchDescription([IncludeLaunchDescription(LAUNCH, launch_arguments={"input_topic": TOPIC}.items()), ReadyToTest()])


def ouster_cloud():
    """Points on a wall in the layout and size of an Ouster OS1-128's: 131,072 points of 48 bytes, 6.3 MB."""
    import numpy
    points = numpy.zeros((128 * 1024, 12), "<f4")
    points[:, 0], points[:, 1] = 10.0, numpy.linspace(-20.0, 20.0, len(points))
    points[:, 2] = numpy.tile(numpy.linspace(-1.5, 2.0, 128), 1024)
    cloud = make_cloud([[0.0, 0.0, 0.0]])
    cloud.width, cloud.point_step, cloud.row_step, cloud.data = len(points), 48, points.nbytes, points.tobytes()
    return cloud


class NodeIsThere(unittest.TestCase):
    def test_it_answers(self):
        counts = assert_answers("/pointtree", TOPIC)
        self.assertEqual(counts["model"], "objects")

    def test_large_clouds_come_whole(self):
        cloud = ouster_cloud()
        self.assertGreater(len(cloud.data), 6.2e6)
        client = Client(int(os.environ["ROS_DOMAIN_ID"]), "/pointtree")
        try:
            publisher = client.input(TOPIC)
            begin = time.monotonic()
            for number in range(CLOUDS):
                cloud.header.stamp.sec = number
                client.spin(begin + number / RATE - time.monotonic())
                publisher.publish(cloud)
            counts = client.counts(lambda counts: counts["received"] == CLOUDS and settled(counts))
            self.assertEqual(counts["rejected"], 0)
        finally:
            client.close()


@launch_testing.post_shutdown_test()
class AfterSigint(unittest.TestCase):
    def test_it_ends_cleanly(self, proc_info):
        launch_testing.asserts.assertExitCodes(proc_info)
