# SPDX-License-Identifier: Apache-2.0
"""launch/pointtree.launch.py with a container of its own and every argument given."""

import unittest

import launch_testing.asserts
from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import IncludeLaunchDescription
from launch_testing.actions import ReadyToTest

from launched import FOLDER, assert_answers, make_model

LAUNCH = get_package_share_directory("pointtree") + "/launch/pointtree.launch.py"


def generate_test_description():
    params = FOLDER / "params.yaml"
    params.write_text("/**:\n  ros__parameters:\n    diagnostics: {period: 0.2}\n    min_confidence: 0.125\n")
    arguments = {"namespace": "/truck", "name": "front", "input_topic": "/lidar/points", "model": make_model(), "device": "cpu",
                 "params_file": str(params), "use_sim_time": "false", "log_level": "debug"}
    return LaunchDescription([IncludeLaunchDescription(LAUNCH, launch_arguments=arguments.items()), ReadyToTest()])


class NodeIsThere(unittest.TestCase):
    def test_it_answers(self):
        counts = assert_answers("/truck/front", "/lidar/points")
        self.assertEqual(counts["model"], "random_1")


@launch_testing.post_shutdown_test()
class AfterSigint(unittest.TestCase):
    def test_it_ends_cleanly(self, proc_info):
        launch_testing.asserts.assertExitCodes(proc_info)
