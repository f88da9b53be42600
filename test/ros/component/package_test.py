# SPDX-License-Identifier: Apache-2.0
"""The package as users of ROS 2 meet it: its programs, its component, its libraries, its configurations."""

import os
import pathlib
import subprocess

from ament_index_python.packages import get_package_prefix

from ros_client import next_domain

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
