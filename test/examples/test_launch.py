# SPDX-License-Identifier: Apache-2.0
"""The launch file of the examples compiles everywhere, and describes what it says where ROS 2's launch is installed."""

import importlib.util
import os
import pathlib
import py_compile

import pytest

FILE = pathlib.Path(os.environ["POINTTREE_SOURCE"]) / "examples" / "composable_node.launch.py"


def test_launch_file_compiles(tmp_path):
    py_compile.compile(str(FILE), cfile=str(tmp_path / "launch.pyc"), doraise=True)


def test_launch_file_describes_one_container_with_the_node():
    launch = pytest.importorskip("launch")
    pytest.importorskip("launch_ros")
    spec = importlib.util.spec_from_file_location("composable_node", FILE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    declared = [entity.name for entity in module.generate_launch_description().entities
                if isinstance(entity, launch.actions.DeclareLaunchArgument)]
    assert declared == list(module.ARGUMENTS)
    value = {name: default for name, (default, _) in module.ARGUMENTS.items()}
    assert len(module.nodes(value)) == 1
    assert len(module.nodes({**value, "driver_package": "my_driver", "driver_plugin": "my_driver::Driver"})) == 2
