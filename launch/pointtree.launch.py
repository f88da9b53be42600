# SPDX-License-Identifier: Apache-2.0
"""Starts the node beside a lidar driver: in a container of its own, or in one that runs already.

ros2 launch pointtree pointtree.launch.py input_topic:=/lidar/points model:=objects
"""

import os

from ament_index_python.packages import get_package_share_directory
from launch import Event, LaunchDescription
from launch.actions import (DeclareLaunchArgument, ExecuteProcess, LogInfo, OpaqueFunction, RegisterEventHandler, SetEnvironmentVariable,
                            TimerAction)
from launch.conditions import IfCondition
from launch.event_handler import EventHandler
from launch.event_handlers import OnProcessIO
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import ComposableNodeContainer, LoadComposableNodes, Node
from launch_ros.actions.load_composable_nodes import get_composable_node_load_request
from launch_ros.descriptions import ComposableNode, ParameterFile
from launch_ros.ros_adapters import get_ros_node
from launch_ros.utilities import get_node_name_count

SHARE = get_package_share_directory("pointtree")
ARGUMENTS = {
    "namespace": ("", "namespace of the node and of its own container"),
    "name": ("pointtree", "name of the node"),
    "input_topic": ("/points", "topic of the clouds (sensor_msgs/PointCloud2)"),
    "params_file": ("", "file with parameters of the node; the arguments model, device, use_sim_time and autostart win where given"),
    "model": ("", "folder of a model bundle, or the name of one that comes with the package; empty: as in params_file, or objects"),
    "device": ("", "auto, cpu or cuda:N; empty: as in params_file, or auto"),
    "use_sim_time": ("", "true: take the time from /clock; empty: as in params_file, or false"),
    "autostart": ("", "false: drop every cloud until the parameter paused is set to false; empty: as in params_file, or true"),
    "container_name": ("", "container to load the node into; empty: one of its own"),
    "use_intra_process_comms": ("true", "hand messages over within the container without copying them"),
    "use_respawn": ("false", "run the node as a process of its own, without a container, and start it again when it dies"),
    "log_level": ("info", "debug, info, warn, error or fatal; of the own container"),
    "large_clouds": ("false", "give the middleware the profiles in config/dds, for clouds larger than its buffers"),
    "rviz": ("false", "look on in RViz"),
    "fixed_frame": ("", "RViz's fixed frame; empty: that of the first cloud, with which RViz then starts"),
}
PATIENCE = 3.0  # seconds before a container that is not there is reported


class LoadFailed(Event):
    name = "pointtree.LoadFailed"


class LoadOrEnd(LoadComposableNodes):
    """Ends the launch where the node can't be loaded; launch_ros only logs it."""

    def _load_node(self, request, context):
        super()._load_node(request, context)
        name = f"{request.node_namespace.rstrip('/')}/{request.node_name}"
        if not context.is_shutdown and get_node_name_count(context, name) == 0:
            context.asyncio_loop.call_soon_threadsafe(context.emit_event_sync, LoadFailed())


def report_missing(context, container):
    """Tells of a container that is waited for."""
    ros = get_ros_node(context)
    # Asked of each node, since the graph's services have this launch's own client among them.
    present = [f"{space.rstrip('/')}/{name}" for name, space in ros.get_node_names_and_namespaces()
               if any(service.endswith("/_container/load_node") for service, _ in ros.get_service_names_and_types_by_node(name, space))]
    if "/" + container.lstrip("/") in present:
        return []
    return [LogInfo(msg=f"there is no container {container}; waiting for it. Containers: {', '.join(present) or 'none'}")]


def refuse(context):
    raise RuntimeError("the node could not be loaded; the reason is above")


def large_cloud_profiles():
    cyclone = ",".join(filter(None, (os.environ.get("CYCLONEDDS_URI"), f"file://{SHARE}/config/dds/cyclonedds.xml")))
    fast = {name: os.environ.get(name, f"{SHARE}/config/dds/fastdds.xml")
            for name in ("FASTRTPS_DEFAULT_PROFILES_FILE", "FASTDDS_DEFAULT_PROFILES_FILE")}  # of Fast DDS 2 and 3
    return [SetEnvironmentVariable(name, value) for name, value in {"CYCLONEDDS_URI": cyclone, **fast}.items()]


