# SPDX-License-Identifier: Apache-2.0
"""Mistakes on the command line: what was meant is guessed, usage errors exit with 2, failures with 1."""

import pytest
from program import MODELS, run, simulate


@pytest.mark.parametrize("arguments, guess", [
    (("repaly",), "replay"),
    (("model", "chek"), "check"),
    (("replay", "x.mcap", "--modle", "m"), "--model"),
    (("simulate", "--ouput", "x"), "--output"),
])
def test_misspelled_word_gets_a_guess(arguments, guess):
    assert f"did you mean '{guess}'" in run(*arguments, code=2).stderr


@pytest.mark.parametrize("arguments", [
    (),
    ("replay",),
    ("replay", "x.mcap"),
    ("replay", "x.mcap", "--model", "m", "--html-frames", "3"),
    ("replay", "x.mcap", "--model", "m", "--loops", "0"),
    ("simulate",),
])
def test_usage_error_exits_with_2(arguments):
    assert run(*arguments, code=2).stderr


def test_failure_exits_with_1():
    assert "nowhere.mcap" in run("replay", "nowhere.mcap", "--model", MODELS / "objects_simulated", code=1).stderr


def test_misspelled_key_is_found_by_line_and_gets_a_guess(tmp_path):
    (tmp_path / "config.yaml").write_text("seed: 1\ngrond:\n  remove: true\n")
    recording = simulate(tmp_path / "street.mcap")
    refused = run("replay", recording, "--model", MODELS / "objects_simulated", "--config", tmp_path / "config.yaml", code=1)
    assert "config.yaml" in refused.stderr and "line 3" in refused.stderr
    assert "did you mean 'ground.remove'" in refused.stderr
    (tmp_path / "model.yaml").write_text("points: 64\nvarient: def\n")
    refused = run("model", "describe", tmp_path / "model.yaml", code=1)
    assert "line 2" in refused.stderr and "did you mean 'variant'" in refused.stderr


def test_frame_beyond_the_last_is_refused(tmp_path):
    recording = simulate(tmp_path / "street.mcap")
    refused = run("replay", recording, "--model", MODELS / "objects_simulated", "--frame", 500, "--picture", tmp_path / "x.png", code=2)
    assert "--frame is 500" in refused.stderr and "2 frames" in refused.stderr
    assert not (tmp_path / "x.png").exists()


def test_model_check_checks_all(tmp_path):
    (tmp_path / "broken").mkdir()
    result = run("model", "check", tmp_path / "broken", MODELS / "objects_simulated", tmp_path / "gone", MODELS / "rooms_simulated", code=1)
    assert "broken" in result.stderr and "gone" in result.stderr
    assert "objects_simulated:" in result.stdout and "rooms_simulated:" in result.stdout


@pytest.mark.parametrize("command, default", [("replay", "=20"), ("simulate", "=50")])
def test_help_shows_defaults_and_exits_with_0(command, default):
    assert default in run(command, "--help").stdout
    assert "Exit codes" in run("--help").stdout
