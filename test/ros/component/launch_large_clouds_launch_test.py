# SPDX-License-Identifier: Apache-2.0
"""launch/pointtree.launch.py with large_clouds: best-effort clouds of megabytes come whole."""

import pathlib
import unittest

import launch_testing.asserts
from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import IncludeLaunchDescription
from launch_testing.actions import ReadyToTest

from launched import CLOUDS, FOLDER, make_model, arrivals_of

LAUNCH = get_package_share_directory("pointtree") + "/launch/pointtree.launch.py"
TOPIC = "/lidar/points"
KITTI = 124_000 * 16  # bytes of a scan
BUFFER = pathlib.Path("/proc/sys/net/core/rmem_max")


def generate_test_description():
    # Paused, so that the clouds' way is tested and not the pace of the machine.
    params = FOLDER / "paused.yaml"
    params.write_text("/**:\n  ros__parameters:\n    paused: true\n    diagnostics: {period: 0.2}\n")
    arguments = {"input_topic": TOPIC, "model": make_model(), "params_file": str(params), "large_clouds": "true"}
    return LaunchDescription([IncludeLaunchDescription(LAUNCH, launch_arguments=arguments.items()), ReadyToTest()])


class NodeIsThere(unittest.TestCase):
    @unittest.skipIf(int(BUFFER.read_text()) < 2 * KITTI, f"{BUFFER} is too small; docs/robot.md says how to raise it")
    def test_best_effort_clouds_come_whole(self):
        self.assertEqual(arrivals_of("/pointtree", TOPIC, KITTI, reliable=False), CLOUDS)


@launch_testing.post_shutdown_test()
class AfterSigint(unittest.TestCase):
    def test_it_ends_cleanly(self, proc_info):
        launch_testing.asserts.assertExitCodes(proc_info)
