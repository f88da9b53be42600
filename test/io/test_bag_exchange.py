# SPDX-License-Identifier: Apache-2.0
"""Bags are exchanged with the PyPI packages `mcap` and `rosbags`, message for message, in both directions."""

import os
import random
import subprocess
import zlib
from pathlib import Path

import pytest

mcap_reader = pytest.importorskip("mcap.reader")
mcap_writer = pytest.importorskip("mcap.writer")
mcap_stream = pytest.importorskip("mcap.stream_reader")
rosbag2 = pytest.importorskip("rosbags.rosbag2")
typesys = pytest.importorskip("rosbags.typesys")

TOOL = Path(os.environ["POINTTREE_BUILD"]) / "bin" / "bag_tool"
TYPES = {"/cloud": "sensor_msgs/msg/PointCloud2", "/tf": "tf2_msgs/msg/TFMessage", "/note": "std_msgs/msg/String"}


def dump(bag):
    """Messages as our reader gives them: (log time, topic, type, size, CRC)."""
    done = subprocess.run([TOOL, "dump", bag], capture_output=True, text=True, check=True)
    rows = (line.split("\t") for line in done.stdout.splitlines())
    return [(int(t), topic, kind, int(size), int(crc)) for t, _, topic, kind, size, crc in rows], done.stderr


def copy(source, target, compression):
    subprocess.run([TOOL, "copy", source, target, compression], check=True)


def row(time, topic, kind, data):
    return (time, topic, kind, len(data), zlib.crc32(data))


def messages(count=200, seed=1):
    """Seeded messages that are valid CDR as far as a bag is concerned: a header and bytes."""
    rng = random.Random(seed)
    topics = list(TYPES)
    return [
        (rng.choice(topics), 1_700_000_000_000_000_000 + i * 1000, b"\0\1\0\0" + rng.randbytes(8) * rng.randrange(1, 90))
        for i in range(count)
    ]


def rows_of(written):
    return [row(time, topic, TYPES[topic], data) for topic, time, data in written]


def write_with_mcap(path, written, compression="zstd", **options):
    with open(path, "wb") as stream:
        writer = mcap_writer.Writer(stream, compression=getattr(mcap_writer.CompressionType, compression.upper()),
                                    chunk_size=4096, **options)
        writer.start(profile="ros2", library="test")
        channels = {}
        for topic, kind in TYPES.items():
            schema = writer.register_schema(name=kind, encoding="ros2msg", data=b"")
            channels[topic] = writer.register_channel(topic=topic, message_encoding="cdr", schema_id=schema)
        for topic, time, data in written:
            writer.add_message(channel_id=channels[topic], log_time=time, publish_time=time, data=data)
        writer.finish()


def write_with_rosbags(path, written, storage, mode=None):
    store = typesys.get_typestore(typesys.Stores.ROS2_JAZZY)
    writer = rosbag2.Writer(path, version=8, storage_plugin=getattr(rosbag2.StoragePlugin, storage))
    if mode:
        writer.set_compression(getattr(rosbag2.CompressionMode, mode), rosbag2.CompressionFormat.ZSTD)
    with writer:
        connections = {topic: writer.add_connection(topic, kind, typestore=store) for topic, kind in TYPES.items()}
        for topic, time, data in written:
            writer.write(connections[topic], time, data)


def read_with_rosbags(path):
    with rosbag2.Reader(path) as reader:
        return [row(time, c.topic, c.msgtype, data) for c, time, data in reader.messages()]


def read_with_mcap(path, validate=True):
    with open(path, "rb") as stream:
        reader = mcap_reader.make_reader(stream, validate_crcs=validate)
        return [row(m.log_time, c.topic, s.name, m.data) for s, c, m in reader.iter_messages()]


@pytest.mark.parametrize("compression", ["none", "lz4", "zstd"])
@pytest.mark.parametrize("options", [{}, {"use_chunking": False}, {"use_statistics": False, "use_summary_offsets": False},
                                     {"repeat_channels": False, "repeat_schemas": False}])
def test_we_read_what_mcap_writes(tmp_path, compression, options):
    written = messages()
    write_with_mcap(tmp_path / "bag.mcap", written, compression, **options)
    assert dump(tmp_path / "bag.mcap")[0] == rows_of(written)


@pytest.mark.parametrize("storage,mode", [("SQLITE3", None), ("SQLITE3", "FILE"), ("SQLITE3", "MESSAGE"),
                                          ("MCAP", None), ("MCAP", "MESSAGE"), ("MCAP", "FILE")])
def test_we_read_what_rosbags_writes(tmp_path, storage, mode):
    written = messages(seed=2)
    write_with_rosbags(tmp_path / "bag", written, storage, mode)
    found, report = dump(tmp_path / "bag")
    assert found == rows_of(written)
    assert "lost 0" in report


