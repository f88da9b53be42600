#!/usr/bin/env python3
"""Writes the seeds of the reader targets: small valid files of every kind, made without our own writers.

Usage: make_seeds.py CORPUS_FOLDER   (needs numpy, mcap, rosbags and safetensors)
"""

import io
import pathlib
import sqlite3
import struct
import sys
import tempfile

import mcap.writer
import numpy as np
from rosbags.typesys import Stores, get_typestore
from safetensors.numpy import save

CORPUS = pathlib.Path(sys.argv[1])
POINTS = np.arange(12, dtype="<f4").reshape(4, 3)


def put(target, name, content):
    folder = CORPUS / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())


def pcd():
    head = ("# .PCD v0.7\nVERSION 0.7\nFIELDS {}\nSIZE {}\nTYPE {}\nCOUNT {}\nWIDTH {}\nHEIGHT {}\n"
            "VIEWPOINT 0 0 0 1 0 0 0\nPOINTS {}\nDATA {}\n")
    xyz = ("x y z", "4 4 4", "F F F", "1 1 1")
    put("pcd", "ascii", head.format(*xyz, 4, 1, 4, "ascii") + "0 1 2\n3 4 5\nnan nan nan\n9 1e3 -2.5\n")
    put("pcd", "binary", head.format(*xyz, 2, 2, 4, "binary").encode() + POINTS.tobytes())
    plane = POINTS.T.tobytes()
    literal = b"".join(bytes([len(plane[i:i + 32]) - 1]) + plane[i:i + 32] for i in range(0, len(plane), 32))
    put("pcd", "compressed", head.format(*xyz, 4, 1, 4, "binary_compressed").encode()
        + struct.pack("<II", len(literal), len(plane)) + literal)
    # One zero, then a repeat of 47 bytes at distance 1.
    repeat = b"\x00\x00" + bytes([7 << 5, 47 - 9, 0])
    put("pcd", "repeat", head.format(*xyz, 4, 1, 4, "binary_compressed").encode()
        + struct.pack("<II", len(repeat), 48) + repeat)
    fields = ("label x y z rgba _", "4 8 8 8 4 1", "U F F F U U", "1 1 1 1 1 3")
    point = struct.pack("<IdddI3x", 7, 1.0, 2.0, 3.0, 0xFF8000)
    put("pcd", "fields", head.format(*fields, 1, 1, 1, "binary").encode() + point)


def ply():
    head = ("ply\nformat {} 1.0\ncomment a\nelement face 1\nproperty list uchar int vertex_indices\nelement vertex 2\n"
            "property float x\nproperty float y\nproperty double z\nproperty uchar red\nproperty uchar green\n"
            "property uchar blue\nproperty int label\nend_header\n")
    put("ply", "ascii", head.format("ascii") + "3 0 1 0\n0 1 2 255 0 0 5\n3 4 5 0 255 0 -1\n")
    for name, order in (("binary_little_endian", "<"), ("binary_big_endian", ">")):
        body = struct.pack(order + "B3i", 3, 0, 1, 0)
        body += struct.pack(order + "ffd3Bi", 0, 1, 2, 255, 0, 0, 5) + struct.pack(order + "ffd3Bi", 3, 4, 5, 0, 1, 2, -1)
        put("ply", name, head.format(name).encode() + body)


def npy():
    for name, array in (("f4", POINTS), ("f8_fortran", np.asfortranarray(POINTS.astype("f8"))), ("i2_big", POINTS.astype(">i2")),
                        ("four", np.zeros((3, 4), "f4")), ("none", np.zeros((0, 3), "f4"))):
        content = io.BytesIO()
        np.save(content, array)
        put("npy", name, content.getvalue())
    for name, save in (("stored", np.savez), ("deflated", np.savez_compressed)):
        content = io.BytesIO()
        save(content, points=POINTS, label=np.arange(4))
        put("npz", name, content.getvalue())


def text():
    put("text_cloud", "xyz", "# x y z\n1 2 3\n4 5 6\n")
    put("text_cloud", "pts", "2\n1 2 3 -50 1 2 3\n4,5;6 1e3 255 0 128\n")
    put("text_cloud", "colour", "// c\n1 2 3 255 0 7\r\n")


