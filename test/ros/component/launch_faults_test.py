# SPDX-License-Identifier: Apache-2.0
"""What the launch files do when something is wrong: they say it and fail."""

import os
import signal
import subprocess
import time

import pytest

from ros_client import PATIENCE, PROGRAM, Client, next_domain


def environment(domain):
    return {**os.environ, "ROS_DOMAIN_ID": str(domain)}


def launch(file, **arguments):
    """Exit code and everything that was said."""
    done = subprocess.run(["ros2", "launch", "pointtree", file, *(f"{key}:={value}" for key, value in arguments.items())], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=2 * PATIENCE, env=environment(next_domain()))
    return done.returncode, done.stdout


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


def test_evaluate_fails_when_clouds_are_lost(models, street, tmp_path):
    deaf = parameters(tmp_path, "input_qos: {durability: transient_local}")
    code, text = launch("evaluate.launch.py", bag=street, model=models / "objects", params_file=deaf)
    assert code != 0 and "the bag has 4 clouds, the node received 0" in text, text


def test_a_parameter_file_for_another_node_is_refused(models, tmp_path):
    other = parameters(tmp_path, "seed: 2", "/other")
    code, text = launch("pointtree.launch.py", model=models / "objects", params_file=other)
    assert code != 0 and "has no ros__parameters for the node /pointtree" in text, text


class Launch:
    """A launch of pointtree.launch.py that goes on, and a client in its domain."""

    def __init__(self, **arguments):
        domain = next_domain()
        self.process = subprocess.Popen(
            ["ros2", "launch", "pointtree", "pointtree.launch.py", *(f"{key}:={value}" for key, value in arguments.items())],
            text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment(domain))
        self.client = Client(domain)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.client.close()
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        self.text = self.process.communicate(timeout=PATIENCE)[0]


def test_a_container_that_is_not_there_is_named(models):
    with Launch(model=models / "objects", container_name="/drivers") as running:
        time.sleep(10.0)
    assert "there is no container /drivers; waiting for it. Containers: none" in running.text, running.text


def test_the_file_decides_where_no_argument_is_given(models, tmp_path):
    file = parameters(tmp_path, f"model: {models / 'other'}\n    diagnostics: {{period: 0.2}}")
    with Launch(params_file=file) as running:
        assert running.client.counts()["model"] == "random_2"
    with Launch(params_file=file, model=models / "objects") as running:
        assert running.client.counts()["model"] == "random_1"


def test_a_container_that_died_comes_back_with_the_node(models):
    with Launch(model=models / "objects", use_respawn="true") as running:
        running.client.counts()
        container = subprocess.run(["pgrep", "-P", str(running.process.pid), "-f", "component_container"], text=True,
                                   capture_output=True, check=True).stdout.split()[0]
        os.kill(int(container), signal.SIGKILL)
        running.client.spin(1.0)
        running.client.counts()


@pytest.mark.parametrize("argument, code", [("--help", 0), ("--nonsense", 2)])
def test_the_node_explains_itself(argument, code):
    done = subprocess.run([PROGRAM, argument], text=True, capture_output=True, timeout=PATIENCE, env=environment(next_domain()))
    assert done.returncode == code and "Usage: pointtree_node" in done.stdout + done.stderr
