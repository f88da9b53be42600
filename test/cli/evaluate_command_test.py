# SPDX-License-Identifier: Apache-2.0
"""`pointtree evaluate`: what it says beforehand and meanwhile, Ctrl-C, and several processes."""

import json
import signal

import pytest
from program import MODELS, run, start

DATA = ("--model", MODELS / "objects_simulated", "--data", "size=51,points=64,kinds=all", "--kind", "procedural_objects", "--split", "test",
        "--transform", "similarity", "--batch", 4, "--threads", 1)


def scores_of(path):
    record = json.loads(path.read_text())
    record.pop("seconds")
    return record


def test_says_what_it_will_do_and_how_far_it_is():
    result = run("evaluate", *DATA, "--limit", 6, "--draws", 2)
    assert "1 model x 2 passes x 6 clouds, transformation similarity" in result.stderr
    assert "of 12 clouds" in result.stderr and "left" in result.stderr


def test_two_processes_give_the_record_of_one(tmp_path):
    options = (*DATA, "--limit", 11, "--draws", 2, "--seed", 3)
    run("evaluate", *options, "--record", tmp_path / "single.json")
    for rank in range(2):
        run("evaluate", *options, "--record", tmp_path / "share.json", env={"RANK": str(rank), "WORLD_SIZE": "2"})
    shares = [tmp_path / f"share.{rank}-of-2.json" for rank in range(2)]
    assert sum(json.loads(share.read_text())["clouds"] for share in shares) == 11
    run("report", "merge", *shares, "--output", tmp_path / "whole.json")
    whole, single = (scores_of(tmp_path / name) for name in ("whole.json", "single.json"))
    assert [key for key in whole.keys() | single.keys() if whole.get(key) != single.get(key)] == []
    assert "share 1 of 2" in run("report", "merge", shares[0], code=1).stderr


def test_interrupted_evaluation_keeps_what_was_measured(tmp_path):
    process = start("evaluate", *DATA, "--draws", 1000, "--record", tmp_path / "record.json")
    while "per second" not in (line := process.stderr.readline()):
        assert line, "ended before the first progress"
    process.send_signal(signal.SIGINT)
    text, errors = process.communicate(timeout=120)
    assert process.returncode == 130, errors
    assert "overall accuracy" in text and "interrupted" in text
    assert json.loads((tmp_path / "record.json").read_text())["interrupted"]


@pytest.mark.parametrize("mistake, code, reason", [
    (("--data", "nowhere", "--kind", "auto"), 1, "nowhere: no such folder"),
    (("--kind", "procedural_object"), 1, "did you mean 'procedural_objects'"),
    (("--limit", -1), 2, "--limit"),
    (("--draws", 0), 2, "--draws"),
    (("--transform", "afine"), 2, "did you mean 'affine'"),
    (("--transform", "none", "--form", "paper"), 2, "--form has no effect"),
    (("--table", 2), 2, "--table"),
])
def test_mistakes_are_named(mistake, code, reason):
    options = dict(zip(DATA[::2], DATA[1::2])) | dict(zip(mistake[::2], mistake[1::2]))
    assert reason in run("evaluate", *(word for pair in options.items() for word in pair), code=code).stderr


def test_the_same_model_twice_is_refused():
    assert "twice" in run("evaluate", *DATA[2:], "--model", MODELS / "objects_simulated", MODELS / "objects_simulated", code=2).stderr
