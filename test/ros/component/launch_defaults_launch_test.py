# SPDX-License-Identifier: Apache-2.0
"""launch/pointtree.launch.py with nothing but the clouds' topic: the model of the package starts, and large clouds come whole."""

import unittest

import launch_testing.asserts
from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import IncludeLaunchDescription
from launch_testing.actions import ReadyToTest

from launched import CLOUDS, assert_answers, arrivals_of

LAUNCH = get_package_share_directory("pointtree") + "/launch/pointtree.launch.py"
TOPIC = "/lidar/points"
OUSTER = 128 * 1024 * 48  # bytes of an OS1-128's cloud


def generate_test_description():
    return LaunchDescription([IncludeLaunchDescription(LAUNCH, launch_arguments={"input_topic": TOPIC}.items()), ReadyToTest()])


class NodeIsThere(unittest.TestCase):
    def test_it_answers(self):
        counts = assert_answers("/pointtree", TOPIC)
        self.assertEqual(counts["model"], "objects")

    def test_large_clouds_come_whole(self):
        self.assertEqual(arrivals_of("/pointtree", TOPIC, OUSTER, reliable=True), CLOUDS)


@launch_testing.post_shutdown_test()
class AfterSigint(unittest.TestCase):
    def test_it_ends_cleanly(self, proc_info):
        launch_testing.asserts.assertExitCodes(proc_info)
