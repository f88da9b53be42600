# SPDX-License-Identifier: Apache-2.0
"""The C++ examples run, answer sensibly on clouds made here, and tell a wrong call from a failure."""

import math
import os
import pathlib
import random
import re
import subprocess

import pytest

PROGRAMS = pathlib.Path(os.environ["POINTTREE_BUILD"]) / "bin"
MODELS = pathlib.Path(os.environ["POINTTREE_SOURCE"]) / "models"
ROOM_FLOOR, ROOM_HEIGHT, SENSOR_HEIGHT = (6.0, 5.0), 2.7, 1.2


def run(program, *arguments):
    return subprocess.run([PROGRAMS / program, *map(str, arguments)], capture_output=True, text=True, timeout=120)


def write_pcd(path, points):
    path.write_text("# .PCD v0.7\nVERSION 0.7\nFIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nCOUNT 1 1 1\n"
                    f"WIDTH {len(points)}\nHEIGHT 1\nVIEWPOINT 0 0 0 1 0 0 0\nPOINTS {len(points)}\nDATA ascii\n"
                    + "".join("%.4f %.4f %.4f\n" % point for point in points))
    return path


def traffic_cone(count):
    """The surface of a cone of 0.7 m, with more points where there is more of it, and some in a plate below."""
    draw = random.Random(1)
    points = []
    for _ in range(count):
        height, angle = 0.7 * (1.0 - math.sqrt(draw.random())), draw.uniform(0.0, 2.0 * math.pi)
        radius = 0.16 * (1.0 - height / 0.7) + 0.02
        points.append((radius * math.cos(angle) + 5.0, radius * math.sin(angle) - 2.0, height - 1.5))
    return points


def empty_room(count):
    """Floor, ceiling and four walls about a lidar, by area; the floor comes first."""
    draw = random.Random(2)
    (length, width), height = ROOM_FLOOR, ROOM_HEIGHT
    areas = [length * width] * 2 + [length * height] * 2 + [width * height] * 2
    points = []
    for side, area in enumerate(areas):
        for _ in range(round(count * area / sum(areas))):
            u, v = draw.random(), draw.random()
            place = [(u * length, v * width, 0.0), (u * length, v * width, height), (u * length, 0.0, v * height),
                     (u * length, width, v * height), (0.0, u * width, v * height), (length, u * width, v * height)][side]
            points.append((place[0] - length / 2, place[1] - width / 2, place[2] - SENSOR_HEIGHT))
    return points


def test_tree_and_pre_alignment_survive_an_affine_map():
    result = run("tree_and_pre_alignment")
    assert result.returncode == 0, result.stdout + result.stderr
    assert "depth 8, 255 planes, rank 3" in result.stdout
    assert "identical trees" in result.stdout


def test_classify_pcd_names_a_cloud(tmp_path):
    result = run("classify_pcd", MODELS / "objects", write_pcd(tmp_path / "cone.pcd", traffic_cone(900)))
    assert result.returncode == 0, result.stderr
    name, percent = re.fullmatch(r".*cone\.pcd: ([\w ]+), (\d+) %\n", result.stdout).groups()
    assert name in (MODELS / "objects" / "model.yaml").read_text()
    assert 0 < int(percent) <= 100


def test_segment_pointcloud2_labels_every_point(tmp_path):
    room = empty_room(60000)
    result = run("segment_pointcloud2", MODELS / "rooms", write_pcd(tmp_path / "room.pcd", room))
    assert result.returncode == 0, result.stderr
    counts = {name: int(count) for count, name in re.findall(r"^ *(\d+) ([\w ]+)$", result.stdout, re.MULTILINE)
              if name != "ms"}
    assert sum(counts.values()) == len(room)
    assert counts.get("unknown", 0) < 0.2 * len(room), counts
    on_floor = sum(1 for point in room if point[2] == -SENSOR_HEIGHT)
    assert 0.5 * on_floor < counts.get("floor", 0) < 2.0 * on_floor, counts


@pytest.mark.parametrize("program", ["classify_pcd", "segment_pointcloud2"])
def test_exit_codes_tell_a_wrong_call_from_a_failure(program, tmp_path):
    assert run(program).returncode == 2
    missing = run(program, MODELS / "objects", tmp_path / "missing.pcd")
    assert missing.returncode == 1
    assert "missing.pcd" in missing.stderr
