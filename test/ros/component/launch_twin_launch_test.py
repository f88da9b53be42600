# SPDX-License-Identifier: Apache-2.0
"""launch/pointtree.launch.xml with nothing but the clouds' topic: the defaults start, with the model of the package."""

import unittest

import launch_testing.asserts
from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import IncludeLaunchDescription
from launch.launch_description_sources import AnyLaunchDescriptionSource
from launch_testing.actions import ReadyToTest

from launched import assert_answers

LAUNCH = get_package_share_directory("pointtree") + "/launch/pointtree.launch.xml"


def generate_test_description():
    return LaunchDescription([
        IncludeLaunchDescription(AnyLaunchDescriptionSource(LAUNCH), launch_arguments={"input_topic": "/lidar/points"}.items()),
        ReadyToTest()])


class NodeIsThere(unittest.TestCase):
    def test_it_answers(self):
        counts = assert_answers("/pointtree", "/lidar/points")
        self.assertEqual(counts["model"], "objects")


@launch_testing.post_shutdown_test()
class AfterSigint(unittest.TestCase):
    def test_it_ends_cleanly(self, proc_info):
        launch_testing.asserts.assertExitCodes(proc_info)
