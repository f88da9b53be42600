# SPDX-License-Identifier: Apache-2.0
"""What the launch files give RViz, and when they end; a program of that name stands in for it."""

import os

import pytest

from launch_process import Launch
from ros_client import PATIENCE, read_clouds

FRAME = "os1_lidar"


@pytest.fixture
def opened(tmp_path, monkeypatch):
    """The file with the arguments of RViz, which stays open as long as that is there."""
    prefix, arguments = tmp_path / "prefix", tmp_path / "arguments"
    program = prefix / "lib/rviz2/rviz2"
    program.parent.mkdir(parents=True)
    program.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > {arguments}.new\nmv {arguments}.new {arguments}\n'
                       f"while [ -e {arguments} ]; do sleep 0.1; done\n")
    program.chmod(0o755)
    index = prefix / "share/ament_index/resource_index/packages"
    index.mkdir(parents=True)
    (index / "rviz2").touch()
    monkeypatch.setenv("AMENT_PREFIX_PATH", f"{prefix}:{os.environ['AMENT_PREFIX_PATH']}")
    yield arguments
    arguments.unlink(missing_ok=True)


def frame_given(arguments):
    given = arguments.read_text().splitlines()
    return given[given.index("-f") + 1]


def test_the_view_is_in_the_frame_of_the_first_cloud(models, street, opened):
    cloud = read_clouds(street)[0]
    cloud.header.frame_id = FRAME
    with Launch(model=models / "objects", name="front", rviz="true") as running:
        running.client.watched = "/front"
        publisher = running.client.input("/points")

        def shown():
            publisher.publish(cloud)
            running.client.spin(0.5)
            return opened.exists()

        running.client.until(shown, "RViz was not opened")
        assert frame_given(opened) == FRAME
        assert "/pointtree/output/markers:=/front/output/markers" in opened.read_text()


def test_a_frame_that_is_given_is_taken_at_once(models, opened):
    with Launch(model=models / "objects", rviz="true", fixed_frame="map") as running:
        running.client.until(opened.exists, "RViz was not opened")
        assert frame_given(opened) == "map"


def test_after_the_bag_rviz_stays_until_it_is_closed(models, street, opened, tmp_path):
    report = tmp_path / "report.json"
    with Launch("evaluate.launch.py", bag=street, model=models / "objects", rviz="true", report=report) as running:
        running.client.until(report.exists, "the bag does not end", 2 * PATIENCE)
        running.client.spin(3.0)
        assert running.process.poll() is None and frame_given(opened) == read_clouds(street)[0].header.frame_id
        opened.unlink()
        running.client.until(lambda: running.process.poll() is not None, "the launch does not end with RViz")
    assert running.process.returncode == 0, running.text
