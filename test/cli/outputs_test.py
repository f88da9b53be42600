# SPDX-License-Identifier: Apache-2.0
"""No command destroys a file: outputs are tried first, appear when whole, and replace only what they may."""

import itertools
import json
import os

import pytest
from program import MODELS, run, simulate


def files_below(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(name="street", scope="module")
def street_fixture(tmp_path_factory):
    return simulate(tmp_path_factory.mktemp("street") / "street.mcap")


@pytest.fixture(name="recording")
def recording_fixture(street, tmp_path):
    for file in street.parent.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    return tmp_path / street.name


def replay(recording, *more, code=0):
    return run("replay", recording, "--model", MODELS / "objects_simulated", "--threads", 1, *more, code=code)


def evaluate(*more, code=0):
    return run("evaluate", "--model", MODELS / "objects_simulated", "--data", "size=51,points=64,kinds=all", "--kind", "procedural_objects",
               "--split", "test", "--limit", 2, "--threads", 1, *more, code=code)


COUNTER = itertools.count()


def merge(recording, place, *more, code):
    report = recording.parent / "share.json"
    if not report.exists():
        replay(recording, "--report", report)
    return run("report", "merge", report, "--output", place, *more, code=code)


# Every command that writes, with a way to write to a given path, and whether that is a folder.
WRITERS = {
    "replay_output": (lambda place, recording, *more, code=0: replay(recording, "--output", place, *more, code=code), "out.mcap"),
    "replay_folder": (lambda place, recording, *more, code=0: replay(recording, "--output", place, *more, code=code), "bag"),
    "replay_report": (lambda place, recording, *more, code=0: replay(recording, "--report", place, *more, code=code), "report.json"),
    "replay_picture": (lambda place, recording, *more, code=0: replay(recording, "--picture", place, *more, code=code), "frame.png"),
    "replay_html": (lambda place, recording, *more, code=0: replay(recording, "--html", place, *more, code=code), "page.html"),
    "simulate_bag": (lambda place, _, *more, code=0: run(
        "simulate", "--frames", 1, "--beams", 8, "--columns", 64, "--output", place, *more, code=code), "made.mcap"),
    "simulate_folder": (lambda place, _, *more, code=0: run(
        "simulate", "--frames", 1, "--beams", 8, "--columns", 64, "--output", place, *more, code=code), "frames"),
    "simulate_picture": (lambda place, _, *more, code=0: run(
        "simulate", "--frames", 1, "--beams", 8, "--columns", 64, "--output", place.parent / f"scene{next(COUNTER)}", "--picture",
        place, *more, code=code), "scene.png"),
    "transform": (lambda place, _, *more, code=0: run(
        "transform", "--data", "size=6,points=50", "--kind", "procedural_objects", "--output", place, *more, code=code), "copies"),
    "convert": (lambda place, _, *more, code=0: run(
        "model", "convert", MODELS / "objects_simulated", place, "--precision", "int8", *more, code=code), "model"),
    "report_merge": (lambda place, recording, *more, code=0: merge(recording, place, *more, code=code), "merged.json"),
    "evaluate_record": (lambda place, _, *more, code=0: evaluate("--record", place, *more, code=code), "record.json"),
    "evaluate_pictures": (lambda place, _, *more, code=0: evaluate("--pictures", place, *more, code=code), "pictures"),
}
NEEDS_LAB = {"transform", "evaluate_record", "evaluate_pictures"}
PARAMETERS = [pytest.param(*writer, id=name) for name, writer in WRITERS.items()
              if name not in NEEDS_LAB or not os.environ.get("POINTTREE_WITHOUT_LAB")]


@pytest.mark.parametrize("write, name", PARAMETERS)
def test_existing_output_is_replaced_only_with_overwrite(write, name, recording, tmp_path):
    place = tmp_path / "written" / name
    write(place, recording)
    before = files_below(tmp_path)
    assert before and not list(tmp_path.rglob("*.part-*"))
    refused = write(place, recording, code=1)
    assert "--overwrite" in refused.stderr and name in refused.stderr
    assert files_below(tmp_path) == before
    write(place, recording, "--overwrite")
    assert set(files_below(place.parent)) >= {path for path in before if place in (path, path.parent)}


@pytest.mark.parametrize("write, name", PARAMETERS)
def test_output_that_cannot_be_written_is_refused_before_the_work(write, name, recording, tmp_path):
    (tmp_path / "file").write_text("in the way")
    refused = write(tmp_path / "file" / name, recording, code=1)
    assert "file" in refused.stderr
    assert (tmp_path / "file").read_text() == "in the way"


@pytest.mark.parametrize("option", ["--output", "--report", "--picture", "--html"])
@pytest.mark.parametrize("name", ["street.mcap", "link.mcap", "hard.mcap"])
def test_recording_is_never_an_output(option, name, recording, tmp_path):
    (tmp_path / "link.mcap").symlink_to(recording)
    (tmp_path / "hard.mcap").hardlink_to(recording)
    before = recording.read_bytes()
    refused = replay(recording, option, tmp_path / name, "--overwrite", code=1)
    assert "is an input" in refused.stderr
    assert recording.read_bytes() == before


@pytest.mark.parametrize("option", ["--output", "--report", "--picture", "--html"])
@pytest.mark.parametrize("place", ["{tmp_path}/file/out.mcap", "/proc/out.mcap"])
def test_outputs_are_tried_before_the_work(option, place, tmp_path):
    (tmp_path / "file").write_text("in the way")
    (tmp_path / "torn.bin").write_bytes(b"torn")  # which replay would find out in its first frame
    place = place.format(tmp_path=tmp_path)
    refused = replay(tmp_path / "torn.bin", option, place, code=1)
    assert place.rsplit("/", 1)[0] in refused.stderr and "torn.bin" not in refused.stderr


def test_part_of_an_input_is_never_an_output(tmp_path):
    frames = simulate(tmp_path / "frames")
    before = files_below(tmp_path)
    refused = replay(frames, "--report", frames / "000000.pcd", "--overwrite", code=1)
    assert "is part of an input" in refused.stderr
    assert "holds an input" in replay(frames / "000000.pcd", "--output", frames, "--overwrite", code=1).stderr
    bundle = MODELS / "objects_simulated"
    assert "is part of an input" in replay(frames, "--report", bundle / "model.yaml", "--overwrite", code=1).stderr
    assert "is an input" in run("model", "convert", bundle, bundle, "--precision", "int8", "--overwrite", code=1).stderr
    assert files_below(tmp_path) == before


@pytest.mark.skipif(bool(os.environ.get("POINTTREE_WITHOUT_LAB")), reason="needs the lab")
@pytest.mark.parametrize("data", ["{0}", "{0}+{1}", "{1}:{0}", "{0},size=3"])
def test_data_sets_are_never_an_output(data, tmp_path):
    folders = [tmp_path / "mine", tmp_path / "yours"]
    for folder in folders:
        folder.mkdir()
        (folder / "names.txt").write_text("car")
    before = files_below(tmp_path)
    data = data.format(*folders)
    assert "is an input" in run("transform", "--data", data, "--output", folders[0], "--overwrite", code=1).stderr
    refused = run("evaluate", "--model", MODELS / "objects_simulated", "--data", data, "--record", folders[0] / "names.txt", "--overwrite", code=1)
    assert "is part of an input" in refused.stderr
    refused = run("evaluate", "--model", MODELS / "objects_simulated", "--data", data, "--record",
                  MODELS / "objects_simulated" / "model.yaml", "--overwrite", code=1)
    assert "is part of an input" in refused.stderr
    assert files_below(tmp_path) == before


@pytest.mark.parametrize("mistake", [("--topic", "/nothing"), ("--start", 1000)])
def test_failed_run_leaves_the_old_output(mistake, recording, tmp_path):
    out = tmp_path / "out.mcap"
    out.write_text("of yesterday")
    replay(recording, "--output", out, "--overwrite", *mistake, code=1)
    assert out.read_text() == "of yesterday"
    assert not list(tmp_path.glob("*.part-*"))


def test_folder_with_other_files_is_not_replaced(recording, tmp_path):
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "letter.txt").write_text("dear")
    refused = replay(recording, "--output", tmp_path / "home", "--overwrite", code=1)
    assert "letter.txt" in refused.stderr
    assert (tmp_path / "home" / "letter.txt").read_text() == "dear"


def test_the_same_output_twice_is_refused(recording, tmp_path):
    assert "twice" in replay(recording, "--report", tmp_path / "x", "--html", tmp_path / "x", code=1).stderr


def test_output_through_a_link_goes_to_where_it_points(recording, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "report.json").symlink_to(tmp_path / "elsewhere" / "real.json")
    replay(recording, "--report", tmp_path / "report.json")
    assert (tmp_path / "report.json").is_symlink()
    assert json.loads((tmp_path / "elsewhere" / "real.json").read_text())["frames"] == 2


def test_report_can_go_to_a_pipe(recording):
    text = replay(recording, "--report", "/dev/stdout").stdout
    assert '"frames": 2' in text
