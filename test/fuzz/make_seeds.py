#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
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
ROOT = pathlib.Path(__file__).resolve().parents[2]
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


def meshes():
    put("off_mesh", "pyramid", "OFF\n5 5 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n.5 .5 1e0\n4 0 1 2 3\n3 0 1 4\n3 1 2 4\n3 2 3 4\n3 3 0 4 255 0 0\n")
    put("off_mesh", "joined", "OFF3 1 0 # counts in the first line\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n")
    put("off_mesh", "line", "OFF\n2 1 0\n0 0 0\n1 0 0\n2 0 1\n")


def scans():
    put("kitti", "scan", np.arange(16, dtype="<f4").tobytes())
    put("kitti", "labels", np.array([40, 0x00030001, 0xFFFFFFFF], "<u4").tobytes())


def cloud_views():
    """A shape byte (byte order, number of fields), four sizes, the fields, the points."""
    def field(name, offset, kind, count=1):
        return struct.pack("<BIBI", name, offset, kind, count)
    xyz = field(0, 0, 7) + field(1, 4, 7) + field(2, 8, 7)
    put("cloud_view", "row", struct.pack("<B4I", 3, 1, 4, 12, 48) + xyz + POINTS.tobytes())
    put("cloud_view", "organised", struct.pack("<B4I", 4, 2, 2, 16, 40) + xyz + field(3, 12, 4) + bytes(80))
    put("cloud_view", "big", struct.pack("<B4I", 0x83, 1, 4, 12, 48) + xyz + POINTS.astype(">f4").tobytes())
    wide = field(0, 0, 8) + field(1, 8, 8) + field(2, 16, 8) + field(4, 24, 6)
    put("cloud_view", "double", struct.pack("<B4I", 4, 1, 2, 28, 56) + wide + bytes(56))
    put("cloud_view", "promises_2_32", struct.pack("<B4I", 3, 65536, 65536, 12, 65536 * 12) + xyz + POINTS.tobytes())
    put("cloud_view", "wraps", struct.pack("<B4I", 3, 1, 1, 12, 12) + field(0, 0xFFFFFFFC, 7) + field(1, 4, 7, 0x40000000) + xyz)


def arrays():
    """What is read, then per array: rank, extents, type, values; see hdf5_arrays.cpp."""
    def array(shape, kind, values):
        return bytes([len(shape), *shape, kind]) + values
    clouds = array([2, 3, 3], 0, np.arange(18, dtype="<f4").tobytes())
    put("hdf5_arrays", "classes", bytes([1]) + clouds + array([2, 1], 1, bytes([0, 2])))
    put("hdf5_arrays", "parts", bytes([2]) + clouds + bytes([0]) + array([2, 3], 1, bytes([0, 1, 0, 1, 1, 0])))
    put("hdf5_arrays", "normals", bytes([5]) + clouds + array([2], 6, bytes(8)) + bytes([0]) + array([2, 3, 3], 3, bytes(144)))
    put("hdf5_arrays", "huge", bytes([0, 3 | 0x40 | 0x14, 0xFF]) + struct.pack("<Q", 1 << 40) + bytes([3, 3, 0]))
    put("hdf5_arrays", "unwritten", bytes([0, 0x49 + 0x0A, 0xFF]) + struct.pack("<Q", 1 << 20) + bytes([8, 3, 0]))


