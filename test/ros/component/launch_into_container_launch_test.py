# SPDX-License-Identifier: Apache-2.0
"""launch/pointtree.launch.py loading the node into a container that runs already."""

import unittest

import launch_testing.asserts
from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import IncludeLaunchDescription
from launch_ros.actions import Node
from launch_testing.actions import ReadyToTest

from launched import assert_answers, make_model

LAUNCH = get_package_share_directory("pointtree") + "/launch/pointtree.launch.py"


def generate_test_description():
    arguments = {"container_name": "/drivers", "model": make_model(), "use_intra_process_comms": "true"}
    return LaunchDescription([
        Node(package="rclcpp_components", executable="component_container_mt", name="drivers"),
        IncludeLaunchDescription(LAUNCH, launch_arguments=arguments.items()),
        ReadyToTest()])


class NodeIsThere(unittest.TestCase):
    def test_it_answers_on_the_default_topic(self):
        assert_answers("/pointtree", "/points")


@launch_testing.post_shutdown_test()
class AfterSigint(unittest.TestCase):
    def test_the_container_ends_cleanly(self, proc_info):
        launch_testing.asserts.assertExitCodes(proc_info)
