# SPDX-License-Identifier: Apache-2.0
"""Plays a bag into the node, prints what came of it, and ends.

ros2 launch pointtree evaluate.launch.py bag:=my_bag input_topic:=/lidar/points
"""

import signal

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import (DeclareLaunchArgument, EmitEvent, ExecuteProcess, IncludeLaunchDescription, OpaqueFunction,
                            RegisterEventHandler)
from launch.event_handlers import OnProcessExit, OnProcessIO
from launch.events import Shutdown, matches_action
from launch.events.process import SignalProcess
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node

SHARE = get_package_share_directory("pointtree")
ARGUMENTS = {
    "bag": (None, "the recording: a rosbag2 folder or file"),
    "input_topic": ("/points", "topic of the clouds in the bag"),
    "model": ("objects", "folder of a model bundle, or the name of one that comes with the package"),
    "device": ("auto", "auto, cpu or cuda:N"),
    "params_file": (f"{SHARE}/config/launch.yaml", "further parameters"),
    "rate": ("1.0", "times the bag's own rate"),
    "record": ("", "bag to record the results to; empty: none"),
    "report": ("", "file for the report as JSON; empty: it is only printed"),
    "rviz": ("false", "look on in RViz"),
}


def start(context):
    value = {name: LaunchConfiguration(name).perform(context) for name in ARGUMENTS}
    node = IncludeLaunchDescription(
        PythonLaunchDescriptionSource(f"{SHARE}/launch/pointtree.launch.py"),
        launch_arguments={**{name: value[name] for name in ("input_topic", "model", "device", "params_file")},
                          "use_sim_time": "true"}.items())
    # The node's results are only computed for those who listen, so the report also decides what is measured.
    report = Node(package="pointtree", executable="report", name="pointtree_report", output="screen",
                  arguments=["--listeners", "2" if value["record"] else "1", *(["--output", value["report"]] if value["report"] else [])])
    # The delay lets player and node find each other before the first cloud; the last one is waited for.
    play = ExecuteProcess(cmd=["ros2", "bag", "play", value["bag"], "--clock", "100", "--rate", value["rate"],
                               "--delay", "2", "--wait-for-all-acked", "10000", "--disable-keyboard-controls",
                               "--topics", value["input_topic"], "/tf", "/tf_static"], output="screen")
    actions = [node, report]
    if value["record"]:
        actions.append(ExecuteProcess(cmd=["ros2", "bag", "record", "--storage", "mcap", "--output", value["record"],
                                           "--regex", "/pointtree/output/.*"], output="screen"))
    if value["rviz"] == "true":
        actions.append(Node(package="rviz2", executable="rviz2", arguments=["-d", f"{SHARE}/rviz/pointtree.rviz"],
                            parameters=[{"use_sim_time": True}]))
    started = []

    def when_ready(event):
        if b"ready" in event.text and not started:
            started.append(True)
            return [play]
        return []

    finish = EmitEvent(event=SignalProcess(signal_number=signal.SIGINT, process_matcher=matches_action(report)))
    return [
        *actions,
        RegisterEventHandler(OnProcessIO(target_action=report, on_stdout=when_ready)),
        RegisterEventHandler(OnProcessExit(target_action=play, on_exit=[finish])),
        RegisterEventHandler(OnProcessExit(target_action=report, on_exit=[
            EmitEvent(event=Shutdown(reason="the bag has ended"))])),
    ]


def generate_launch_description():
    return LaunchDescription([
        *(DeclareLaunchArgument(name, default_value=default, description=meaning)
          for name, (default, meaning) in ARGUMENTS.items()),
        OpaqueFunction(function=start)])