def configs():
    for file in sorted((ROOT / "config").glob("*.yaml")):
        put("pipeline_config", file.stem, file.read_text())
    for file in sorted((ROOT / "config" / "train").glob("*.yaml")):
        put("train_config", file.stem, file.read_text())
    cycle = "a: &a {b: *a, c: [*a]}\n"
    bomb = "a: &a {x: 1, y: 2}\n" + "".join(f"{k}: &{k} {{x: *{j}, y: *{j}}}\n" for j, k in zip("abcdefgh", "bcdefghi"))
    for target in ("pipeline_config", "train_config", "manifest", "label_map"):
        put(target, "cycle", cycle)
        put(target, "bomb", bomb)
        put(target, "key_is_list", "? [1, 2]\n: 3\n")
        put(target, "deep", "[" * 600)
    put("pipeline_config", "odd_numbers", "seed: 2147483648\nvoxel_size: .inf\ncrop: {min_range: .nan, max_range: 1e400}\n")
    put("train_config", "odd_numbers", "optimizer: {learning_rate: .inf, epsilon: 1e-320}\nrun: {seed: 18446744073709551615}\n")
    put("train_config", "model_key", "model: {? [1] : 2}\ndata: {? {a: b} : c}\n")
    put("label_map", "list", "[car, person, road]\n")
    put("label_map", "numbers", "10: car\n40: road\n-1: tree\n")
    put("label_map", "twice", "1: car\n1: tree\n")
    model = ("format: pointtree-model\nversion: 1\nname: seed\nmodel: {{{}}}\nclasses:\n{}channels: []\nunits: metre\n"
             "training: {{data: none, terms: none}}\nscores:\n  - {{metric: accuracy, value: 0.5}}\n"
             "weights: {{precision: float32, bytes: 10, sha256: " + "0" * 64 + "}}\n")
    classes = "".join(f"  - {{name: c{i}, colour: [{i}, 2, 255]}}\n" for i in range(2))
    put("manifest", "def", model.format("classes: 2", classes))
    put("manifest", "rns", model.format("classes: 2, variant: rns, task: segmentation, blocks: 2", classes))
    widest = "classes: 2, points: 1048576, width: 16, leaf_width: 65536, max_width: 65536, leaf_hidden: 65536"
    put("manifest", "widest", model.format(widest, classes))


def floats():
    """Clouds as raw floats behind a choice of options."""
    random = np.random.default_rng(1)
    ball = random.normal(size=(16, 3)).astype("<f4")
    for name, choice, points in (("ball", 0b00011, ball), ("paper", 0b00010, ball), ("older", 0b10110, ball),
                                 ("plane", 0b01001, ball * [1, 1, 0]), ("line", 0b00011, ball * [0, 1e-20, 0]),
                                 ("one_place", 0b00011, ball * 0 + 7), ("far", 0b00010, ball * 1e-3 + 1e6),
                                 ("huge", 0b00001, ball * 1e38), ("tiny", 0b00011, ball * 1e-42),
                                 ("nan", 0b00000, ball * np.nan)):
        put("tree", name, bytes([choice]) + points.astype("<f4").tobytes())
    ground = np.stack([*(g.ravel() for g in np.meshgrid(np.linspace(-4, 4, 9), np.linspace(-4, 4, 9))), np.full(81, -1.8)], 1)
    post = np.stack([np.full(20, 3), np.full(20, 1), np.linspace(-1.5, 1, 20)], 1)
    scene = np.concatenate([ground, post]).astype("<f4").tobytes()
    for name, choice, points in (("objects", 0, scene), ("level", 2, scene), ("blocks", 1, scene), ("raw", 0b11100, scene), ("unit", 0b100000, scene),
                                 ("near_and_far", 4, np.array([[1e-7, 0, 0]] * 20 + [[79, 0, 0]] * 3, "<f4").tobytes())):
        put("pipeline", name, bytes([choice]) + struct.pack("<q", 10**9) + points)
    frame = post.astype("<f4")[:12].tobytes()
    back = np.full((244, 3), np.nan, "<f4").tobytes()
    put("pipeline", "clock_jumps", bytes([8]) + b"".join(struct.pack("<q", t) + frame + back for t in (2**63 - 1, -2**63, 2**63 - 1)))


if __name__ == "__main__":
    for make in (pcd, ply, npy, text, messages, mcaps, bags, weights, meshes, scans, cloud_views, arrays,
                 configs, floats):
        make()
