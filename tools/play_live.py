# SPDX-License-Identifier: Apache-2.0
"""Plays the clouds of an MCAP bag to a running node at 10 Hz and prints the objects as they come back.

usage: play_live.py BAG
"""

import collections
import sys
import time

import rclpy
from mcap.reader import make_reader
from pointtree.msg import LabeledObjectArray
from rclpy.qos import QoSProfile
from rclpy.serialization import deserialize_message
from sensor_msgs.msg import PointCloud2

PERIOD = 0.1
PATIENCE = 30.0


def clouds(bag):
    with open(bag, "rb") as file:
        for schema, _, message in make_reader(file).iter_messages():
            if schema.name == "sensor_msgs/msg/PointCloud2":
                yield deserialize_message(message.data, PointCloud2)


def show(message):
    counted = collections.Counter(each.class_name for each in message.objects)
    stamp = message.header.stamp
    names = ", ".join(f"{count} {name}" for name, count in counted.most_common())
    print(f"  cloud at {stamp.sec}.{stamp.nanosec:09d} s: {len(message.objects)} objects: {names}")


def main():
    rclpy.init()
    node = rclpy.create_node("player")
    heard = []
    node.create_subscription(LabeledObjectArray, "/pointtree/output/objects", lambda m: (heard.append(m), show(m)), 10)
    publisher = node.create_publisher(PointCloud2, "/pointtree/input/pointcloud", QoSProfile(depth=5))
    end = time.monotonic() + PATIENCE
    while publisher.get_subscription_count() == 0 and time.monotonic() < end:
        rclpy.spin_once(node, timeout_sec=0.1)
    sent = 0
    for cloud in clouds(sys.argv[1]):
        publisher.publish(cloud)
        sent += 1
        next_cloud = time.monotonic() + PERIOD
        while time.monotonic() < next_cloud:
            rclpy.spin_once(node, timeout_sec=0.01)
    last = time.monotonic() + 2.0
    while len(heard) < sent and time.monotonic() < last:
        rclpy.spin_once(node, timeout_sec=0.1)
    print(f"{sent} clouds played, {len(heard)} answered")
    rclpy.shutdown()
    return 0 if heard else 1


sys.exit(main())
