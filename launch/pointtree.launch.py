# SPDX-License-Identifier: Apache-2.0
"""Starts the node beside a lidar driver: in a container of its own, or in one that runs already.

ros2 launch pointtree pointtree.launch.py input_topic:=/lidar/points model:=objects
"""

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, OpaqueFunction
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import ComposableNodeContainer, LoadComposableNodes
from launch_ros.descriptions import ComposableNode, ParameterFile

SHARE = get_package_share_directory("pointtree")
ARGUMENTS = {
    "namespace": ("", "namespace of the node and of its own container"),
    "name": ("pointtree", "name of the node"),
    "input_topic": ("/points", "topic of the clouds (sensor_msgs/PointCloud2)"),
    "model": ("objects", "folder of a model bundle, or the name of one that comes with the package"),
    "device": ("auto", "auto, cpu or cuda:N"),
    "params_file": (f"{SHARE}/config/launch.yaml", "further parameters; model and device above go before it"),
    "use_sim_time": ("false", "take the time from /clock"),
    "container_name": ("", "container to load the node into; empty: one of its own"),
    "use_intra_process_comms": ("true", "hand messages over within the container without copying them"),
    "log_level": ("info", "debug, info, warn, error or fatal; of the own container"),
}


def start(context):
    value = {name: LaunchConfiguration(name).perform(context) for name in ARGUMENTS}
    node = ComposableNode(
        package="pointtree", plugin="pointtree::PointTreeNode", name=value["name"], namespace=value["namespace"],
        parameters=[ParameterFile(value["params_file"], allow_substs=True),
                    {"model": value["model"], "device": value["device"], "use_sim_time": value["use_sim_time"] == "true"}],
        remappings=[("~/input/pointcloud", value["input_topic"])],
        extra_arguments=[{"use_intra_process_comms": value["use_intra_process_comms"] == "true"}])
    if value["container_name"]:
        return [LoadComposableNodes(target_container=value["container_name"], composable_node_descriptions=[node])]
    return [ComposableNodeContainer(
        package="rclcpp_components", executable="component_container_mt", name=value["name"] + "_container",
        namespace=value["namespace"], composable_node_descriptions=[node], output="screen",
        ros_arguments=["--log-level", value["log_level"]])]


def generate_launch_description():
    return LaunchDescription([
        *(DeclareLaunchArgument(name, default_value=default, description=meaning)
          for name, (default, meaning) in ARGUMENTS.items()),
        OpaqueFunction(function=start)])
