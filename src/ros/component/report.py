#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lets a paused bag player begin once node and listeners are there and, on SIGINT, prints what the node made of the clouds it got."""

import argparse
import collections
import json
import signal
import sys
import time

import rclpy
from diagnostic_msgs.msg import DiagnosticArray
from pointtree.msg import LabeledObjectArray
from rclpy.node import Node
from rclpy.signals import SignalHandlerOptions
from rosbag2_interfaces.srv import Resume
from sensor_msgs.msg import PointCloud2

COUNTS = ("received", "processed", "dropped", "rejected")
PATIENCE = 10.0  # seconds that the node has to finish its last cloud
SETTLING = 2.0  # seconds in which player and node find each other


class Report(Node):
    def __init__(self, name):
        super().__init__("report")
        self.status = f"{name}: perception"
        self.figures = {}
        self.heard = time.monotonic()
        self.objects = collections.Counter()
        self.player = self.create_client(Resume, "/rosbag2_player/resume")
        self.create_subscription(DiagnosticArray, "/diagnostics", self.take_diagnostics, 10)
        self.listened = self.create_subscription(LabeledObjectArray, f"{name}/output/objects", self.take_objects, 50)
        self.create_subscription(PointCloud2, f"{name}/output/segmentation", lambda cloud: None, 5)

    def take_diagnostics(self, array):
        for status in array.status:
            if status.name == self.status:
                self.figures = {entry.key: entry.value for entry in status.values}
                self.heard = time.monotonic()

    def take_objects(self, array):
        self.objects.update(found.class_name for found in array.objects if found.classified)

    def ready(self, topic, listeners):
        return (self.figures and self.count_subscribers(self.listened.topic_name) >= listeners
                and self.count_publishers(topic) > 0 and self.player.service_is_ready())

    def settled(self):
        count = {name: int(self.figures[name]) for name in COUNTS}
        return count["received"] == count["processed"] + count["dropped"] + count["rejected"]

    def fault(self, expected):
        """What went wrong, or nothing."""
        if not self.figures:
            return "the node was never heard"
        received, lost = (int(self.figures[name]) for name in ("received", "lost"))
        if expected is not None and received != expected:
            return f"the bag has {expected} clouds, the node received {received} and knows of {lost} that were lost"
        return "" if self.settled() else "the node did not finish its last cloud"

    def text(self):
        lines = [f"{key}: {value}" for key, value in self.figures.items() if key != "paused"]
        lines += [f"objects of class {name}: {count}" for name, count in self.objects.most_common()]
        return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--node", default="/pointtree", help="full name of the node")
    parser.add_argument("--input", default="/points", help="topic of the clouds")
    parser.add_argument("--expected", type=int, help="how many clouds the node must have received")
    parser.add_argument("--listeners", type=int, default=1, help="how many listen to the objects, this among them, before it is ready")
    parser.add_argument("--output", help="also write the report as JSON")
    arguments = parser.parse_args(rclpy.utilities.remove_ros_args(sys.argv)[1:])
    rclpy.init(signal_handler_options=SignalHandlerOptions.NO)
    stop = []  # when SIGINT came; a second signal ends it at once
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.append(time.monotonic()))
    report = Report(arguments.node)
    ready = None  # since when
    while not stop:
        rclpy.spin_once(report, timeout_sec=0.1)
        if ready is None and report.ready(arguments.input, arguments.listeners):
            ready = time.monotonic()
        if ready and time.monotonic() > ready + SETTLING:
            report.player.call_async(Resume.Request())
            ready = float("inf")
    # A figure may be older than the last cloud, so it takes two reports after the end.
    def done():
        return len(stop) > 1 or not report.figures or (report.settled() and report.heard > stop[0] + 2.0)

    while time.monotonic() < stop[0] + PATIENCE and not done():
        rclpy.spin_once(report, timeout_sec=0.1)
    print(report.text(), flush=True)
    fault = report.fault(arguments.expected)
    if fault:
        print(fault, file=sys.stderr, flush=True)
    if arguments.output:
        with open(arguments.output, "w") as file:
            json.dump({**report.figures, "objects": report.objects}, file, indent=1)
    return 1 if fault else 0


if __name__ == "__main__":
    sys.exit(main())