def messages():
    store = get_typestore(Stores.ROS2_JAZZY)
    kinds = store.types
    header = kinds["std_msgs/msg/Header"](kinds["builtin_interfaces/msg/Time"](1, 2), "lidar")
    fields = [kinds["sensor_msgs/msg/PointField"](name, 4 * i, 7, 1) for i, name in enumerate("xyz")]
    cloud = kinds["sensor_msgs/msg/PointCloud2"](header, 2, 2, fields, False, 12, 24,
                                                 np.frombuffer(POINTS.tobytes(), np.uint8), True)
    transform = kinds["geometry_msgs/msg/TransformStamped"](
        header, "base", kinds["geometry_msgs/msg/Transform"](kinds["geometry_msgs/msg/Vector3"](1, 2, 3),
                                                           kinds["geometry_msgs/msg/Quaternion"](0, 0, 0, 1)))
    tf = kinds["tf2_msgs/msg/TFMessage"]([transform, transform])
    for order in (True, False):
        name = "little" if order else "big"
        put("point_cloud2", name, bytes(store.serialize_cdr(cloud, "sensor_msgs/msg/PointCloud2", little_endian=order)))
        put("cdr", name, bytes(store.serialize_cdr(tf, "tf2_msgs/msg/TFMessage", little_endian=order)))


def write_mcap(**options):
    stream = io.BytesIO()
    writer = mcap.writer.Writer(stream, chunk_size=64, **options)
    writer.start(profile="ros2", library="seed")
    schema = writer.register_schema(name="std_msgs/msg/String", encoding="ros2msg", data=b"string data")
    channels = [writer.register_channel(topic=t, message_encoding="cdr", schema_id=schema) for t in ("/a", "/b")]
    for i in range(6):
        writer.add_message(channel_id=channels[i % 2], log_time=10 * i, publish_time=i, data=bytes([0, 1, 0, 0]) + b"x" * i)
    writer.add_attachment(1, 2, "name", "text/plain", b"attached")
    writer.add_metadata("meta", {"key": "value"})
    writer.finish()
    return stream.getvalue()


def mcaps():
    kind = mcap.writer.CompressionType
    for name, compression in (("none", kind.NONE), ("lz4", kind.LZ4), ("zstd", kind.ZSTD)):
        put("mcap", name, write_mcap(compression=compression))
    # Without checksums a changed byte gets past the door.
    open_door = write_mcap(compression=kind.NONE, enable_crcs=False, use_statistics=False)
    put("mcap", "no_crc", open_door)
    put("mcap", "cut", open_door[: len(open_door) // 2])
    put("mcap", "unchunked", write_mcap(compression=kind.NONE, use_chunking=False, enable_crcs=False))


def bags():
    with tempfile.TemporaryDirectory() as folder:
        for name, index in (("indexed", True), ("plain", False)):
            path = pathlib.Path(folder) / name
            base = sqlite3.connect(path)
            base.executescript(
                "PRAGMA page_size=512;"
                "CREATE TABLE topics(id INTEGER PRIMARY KEY, name TEXT, type TEXT, serialization_format TEXT, offered_qos_profiles TEXT);"
                "CREATE TABLE messages(id INTEGER PRIMARY KEY, topic_id INTEGER, timestamp INTEGER, data BLOB);"
                "INSERT INTO topics VALUES(1, '/a', 'std_msgs/msg/String', 'cdr', '');"
                + ("CREATE INDEX timestamp_idx ON messages(timestamp ASC);" if index else ""))
            base.executemany("INSERT INTO messages VALUES(?, 1, ?, ?)", [(i, 100 - i, bytes(90 * i)) for i in range(1, 9)])
            base.commit()
            base.close()
            content = path.read_bytes()
            put("sqlite_bag", name, content)
            put("sqlite_bag", name + "_cut", content[: len(content) * 2 // 3])
    head = "rosbag2_bagfile_information:\n  version: 5\n  storage_identifier: mcap\n"
    put("bag_metadata", "plain", head + "  relative_file_paths:\n    - a_0.mcap\n    - old/a_1.mcap\n  compression_mode: ''\n")
    put("bag_metadata", "packed", head + "  relative_file_paths: [a.db3.zstd]\n  compression_mode: FILE\n  compression_format: zstd\n")


def weights():
    put("safetensors", "two", save({"a.weight": POINTS, "a.bias": np.zeros(4, "f4")}, metadata={"format": "pt"}))
    put("safetensors", "kinds", save({"i8": np.zeros((2, 2), "i1"), "i64": np.zeros((), "i8"), "none": np.zeros((0, 3), "f2")}))
    put("safetensors", "empty", struct.pack("<Q", 2) + b"{}")


if __name__ == "__main__":
    for make in (pcd, ply, npy, text, messages, mcaps, bags, weights):
        make()
