# SPDX-License-Identifier: Apache-2.0
"""A container of components in a domain of its own."""

import contextlib
import os
import pathlib
import signal
import subprocess

from ament_index_python.packages import get_package_prefix
from composition_interfaces.srv import LoadNode, UnloadNode
from rcl_interfaces.msg import Parameter, ParameterType, ParameterValue

from ros_client import PATIENCE, Client, next_domain


def text_parameter(name, value):
    return Parameter(name=name, value=ParameterValue(type=ParameterType.PARAMETER_STRING, string_value=str(value)))


def number_parameter(name, value):
    return Parameter(name=name, value=ParameterValue(type=ParameterType.PARAMETER_DOUBLE, double_value=value))


class Container:
    def __init__(self, client, process):
        self.client = client
        self.process = process

    def load(self, model, name="pointtree", intra_process=False):
        """The number of the node, or the refusal's text."""
        request = LoadNode.Request(
            package_name="pointtree", plugin_name="pointtree::PointTreeNode", node_name=name,
            parameters=[text_parameter("model", model), number_parameter("diagnostics.period", 0.2),
                        number_parameter("min_confidence", 0.0)])
        request.extra_arguments = [Parameter(name="use_intra_process_comms", value=ParameterValue(
            type=ParameterType.PARAMETER_BOOL, bool_value=intra_process))]
        answer = self.client.call(LoadNode, "/ComponentManager/_container/load_node", request)
        return answer.unique_id if answer.success else answer.error_message

    def unload(self, number):
        answer = self.client.call(UnloadNode, "/ComponentManager/_container/unload_node", UnloadNode.Request(unique_id=number))
        assert answer.success, answer.error_message

    def status(self, key):
        """A figure of /proc/PID/status: VmRSS in kB, Threads."""
        for line in pathlib.Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith(key + ":"):
                return int(line.split()[1])
        raise KeyError(key)


@contextlib.contextmanager
def running_container(kind="component_container_mt", watched=None):
    domain = next_domain()
    program = f"{get_package_prefix('rclcpp_components')}/lib/rclcpp_components/{kind}"
    process = subprocess.Popen([program], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                               env={**os.environ, "ROS_DOMAIN_ID": str(domain)})
    client = Client(domain, watched)
    try:
        yield Container(client, process)
        assert process.poll() is None, f"the container ended by itself:\n{process.stdout.read()}"
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=PATIENCE) == 0, process.stdout.read()
    finally:
        client.close()
        if process.poll() is None:
            process.kill()
