# SPDX-License-Identifier: Apache-2.0
"""`pointtree simulate` and `pointtree transform` as a script uses them, checked with other people's readers."""

import json
import os
import pathlib
import subprocess

import h5py
import numpy
import pytest
from mcap.reader import make_reader

PROGRAM = pathlib.Path(os.environ["POINTTREE_BUILD"]) / "bin" / "pointtree"


def run(*arguments, check=True):
    result = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True)
    if check:
        assert result.returncode == 0, result.stderr
    return result


def simulate(output, seed=3, *more):
    return run("simulate", "--scene", "room", "--seed", seed, "--frames", 2, "--beams", 8, "--columns", 64,
               "--output", output, *more)


def test_simulated_bag_holds_clouds_poses_and_truth(tmp_path):
    simulate(tmp_path / "walk.mcap", 3, "--topic", "/points")
    with open(tmp_path / "walk.mcap", "rb") as file:
        counts = {}
        for schema, channel, message in make_reader(file).iter_messages():
            key = (channel.topic, schema.name)
            counts[key] = counts.get(key, 0) + 1
    assert counts == {("/points", "sensor_msgs/msg/PointCloud2"): 2, ("/tf", "tf2_msgs/msg/TFMessage"): 2}
    names = (tmp_path / "walk.labels.yaml").read_text().split("\n")
    assert names[0] == "- ceiling" and names[12] == "- clutter"
    truth = json.loads((tmp_path / "walk.truth.json").read_text())
    assert len(truth["poses"]) == 2
    assert all(set(o) == {"instance", "kind", "label", "centre", "size", "yaw"} for o in truth["objects"])


def test_simulation_is_reproducible(tmp_path):
    for name in ("a", "b"):
        simulate(tmp_path / f"{name}.mcap")
    simulate(tmp_path / "c.mcap", 4)
    first = (tmp_path / "a.mcap").read_bytes()
    assert first == (tmp_path / "b.mcap").read_bytes()
    assert first != (tmp_path / "c.mcap").read_bytes()


def test_simulated_folder_holds_one_file_per_frame(tmp_path):
    simulate(tmp_path / "frames")
    frames = sorted(path.name for path in (tmp_path / "frames").glob("*.pcd"))
    assert frames == ["000000.pcd", "000001.pcd"]
    header = (tmp_path / "frames" / "000000.pcd").read_bytes().split(b"DATA")[0].decode()
    assert "FIELDS x y z intensity label" in header
    assert "WIDTH 64" in header and "HEIGHT 8" in header


def test_transformed_copy_has_the_layout_of_modelnet(tmp_path):
    output = run("transform", "--data", "size=6,points=50", "--kind", "procedural_objects", "--split", "train", "test",
                 "--copies", 3, "--output", tmp_path, "--json")
    assert json.loads(output.stdout)["train"] == {"clouds": 6, "stored": 18}
    for split in ("train", "test"):
        with h5py.File(tmp_path / f"ply_data_{split}0.h5") as file:
            assert file["data"].shape[0] == 18 and file["data"].shape[2] == 3
            assert file["label"].shape == (18, 1)
            assert numpy.isfinite(file["data"][:]).all()
            assert list(file["label"][:6, 0]) == [0, 0, 0, 1, 1, 1]
    assert (tmp_path / "shape_names.txt").read_text().split()[:2] == ["airplane", "bathtub"]


@pytest.mark.parametrize("arguments, reason", [
    (("transform", "--data", "nowhere", "--output", "out"), "nowhere"),
    (("transform", "--data", "size=1", "--kind", "procedural_objects", "--transform", "magic", "--output", "out"), "magic"),
    (("simulate", "--scene", "moon", "--output", "out"), "moon"),
])
def test_mistakes_are_named(tmp_path, arguments, reason):
    result = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, cwd=tmp_path)
    assert result.returncode != 0
    assert reason in result.stdout + result.stderr
    assert not (tmp_path / "out").exists()
