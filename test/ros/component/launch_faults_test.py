# SPDX-License-Identifier: Apache-2.0
"""What the launch files do when something is wrong: they say it and fail."""

import os
import re
import signal
import subprocess
import time

import pytest
from rcl_interfaces.msg import Parameter, ParameterType, ParameterValue
from rcl_interfaces.srv import GetParameters, SetParameters

from launch_process import Launch, command, environment
from ros_client import PATIENCE, PROGRAM, next_domain, read_clouds


def launch(file, **arguments):
    """Exit code and everything that was said."""
    process = subprocess.Popen(command(file, arguments), text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               env=environment(next_domain()))
    try:
        text = process.communicate(timeout=2 * PATIENCE)[0]
        return process.returncode, text
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGINT)  # killed, it would leave its container behind
        raise


def parameters(folder, text, node="/**"):
    file = folder / "params.yaml"
    file.write_text(f"{node}:\n  ros__parameters:\n    {text}\n")
    return file


def test_evaluate_names_the_bag_that_is_missing(models):
    code, text = launch("evaluate.launch.py", bag="/no/such/bag", model=models / "objects")
    assert code != 0 and "there is no bag /no/such/bag" in text, text


def test_evaluate_lists_the_topics_of_clouds_when_the_one_given_is_wrong(models, street):
    code, text = launch("evaluate.launch.py", bag=street, input_topic="/points", model=models / "objects")
    assert code != 0 and "/lidar/points (4 clouds)" in text, text


def test_evaluate_fails_on_a_wrong_model(street):
    code, text = launch("evaluate.launch.py", bag=street, model="/no/such/folder")
    assert code != 0 and "/no/such/folder" in text and "could not be loaded" in text, text


def test_a_launch_without_its_node_ends(models):
    code, text = launch("pointtree.launch.py", model="/no/such/folder")
    assert code != 0 and "/no/such/folder" in text and "could not be loaded" in text, text


def test_evaluate_fails_when_clouds_are_lost(models, street, tmp_path):
    deaf = parameters(tmp_path, "input_qos: {durability: transient_local}")
    code, text = launch("evaluate.launch.py", bag=street, model=models / "objects", params_file=deaf)
    assert code != 0 and "the bag has 4 clouds, the node received 0" in text, text


def test_a_parameter_file_for_another_node_is_refused(models, tmp_path):
    other = parameters(tmp_path, "seed: 2", "/other")
    code, text = launch("pointtree.launch.py", model=models / "objects", params_file=other)
    assert code != 0 and "has no ros__parameters for the node /pointtree" in text, text


def test_a_container_that_is_not_there_is_named(models):
    with Launch(model=models / "objects", container_name="/drivers") as running:
        time.sleep(20.0)
    assert "there is no container /drivers; waiting for it. Containers: none" in running.text, running.text


def test_the_file_decides_where_no_argument_is_given(models, tmp_path):
    file = parameters(tmp_path, f"model: {models / 'other'}\n    device: cpu\n    use_sim_time: true\n    diagnostics: {{period: 0.2}}")
    with Launch(params_file=file) as running:
        assert running.client.counts()["model"] == "random_2"
        request = GetParameters.Request(names=["device", "use_sim_time"])
        values = running.client.call(GetParameters, "/pointtree/get_parameters", request).values
        assert (values[0].string_value, values[1].bool_value) == ("cpu", True)
    with Launch(params_file=file, model=models / "objects") as running:
        assert running.client.counts()["model"] == "random_1"


def test_without_autostart_it_waits_to_be_resumed(models, street):
    with Launch(model=models / "objects", autostart="False") as running:
        client = running.client
        client.input("/points").publish(read_clouds(street)[0])
        client.counts(lambda counts: counts["dropped"] == 1)
        resumed = Parameter(name="paused", value=ParameterValue(type=ParameterType.PARAMETER_BOOL, bool_value=False))
        answer = client.call(SetParameters, "/pointtree/set_parameters", SetParameters.Request(parameters=[resumed]))
        assert answer.results[0].successful, answer.results[0].reason
        client.counts(lambda counts: counts["paused"] == "false")


def test_a_switch_is_true_or_false(models):
    code, text = launch("pointtree.launch.py", model=models / "objects", use_respawn="maybe")
    assert code != 0 and "maybe" in text, text


@pytest.mark.parametrize("file, arguments", [
    ("pointtree.launch.py", {"namespace", "name", "input_topic", "params_file", "model", "device", "use_sim_time", "autostart", "container_name",
                             "use_intra_process_comms", "use_respawn", "log_level", "large_clouds", "rviz", "fixed_frame"}),
    ("evaluate.launch.py", {"bag", "input_topic", "params_file", "model", "device", "rate", "loop", "record", "report", "rviz", "fixed_frame"})])
def test_the_arguments_of_launch_files_are_listed_with_their_meaning(file, arguments):
    listed = subprocess.run(["ros2", "launch", "pointtree", file, "--show-args"], text=True, capture_output=True, check=True).stdout
    described = dict(re.findall(r"'(\w+)':\n +(.+)", listed))
    assert set(described) == arguments and all(len(meaning) > 10 for meaning in described.values()), listed


def test_a_node_that_died_comes_back(models):
    with Launch(model=models / "objects", use_respawn="True") as running:
        running.client.counts()
        node = subprocess.run(["pgrep", "-P", str(running.process.pid), "-f", "pointtree_node"], text=True,
                              capture_output=True, check=True).stdout.split()[0]
        os.kill(int(node), signal.SIGKILL)
        running.client.spin(1.0)
        running.client.counts()


@pytest.mark.parametrize("argument, code", [("--help", 0), ("--nonsense", 2)])
def test_the_node_explains_itself(argument, code):
    done = subprocess.run([PROGRAM, argument], text=True, capture_output=True, timeout=PATIENCE, env=environment(next_domain()))
    assert done.returncode == code and "Usage: pointtree_node" in done.stdout + done.stderr
