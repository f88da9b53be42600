# SPDX-License-Identifier: Apache-2.0
"""Bags of one topic, read and written by rosbag2."""

import rosbag2_py


def opened(kind, bag):
    bag_of = kind()
    bag_of.open(rosbag2_py.StorageOptions(uri=str(bag), storage_id="mcap"), rosbag2_py.ConverterOptions("cdr", "cdr"))
    return bag_of


def read_bag(bag, name):
    """The topic of that name and its messages, each its bytes and time."""
    reader = opened(rosbag2_py.SequentialReader, bag)
    reader.set_filter(rosbag2_py.StorageFilter(topics=[name]))
    messages = []
    while reader.has_next():
        messages.append(reader.read_next()[1:])
    return next(topic for topic in reader.get_all_topics_and_types() if topic.name == name), messages


def write_bag(bag, topic, messages):
    writer = opened(rosbag2_py.SequentialWriter, bag)
    writer.create_topic(topic)
    for data, time in messages:
        writer.write(topic.name, data, time)
