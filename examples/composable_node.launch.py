# SPDX-License-Identifier: Apache-2.0
"""A launch file of one's own: the node in one container with a lidar driver, clouds handed over without a copy.

ros2 launch ./examples/composable_node.launch.py driver_package:=my_driver driver_plugin:=my_driver::Driver
Without a driver the container holds the node alone, which listens to `input_topic`.
"""

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, OpaqueFunction
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import ComposableNodeContainer
from launch_ros.descriptions import ComposableNode

ARGUMENTS = {
    "input_topic": ("/lidar/points", "topic of the driver's clouds (sensor_msgs/PointCloud2)"),
    "model": ("objects", "name of a model that comes with pointtree, or the folder of a bundle"),
    "driver_package": ("", "package of a lidar driver that is a component; empty: none"),
    "driver_plugin": ("", "class of that component, such as my_driver::Driver"),
}
SHARE_MEMORY = [{"use_intra_process_comms": True}]


def nodes(value):
    perception = ComposableNode(
        package="pointtree", plugin="pointtree::PointTreeNode", name="pointtree", namespace="front",
        parameters=[{"model": value["model"], "crop.max_range": 50.0, "threads": 2}],
        remappings=[("~/input/pointcloud", value["input_topic"])], extra_arguments=SHARE_MEMORY)
    if not value["driver_package"]:
        return [perception]
    driver = ComposableNode(package=value["driver_package"], plugin=value["driver_plugin"], name="driver",
                            extra_arguments=SHARE_MEMORY)
    return [driver, perception]


def start(context):
    value = {name: LaunchConfiguration(name).perform(context) for name in ARGUMENTS}
    return [ComposableNodeContainer(
        package="rclcpp_components", executable="component_container_mt", name="perception", namespace="front",
        composable_node_descriptions=nodes(value), output="screen")]


def generate_launch_description():
    return LaunchDescription([
        *(DeclareLaunchArgument(name, default_value=default, description=meaning)
          for name, (default, meaning) in ARGUMENTS.items()),
        OpaqueFunction(function=start)])
