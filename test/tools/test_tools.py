# SPDX-License-Identifier: Apache-2.0
"""The scripts of tools/ count what went wrong and pass over what is not there."""

import os
import pathlib
import subprocess

import pytest

TOOLS = pathlib.Path(os.environ["POINTTREE_SOURCE"]) / "tools"
PASSED = '<testsuite><testcase classname="room" name="works"/></testsuite>'
FAILED = '<testsuite><testcase classname="room" name="breaks"><failure message="why"/></testcase></testsuite>'


def summary(folder, reports, *failed_steps):
    for name, report in reports.items():
        (folder / name).write_text(report)
    run = subprocess.run([TOOLS / "test_summary", folder, *failed_steps], capture_output=True, text=True)
    return run.returncode, run.stdout.splitlines()[-1]


@pytest.mark.parametrize("reports, failed_steps, code, line", [
    ({"room.xml": PASSED}, [], 0, "1 passed, 0 failed, 0 skipped"),
    ({"room.xml": PASSED, "other.xml": FAILED}, ["ctest"], 1, "1 passed, 1 failed, 0 skipped"),
    ({"room.xml": PASSED}, ["ros_test"], 1, "1 passed, 1 failed, 0 skipped"),
    ({}, [], 1, "0 passed, 0 failed, 0 skipped"),
])
def test_the_closing_line_agrees_with_the_exit_code(tmp_path, reports, failed_steps, code, line):
    assert summary(tmp_path, reports, *failed_steps) == (code, line)


def test_the_component_is_skipped_with_a_reason_where_there_is_no_ros(tmp_path):
    if pathlib.Path("/opt/ros").exists():
        pytest.skip("there is a /opt/ros")
    environment = {key: value for key, value in os.environ.items() if key != "AMENT_PREFIX_PATH"}
    subprocess.run([TOOLS / "ros_test", tmp_path, tmp_path], env=environment, check=True)
    report = (tmp_path / "ros_component.xml").read_text()
    assert report.count("<skipped message=") == report.count("<testcase") > 0
