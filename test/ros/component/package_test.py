# SPDX-License-Identifier: Apache-2.0
"""The package as users of ROS 2 meet it: its programs, its component, its libraries, its configurations."""

import os
import pathlib
import subprocess

import rosbag2_py
from ament_index_python.packages import get_package_prefix

from bags import read_bag, write_bag
from ros_client import POINTTREE, SEGMENTATION, next_domain, read_clouds

SOURCE = pathlib.Path(os.environ["POINTTREE_SOURCE"])


def run(*command):
    done = subprocess.run([str(part) for part in command], text=True, capture_output=True,
                          env={**os.environ, "ROS_DOMAIN_ID": str(next_domain())})
    assert done.returncode == 0, f"{command}:\n{done.stdout}\n{done.stderr}"
    return done.stdout


def test_ros2_run_reaches_the_program():
    declared = (SOURCE / "package.xml").read_text().split("<version>")[1].split("<")[0]
    assert run("ros2", "run", "pointtree", "pointtree", "--version").strip() == f"pointtree {declared}"


def test_ros2_knows_the_nodes_the_component_and_the_messages():
    programs = run("ros2", "pkg", "executables", "pointtree").split()
    assert {"pointtree", "pointtree_node", "pointtree_standalone_node"} <= set(programs)
    assert "pointtree::PointTreeNode" in run("ros2", "component", "types")
    assert "LabeledObject[] objects" in run("ros2", "interface", "show", "pointtree/msg/LabeledObjectArray")


def test_another_package_has_the_node_in_its_own_process(models, tmp_path):
    run("cmake", "-S", SOURCE / "test/ros/component/consumer", "-B", tmp_path, "-G", "Ninja",
        f"-DCMAKE_PREFIX_PATH={get_package_prefix('pointtree')};{os.environ['AMENT_PREFIX_PATH'].replace(':', ';')}")
    run("cmake", "--build", tmp_path)
    assert "pointtree with 0 objects\n" in run(tmp_path / "consumer", "--ros-args", "-p", f"model:={models / 'objects'}")


def test_the_whole_package_configures_for_ros(tmp_path):
    """All rooms from the sources, as `colcon build` does it on a robot."""
    run("cmake", "-S", SOURCE, "-B", tmp_path, "-G", "Ninja", "-DPOINTTREE_ROS=AMENT", "-DPython3_EXECUTABLE=/usr/bin/python3",
        f"-DPOINTTREE_VENV={os.environ['POINTTREE_VENV']}", "-DPOINTTREE_CUDA=OFF")
    targets = run("ninja", "-C", tmp_path, "-t", "targets", "all")
    for wanted in ("lib/libpointtree_geometry.so", "lib/libpointtree_component.so", "bin/pointtree", "bin/pointtree_node"):
        assert f"\n{wanted}: " in targets


def test_replay_goes_to_the_last_cloud_though_rosbag2_noted_too_early_an_end(models, street, tmp_path):
    topic, messages = read_bag(street, "/lidar/points")
    write_bag(tmp_path / "bag", topic, [*messages[1:], messages[0]])  # as compression in several threads may do
    noted = rosbag2_py.Info().read_metadata(str(tmp_path / "bag"), "mcap")
    assert noted.starting_time.nanoseconds + noted.duration.nanoseconds < messages[-1][1]
    run(POINTTREE, "replay", tmp_path / "bag", "--model", models / "objects", "--labels", "none", "--output", tmp_path / "labelled.mcap")
    assert len(read_clouds(tmp_path / "labelled.mcap", SEGMENTATION)) == len(messages) == 4
