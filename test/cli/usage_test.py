# SPDX-License-Identifier: Apache-2.0
"""Mistakes on the command line: what was meant is guessed, usage errors exit with 2, failures with 1."""

import re

import pytest
from program import MODELS, run, simulate

SOURCE = MODELS.parent


@pytest.mark.parametrize("arguments, guess", [
    (("repaly",), "replay"),
    (("model", "chek"), "check"),
    (("replay", "x.mcap", "--modle", "m"), "--model"),
    (("simulate", "--ouput", "x"), "--output"),
    (("replay", "x.mcap", "--mode", "block"), "blocks"),
    (("ead", __file__, "--form", "author"), "authors"),
    (("model", "convert", "a", "b", "--precision", "bfloat"), "bfloat16"),
])
def test_misspelled_word_gets_a_guess(arguments, guess):
    assert f"did you mean '{guess}'" in run(*arguments, code=2).stderr


@pytest.mark.parametrize("arguments", [
    (),
    ("replay",),
    ("replay", "x.mcap"),
    ("replay", "x.mcap", "--model", "m", "--html-frames", "3"),
    ("replay", "x.mcap", "--model", "m", "--loops", "0"),
    ("replay", "x.mcap", "--model", "m", "--threads", "-1"),
    ("simulate", "--output", "frames", "--topic", "/points"),
    ("simulate", "--output", "frames", "--beams", "0"),
    ("report", "merge", __file__, __file__),
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


def test_frame_beyond_the_last_of_several_recordings_is_refused(tmp_path):
    recordings = [simulate(tmp_path / f"{k}.mcap", seed=k) for k in range(2)]
    options = ("--model", MODELS / "objects_simulated", "--threads", 1)
    assert "the 2 recordings have 4 frames" in run("replay", *recordings, *options, "--frame", 4, code=2).stderr
    run("replay", *recordings, *options, "--frame", 3)


@pytest.mark.parametrize("options", [("--topic", "/points"), ("--reader", "own"), ("--labels", "names.yaml")])
def test_option_without_effect_is_refused(options, tmp_path):
    folder = tmp_path / "scans"
    folder.mkdir()
    (folder / "0.xyz").write_text("".join(f"{k % 30} {k // 30} 0\n" for k in range(900)))
    (tmp_path / "names.yaml").write_text("- car\n")
    refused = run("replay", folder, "--model", MODELS / "objects_simulated", *options, code=2, cwd=tmp_path)
    assert options[0] in refused.stderr


def test_model_check_checks_all(tmp_path):
    (tmp_path / "broken").mkdir()
    result = run("model", "check", tmp_path / "broken", MODELS / "objects_simulated", tmp_path / "gone", MODELS / "rooms_simulated", code=1)
    assert "broken" in result.stderr and "gone" in result.stderr
    assert "objects_simulated:" in result.stdout and "rooms_simulated:" in result.stdout


@pytest.mark.parametrize("command, default", [("replay", "=20"), ("simulate", "=50")])
def test_help_shows_defaults_and_exits_with_0(command, default):
    text = run(command, "--help").stdout
    assert default in text and "=[]" not in text
    assert "Exit codes" in run("--help").stdout


# What asks for a file to read or write, or adds to something: without it, nothing is read, written or added.
NO_DEFAULT = {"--output", "--report", "--picture", "--pictures", "--html", "--record", "--resume", "--set", "--config", "--label", "--table"}


def commands(*words):
    """All commands, as words."""
    listed = re.findall(r"^  ([a-z]+) ", run(*words, "--help").stdout.partition("Subcommands:")[2].partition("Exit codes")[0], re.MULTILINE)
    return [command for name in listed for command in commands(*words, name)] if listed else [words]


def test_help_of_every_command_shows_the_default_of_every_option():
    seen = 0
    for words in commands():
        text = re.sub(r"\n {20,}", " ", run(*words, "--help").stdout)
        for option, rest in re.findall(r"^  (--[a-z-]+) ([A-Z]{3}.*)$", text, re.MULTILINE):
            seen += 1
            kind = rest.split()[0] if "[" not in rest else rest
            said = "=" in kind or "required" in rest.lower() or "default:" in rest or "unless given" in rest
            assert said or option in NO_DEFAULT, f"{' '.join(words)}: {option} {rest}"
    assert seen > 20


def commands_of_pages():
    """Commands of this program in README and docs (not in docs/research, which is history), with the options given to them."""
    command = re.compile(r"pointtree ((?:(?:report|model|bench) )?(?:replay|merge|simulate|train|evaluate|compare|transform|ead|describe|check|convert|"
                         r"tree|network|train|pipeline))\b((?:\\\n|[^`\n|])*)")
    for page in [SOURCE / "README.md", *sorted((SOURCE / "docs").glob("*.md"))]:
        for words, rest in command.findall(page.read_text()):
            yield page.name, words, re.findall(r"(?<=\s)--[a-z][a-z-]*", rest)


def test_commands_of_the_pages_have_options_that_exist():
    helps, seen = {}, 0
    benchmarks = run("bench", "--help").stdout  # some are built beside the libraries that they compare with only
    for page, words, options in commands_of_pages():
        if words.startswith("bench ") and not re.search(rf"^  {words.split()[1]} ", benchmarks, re.MULTILINE):
            continue
        if words not in helps:
            helps[words] = run(*words.split(), "--help").stdout
        seen += len(options)
        for option in options:
            assert re.search(rf"^  {option}\b(?!-)", helps[words], re.MULTILINE), f"{page}: pointtree {words} has no {option}"
    assert len(helps) >= 8 and seen > 50