@pytest.mark.parametrize("compression", ["none", "lz4", "zstd"])
def test_mcap_reads_what_we_write(tmp_path, compression):
    written = messages(seed=3)
    write_with_mcap(tmp_path / "in.mcap", written)
    copy(tmp_path / "in.mcap", tmp_path / "out.mcap", compression)
    assert read_with_mcap(tmp_path / "out.mcap") == rows_of(written)

    with open(tmp_path / "out.mcap", "rb") as stream:
        summary = mcap_reader.make_reader(stream).get_summary()
        assert summary.statistics.message_count == len(written)
        assert summary.statistics.chunk_count == len(summary.chunk_indexes) > 0
        assert {c.topic for c in summary.channels.values()} == set(TYPES)
        # Every index entry points at the message it names.
        reader = mcap_reader.make_reader(stream)
        middle = written[100][1]
        late = [m.log_time for _, _, m in reader.iter_messages(topics=["/cloud"], starting_at=middle)]
        assert late == [time for topic, time, _ in written if topic == "/cloud" and time >= middle]


def test_every_checksum_we_write_is_right(tmp_path):
    written = messages(seed=4)
    write_with_mcap(tmp_path / "in.mcap", written)
    copy(tmp_path / "in.mcap", tmp_path / "out.mcap", "lz4")
    content = (tmp_path / "out.mcap").read_bytes()
    records = list(mcap_stream.StreamReader(tmp_path.joinpath("out.mcap").open("rb"), emit_chunks=True,
                                            validate_crcs=True).records)
    end = next(r for r in records if type(r).__name__ == "DataEnd")
    assert end.data_section_crc == zlib.crc32(content[: content.rindex(b"\x0f\x04\0\0\0\0\0\0\0")]) != 0
    footer = next(r for r in records if type(r).__name__ == "Footer")
    assert footer.summary_crc == zlib.crc32(content[footer.summary_start : len(content) - 8 - 4]) != 0
    assert all(r.uncompressed_crc for r in records if type(r).__name__ == "Chunk")


@pytest.mark.parametrize("compression", ["none", "lz4", "zstd"])
def test_rosbags_reads_what_we_write(tmp_path, compression):
    written = messages(seed=5)
    write_with_rosbags(tmp_path / "in", written, "SQLITE3")
    copy(tmp_path / "in", tmp_path / "file.mcap", compression)
    assert read_with_rosbags(tmp_path / "file.mcap") == rows_of(written)
    copy(tmp_path / "in", tmp_path / "folder", compression)
    assert read_with_rosbags(tmp_path / "folder") == rows_of(written)
    with rosbag2.Reader(tmp_path / "folder") as reader:
        assert reader.message_count == len(written)
        assert reader.start_time == written[0][1]


def test_our_definitions_decode_with_rosbags(tmp_path):
    """A definition that we put in describes the message well enough to decode one."""
    source = typesys.get_typestore(typesys.Stores.ROS2_JAZZY)
    header = source.types["std_msgs/msg/Header"](source.types["builtin_interfaces/msg/Time"](1, 2), "lidar")
    import numpy as np

    field = source.types["sensor_msgs/msg/PointField"]("x", 0, 7, 1)
    cloud = source.types["sensor_msgs/msg/PointCloud2"](header, 1, 2, [field], False, 4, 8,
                                                        np.arange(8, dtype=np.uint8), True)
    data = bytes(source.serialize_cdr(cloud, "sensor_msgs/msg/PointCloud2"))
    write_with_mcap(tmp_path / "in.mcap", [("/cloud", 5, data)])  # no definition in there
    copy(tmp_path / "in.mcap", tmp_path / "out.mcap", "zstd")
    with rosbag2.Reader(tmp_path / "out.mcap") as reader:
        definitions = {c.msgtype: c.msgdef.data for c in reader.connections}
        store = typesys.get_typestore(typesys.Stores.EMPTY)
        for kind, text in definitions.items():
            store.register(typesys.get_types_from_msg(text, kind))
        (_, _, raw), = reader.messages()
    decoded = store.deserialize_cdr(raw, "sensor_msgs/msg/PointCloud2")
    assert decoded.fields[0].name == "x" and decoded.width == 2 and decoded.data.tolist() == list(range(8))


def test_a_cut_file_gives_what_mcap_gives(tmp_path):
    written = messages(seed=6)
    write_with_mcap(tmp_path / "whole.mcap", written, "none")
    content = (tmp_path / "whole.mcap").read_bytes()
    for share in (0.1, 0.5, 0.9):
        part = tmp_path / "part.mcap"
        part.write_bytes(content[: int(len(content) * share)])
        whole_chunks = []
        try:
            for record in mcap_stream.StreamReader(part.open("rb")).records:
                if type(record).__name__ == "Message":
                    whole_chunks.append(record.log_time)
        except Exception:  # the reference stops where the file does
            pass
        found, report = dump(part)
        assert found == rows_of(written)[: len(found)]
        assert len(found) >= len(whole_chunks)
        assert f"truncated 1 recovered {len(found)}" in report


def test_the_real_recording_is_read_as_rosbags_reads_it(tmp_path):
    root = os.environ.get("POINTTREE_DATA")
    if not root:
        pytest.skip("POINTTREE_DATA is not set")
    bag = Path(root) / "ros2_bags" / "ouster_os1_db3"
    expected = read_with_rosbags(bag)
    assert sorted(dump(bag)[0]) == sorted(expected)
    copy(bag, tmp_path / "copy", "zstd")
    assert sorted(read_with_rosbags(tmp_path / "copy")) == sorted(expected)
    assert sorted(read_with_mcap(tmp_path / "copy" / "copy_0.mcap")) == sorted(expected)
