# SPDX-License-Identifier: Apache-2.0
"""`pointtree replay` on what people have: labels without names, bad files, Ctrl-C, many recordings, many processes."""

import json
import os
import signal
import subprocess
import time

import numpy
import pytest
from mcap.reader import make_reader
from program import MODELS, run, simulate, start

REPLAY = ("--model", MODELS / "objects_simulated", "--threads", 1)


def report_of(path):
    return json.loads(path.read_text())


def write_kitti(folder, frames=3, label=10):
    folder.mkdir()
    random = numpy.random.default_rng(1)
    for k in range(frames):
        points = random.uniform(-5, 5, (500, 4)).astype("<f4")
        points[:400, 2] = -1.7
        points.tofile(folder / f"{k:06}.bin")
        if label is not None:
            numpy.full(500, label, "<u4").tofile(folder / f"{k:06}.label")
    return folder


def test_numbers_without_names_are_an_error_that_says_what_to_give(tmp_path):
    recording = simulate(tmp_path / "street.mcap")
    (tmp_path / "street.labels.yaml").rename(tmp_path / "names.yaml")
    refused = run("replay", recording, *REPLAY, code=1)
    assert "--labels FILE" in refused.stderr and "--labels none" in refused.stderr
    run("replay", recording, *REPLAY, "--labels", "none", "--report", tmp_path / "without.json")
    assert "ground_truth" not in report_of(tmp_path / "without.json")
    run("replay", recording, *REPLAY, "--labels", tmp_path / "names.yaml", "--report", tmp_path / "with.json")
    assert report_of(tmp_path / "with.json")["ground_truth"]["points"]["count"] > 0


def test_semantickitti_brings_the_names_of_its_numbers(tmp_path):
    folder = write_kitti(tmp_path / "velodyne", label=10)
    (tmp_path / "labels").mkdir()
    for file in folder.glob("*.label"):
        file.rename(tmp_path / "labels" / file.name)
    result = run("replay", folder, "--model", MODELS / "objects", "--threads", 1, "--report", tmp_path / "report.json")
    assert "SemanticKITTI's numbers" in result.stderr
    report = report_of(tmp_path / "report.json")
    counts = dict(zip(report["classes"], map(sum, report["ground_truth"]["points"]["confusion"])))
    assert counts.pop("car") > 1000 and not any(counts.values())


def test_bad_file_is_reported_and_the_others_go_on(tmp_path):
    folder = write_kitti(tmp_path / "scans", label=None)
    (folder / "000001.bin").write_bytes(b"torn")
    result = run("replay", folder, *REPLAY, "--report", tmp_path / "report.json")
    assert "000001.bin" in result.stderr
    assert "2 frames, 1 rejected" in result.stdout and "rejected for unreadable: 1" in result.stdout
    assert report_of(tmp_path / "report.json")["rejected_by_kind"] == {"unreadable": 1}


@pytest.mark.parametrize("content", [numpy.full((100, 4), numpy.nan, "<f4").tobytes(), b""])
def test_recording_without_a_usable_frame_is_no_success(tmp_path, content):
    folder = tmp_path / "scans"
    folder.mkdir()
    (folder / "000000.bin").write_bytes(content)
    failed = run("replay", folder, *REPLAY, "--report", tmp_path / "report.json", code=1)
    assert "none of 1 frames could be used" in failed.stderr
    assert not (tmp_path / "report.json").exists()


