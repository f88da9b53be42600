# SPDX-License-Identifier: Apache-2.0
"""Plays a bag into the node, prints what came of it, and ends; fails where clouds of the bag did not reach the node.

ros2 launch pointtree evaluate.launch.py bag:=my_bag input_topic:=/lidar/points
"""

import os
import signal

import rosbag2_py
from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import (DeclareLaunchArgument, EmitEvent, ExecuteProcess, IncludeLaunchDescription, LogInfo, OpaqueFunction,
                            RegisterEventHandler)
from launch.conditions import IfCondition
from launch.event_handlers import OnProcessExit
from launch.events import Shutdown, matches_action
from launch.events.process import SignalProcess
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node
from rclpy.serialization import deserialize_message
from sensor_msgs.msg import PointCloud2

SHARE = get_package_share_directory("pointtree")
ARGUMENTS = {
    "bag": (None, "the recording: a rosbag2 folder or file"),
    "input_topic": ("", "topic of the clouds in the bag; empty: the only one"),
    "model": ("", "folder of a model bundle, or the name of one that comes with the package; empty: as in params_file, or objects"),
    "device": ("", "auto, cpu or cuda:N; empty: as in params_file, or auto"),
    "params_file": ("", "file with parameters of the node; the arguments model and device win where given"),
    "rate": ("1.0", "times the bag's own rate"),
    "loop": ("false", "play the bag again and again, until the launch is ended"),
    "record": ("", "bag to record the results to, at the bag's time; empty: none"),
    "report": ("", "file for the report as JSON; empty: it is only printed"),
    "rviz": ("false", "look on in RViz; the launch then ends when RViz is closed"),
    "fixed_frame": ("", "RViz's fixed frame; empty: that of the bag's first cloud"),
}


def choose_topic(bag, wanted):
    """The topic of the clouds and their number; raises with what the bag has instead."""
    if not os.path.exists(bag):
        raise RuntimeError(f"there is no bag {bag}")
    topics = rosbag2_py.Info().read_metadata(bag, "").topics_with_message_count
    clouds = {topic.topic_metadata.name: topic.message_count for topic in topics
              if topic.topic_metadata.type == "sensor_msgs/msg/PointCloud2"}
    if wanted in clouds:
        return wanted, clouds[wanted]
    if not wanted and len(clouds) == 1:
        return next(iter(clouds.items()))
    found = ", ".join(f"{name} ({count} clouds)" for name, count in clouds.items()) or "none"
    raise RuntimeError(f"{bag} has no PointCloud2 on {wanted or 'one topic alone'}; topics of PointCloud2: {found}")


def first_frame(bag, topic):
    reader = rosbag2_py.SequentialReader()
    reader.open(rosbag2_py.StorageOptions(uri=bag, storage_id=""), rosbag2_py.ConverterOptions("", ""))
    reader.set_filter(rosbag2_py.StorageFilter(topics=[topic]))
    return deserialize_message(reader.read_next()[1], PointCloud2).header.frame_id


def start(context):
    value = {name: LaunchConfiguration(name).perform(context) for name in ARGUMENTS}
    topic, clouds = choose_topic(value["bag"], value["input_topic"])
    looping, shown = (IfCondition(value[name]).evaluate(context) for name in ("loop", "rviz"))
    node = IncludeLaunchDescription(
        PythonLaunchDescriptionSource(f"{SHARE}/launch/pointtree.launch.py"),
        launch_arguments={**{name: value[name] for name in ("model", "device", "params_file")},
                          "input_topic": topic, "use_sim_time": "true", "rviz": "false"}.items())
    # The node's results are only computed for those who listen, so the report also decides what is measured. It lets the
    # player begin once all are there; until then the player gives the time, which the recorder waits for.
    report = Node(package="pointtree", executable="report", name="pointtree_report", output="screen",
                  arguments=["--input", topic, "--listeners", "2" if value["record"] else "1",
                             *([] if looping else ["--expected", str(clouds)]),
                             *(["--output", value["report"]] if value["report"] else [])])
    play = ExecuteProcess(cmd=["ros2", "bag", "play", value["bag"], "--clock", "100", "--rate", value["rate"], "--start-paused",
                               "--wait-for-all-acked", "10000", "--disable-keyboard-controls", *(["--loop"] if looping else []),
                               "--topics", topic, "/tf", "/tf_static"], output="screen")
    actions = [node, report, play]
    if value["record"]:
        actions.append(ExecuteProcess(cmd=["ros2", "bag", "record", "--storage", "mcap", "--use-sim-time", "--output", value["record"],
                                           "--regex", "/pointtree/output/.*"], output="screen"))
    end = EmitEvent(event=Shutdown(reason="the evaluation has ended"))
    if shown:
        actions.append(Node(package="rviz2", executable="rviz2", parameters=[{"use_sim_time": True}], on_exit=[end],
                            arguments=["-d", f"{SHARE}/rviz/pointtree.rviz", "-f", value["fixed_frame"] or first_frame(value["bag"], topic)]))

    def played(event, context):
        if event.returncode and not context.is_shutdown:
            raise RuntimeError(f"ros2 bag play ended with code {event.returncode}")
        return [EmitEvent(event=SignalProcess(signal_number=signal.SIGINT, process_matcher=matches_action(report)))]

    def reported(event, context):
        if event.returncode and not context.is_shutdown:
            raise RuntimeError("the evaluation failed; the report says why")
        return [LogInfo(msg="the bag has ended; close RViz to end")] if shown else [end]

    return [*actions, RegisterEventHandler(OnProcessExit(target_action=play, on_exit=played)),
            RegisterEventHandler(OnProcessExit(target_action=report, on_exit=reported))]


def generate_launch_description():
    return LaunchDescription([
        *(DeclareLaunchArgument(name, default_value=default, description=meaning)
          for name, (default, meaning) in ARGUMENTS.items()),
        OpaqueFunction(function=start)])