def rviz(outputs, fixed_frame, use_sim_time):
    def shown(frame):
        return Node(package="rviz2", executable="rviz2", arguments=["-d", f"{SHARE}/rviz/pointtree.rviz", "-f", frame],
                    remappings=[(f"/pointtree/output/{name}", f"{outputs}/{name}") for name in ("visualization", "segmentation", "markers")],
                    parameters=[{"use_sim_time": use_sim_time}])

    if fixed_frame:
        return [shown(fixed_frame)]
    first = ExecuteProcess(cmd=["ros2", "topic", "echo", "--once", "--no-lost-messages", "--field", "header.frame_id",
                                f"{outputs}/visualization", "sensor_msgs/msg/PointCloud2"])
    frames = []

    def when_seen(event):
        frames.append(event.text.decode().split("\n")[0])
        return [shown(frames[0])] if len(frames) == 1 else []

    return [first, RegisterEventHandler(OnProcessIO(target_action=first, on_stdout=when_seen))]


def start(context):
    value = {name: LaunchConfiguration(name).perform(context) for name in ARGUMENTS}

    def on(name):
        return IfCondition(value[name]).evaluate(context)

    def node(**parameters):
        return ComposableNode(
            package="pointtree", plugin="pointtree::PointTreeNode", name=value["name"], namespace=value["namespace"],
            remappings=[("~/input/pointcloud", value["input_topic"])],
            extra_arguments=[{"use_intra_process_comms": on("use_intra_process_comms")}], **parameters)

    files = [ParameterFile(value["params_file"], allow_substs=True)] if value["params_file"] else []
    if files and not get_composable_node_load_request(node(parameters=files), context).parameters:
        raise RuntimeError(f"{value['params_file']} has no ros__parameters for the node "
                           f"{value['namespace'].rstrip('/')}/{value['name']}")
    given = {name: value[name] for name in ("model", "device") if value[name]}
    if value["use_sim_time"]:
        given["use_sim_time"] = on("use_sim_time")
    if value["autostart"]:
        given["paused"] = not on("autostart")
    parameters = [*files, *([given] if given else [])]

    def load(container):
        return LoadOrEnd(target_container=container, composable_node_descriptions=[node(parameters=parameters)])

    actions = [RegisterEventHandler(EventHandler(matcher=lambda event: isinstance(event, LoadFailed),
                                                 entities=[OpaqueFunction(function=refuse)]))]
    if on("large_clouds"):
        actions += large_cloud_profiles()
    if on("rviz"):
        actions += rviz(f"{value['namespace'].rstrip('/')}/{value['name']}/output", value["fixed_frame"], given.get("use_sim_time", False))
    if value["container_name"]:
        check = OpaqueFunction(function=report_missing, args=[value["container_name"]])
        return [*actions, load(value["container_name"]), TimerAction(period=PATIENCE, actions=[check])]
    ros_arguments = ["--log-level", value["log_level"]]
    if on("use_respawn"):
        return [*actions, Node(package="pointtree", executable="pointtree_node", name=value["name"], namespace=value["namespace"],
                               parameters=parameters, remappings=[("~/input/pointcloud", value["input_topic"])], output="screen",
                               ros_arguments=ros_arguments, respawn=True, respawn_delay=2.0)]
    container = ComposableNodeContainer(
        package="rclcpp_components", executable="component_container_mt", name=value["name"] + "_container",
        namespace=value["namespace"], output="screen", ros_arguments=ros_arguments)
    return [*actions, container, load(container)]


def generate_launch_description():
    return LaunchDescription([
        *(DeclareLaunchArgument(name, default_value=default, description=meaning)
          for name, (default, meaning) in ARGUMENTS.items()),
        OpaqueFunction(function=start)])