@pytest.mark.parametrize("output", ["out.mcap", "bag"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_replay_finishes_its_files(tmp_path, output, number):
    recording = simulate(tmp_path / "street.mcap", frames=4)
    process = start("replay", recording, *REPLAY, "--rate", 0.2, "--loops", 50, "--output", tmp_path / output,
                    "--report", tmp_path / "report.json", "--html", tmp_path / "page.html")
    deadline = time.monotonic() + 120
    while not (line := process.stderr.readline()).strip().startswith(("0", "1", "2")):
        assert line and time.monotonic() < deadline
    process.send_signal(number)
    text, errors = process.communicate(timeout=120)
    assert process.returncode == 130, errors
    report = report_of(tmp_path / "report.json")
    assert report["interrupted"] and 1 <= report["frames"] < 200
    assert f"{report['frames']} frames" in text
    bag = tmp_path / output if output == "out.mcap" else tmp_path / output / f"{output}_0.mcap"
    with open(bag, "rb") as file:
        summary = make_reader(file).get_summary()
        assert summary.statistics.message_count == 4 * report["frames"]
    assert (tmp_path / output / "metadata.yaml").exists() or output == "out.mcap"
    assert (tmp_path / "page.html").stat().st_size > 0
    assert not list(tmp_path.glob("*.part-*"))


def without_times(report):
    if isinstance(report, dict):
        return {key: without_times(value) for key, value in report.items() if not key.endswith("_ms")}
    return [without_times(value) for value in report] if isinstance(report, list) else report


def make_fleet(folder, count=3):
    folder.mkdir()
    for k in range(count):
        simulate(folder / f"robot{k}.mcap", seed=k, frames=2)
    return folder


def environment(kind, rank, size):
    return {"torchrun": {"RANK": str(rank), "WORLD_SIZE": str(size)},
            "mpi": {"OMPI_COMM_WORLD_RANK": str(rank), "OMPI_COMM_WORLD_SIZE": str(size)},
            "slurm": {"SLURM_ARRAY_TASK_ID": str(rank + 1), "SLURM_ARRAY_TASK_COUNT": str(size),
                      "SLURM_ARRAY_TASK_MIN": "1"}}[kind]


@pytest.mark.parametrize("launcher", ["torchrun", "mpi", "slurm"])
def test_two_processes_give_the_report_of_one(tmp_path, launcher):
    fleet = make_fleet(tmp_path / "fleet")
    run("replay", fleet, *REPLAY, "--report", tmp_path / "single.json", "--output", tmp_path / "single")
    assert sorted(path.name for path in (tmp_path / "single").iterdir()) == [f"robot{k}.mcap" for k in range(3)]
    for rank in range(2):
        run("replay", fleet, *REPLAY, "--report", tmp_path / "share.json", "--output", tmp_path / "bags",
            env=environment(launcher, rank, 2))
    shares = [tmp_path / f"share.{rank}-of-2.json" for rank in range(2)]
    assert [report_of(share)["frames"] for share in shares] == [4, 2]
    run("report", "merge", *reversed(shares), "--output", tmp_path / "whole.json")
    whole, single = (without_times(report_of(tmp_path / name)) for name in ("whole.json", "single.json"))
    assert [key for key in whole.keys() | single.keys() if whole.get(key) != single.get(key)] == []
    assert report_of(tmp_path / "whole.json")["latency_ms"]["total"]["max"] > 0
    assert (tmp_path / "bags.0-of-2" / "robot2.mcap").exists() and (tmp_path / "bags.1-of-2" / "robot1.mcap").exists()


def test_share_that_failed_is_named(tmp_path):
    fleet = make_fleet(tmp_path / "fleet", 2)
    run("replay", fleet, *REPLAY, "--report", tmp_path / "r.json", env=environment("torchrun", 0, 2))
    merged = run("report", "merge", tmp_path / "r.0-of-2.json", "--output", tmp_path / "whole.json", code=1)
    assert "share 1 of 2 is missing" in merged.stderr
    assert report_of(tmp_path / "whole.json")["frames"] == 2
    (tmp_path / "copy.json").write_bytes((tmp_path / "r.0-of-2.json").read_bytes())
    again = run("report", "merge", tmp_path / "r.0-of-2.json", tmp_path / "copy.json", code=1)
    assert "already in" in again.stderr


def test_recording_that_failed_is_named_and_the_others_are_played(tmp_path):
    fleet = make_fleet(tmp_path / "fleet", 2)
    (fleet / "robot0.mcap").write_bytes(b"no bag")
    result = run("replay", fleet, *REPLAY, "--report", tmp_path / "report.json", code=1)
    assert "robot0.mcap" in result.stderr and "failed: " in result.stdout
    report = report_of(tmp_path / "report.json")
    assert report["frames"] == 2 and "failed" in report["recordings"][0]
    merged = run("report", "merge", tmp_path / "report.json", code=1)
    assert "robot0.mcap" in merged.stderr


def test_variables_that_are_no_share_are_refused(tmp_path):
    recording = simulate(tmp_path / "street.mcap")
    for rank, size, name in (("2", "2", "WORLD_SIZE"), ("x", "2", "RANK")):
        assert name in run("replay", recording, *REPLAY, env={"RANK": rank, "WORLD_SIZE": size}, code=1).stderr


def test_segmentation_prints_points_per_class(tmp_path):
    recording = simulate(tmp_path / "room.mcap", scene="room")
    result = run("replay", recording, "--model", MODELS / "rooms_simulated", "--report", tmp_path / "report.json")
    counts = report_of(tmp_path / "report.json")["points_per_class"]
    assert "points per class" in result.stdout and all(name in result.stdout for name in counts)
    assert 0 < sum(counts.values()) <= report_of(tmp_path / "report.json")["points"]


def test_ruled_out_classes_do_not_occur(tmp_path):
    recording = simulate(tmp_path / "street.mcap")
    run("replay", recording, *REPLAY, "--report", tmp_path / "all.json")
    found = {o["class"] for f in report_of(tmp_path / "all.json")["frame_list"] for o in f["objects"]} - {"unknown"}
    denied = sorted(found)[0]
    (tmp_path / "config.yaml").write_text(f"classes:\n  deny: [{denied}]\nmin_confidence: 0.0\n")
    run("replay", recording, *REPLAY, "--config", tmp_path / "config.yaml", "--report", tmp_path / "denied.json")
    left = {o["class"] for f in report_of(tmp_path / "denied.json")["frame_list"] for o in f["objects"]}
    assert left and denied not in left
    (tmp_path / "config.yaml").write_text(f"classes:\n  allow: {denied}x\n")
    refused = run("replay", recording, *REPLAY, "--config", tmp_path / "config.yaml", code=1)
    assert f"did you mean '{denied}'" in refused.stderr
