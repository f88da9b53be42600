# SPDX-License-Identifier: Apache-2.0
"""A launch file in a domain of its own."""

import os
import signal
import subprocess

from ros_client import PATIENCE, Client, next_domain


def environment(domain):
    return {**os.environ, "ROS_DOMAIN_ID": str(domain)}


def command(file, arguments):
    return ["ros2", "launch", "pointtree", file, *(f"{key}:={value}" for key, value in arguments.items())]


class Launch:
    """A launch that goes on, and a client in its domain; what the launch said is its `text` in the end."""

    def __init__(self, file="pointtree.launch.py", **arguments):
        domain = next_domain()
        self.process = subprocess.Popen(command(file, arguments), text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                        env=environment(domain))
        self.client = Client(domain)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.client.close()
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        self.text = self.process.communicate(timeout=PATIENCE)[0]
