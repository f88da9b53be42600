# SPDX-License-Identifier: Apache-2.0
"""The page of `replay --html` under real input events in Chromium."""

import itertools
import json
import math
import os
import pathlib
import shutil

import pytest
from browser import Browser
from program import MODELS, run

SHOTS = os.environ.get("POINTTREE_SCREENSHOTS")  # a folder, to look at what the tests saw

needs_chromium = pytest.mark.skipif(shutil.which("chromium") is None, reason="chromium is not installed")


def make_page(folder, scene, model, frames, *more):
    recording = folder / f"{scene}.mcap"
    run("simulate", "--scene", scene, "--seed", 2026, "--frames", frames, "--output", recording)
    run("replay", recording, "--model", MODELS / model, "--html", folder / f"{scene}.html", *more)
    return folder / f"{scene}.html"


@pytest.fixture(name="street", scope="module")
def street_fixture(tmp_path_factory):
    return make_page(tmp_path_factory.mktemp("street"), "street", "objects_simulated", 4, "--html-frames", 3)


@pytest.fixture(name="room", scope="module")
def room_fixture(tmp_path_factory):
    return make_page(tmp_path_factory.mktemp("room"), "room", "rooms_simulated", 2)


def shoot(browser, name):
    if SHOTS:
        browser.screenshot(pathlib.Path(SHOTS) / name)


def choose(browser, name):
    browser.value(f"(s => {{ s.value = '{name}'; s.dispatchEvent(new Event('change')); }})(document.getElementById('colouring'))")


def pixels(browser):
    """Colours on the canvas, each with how often."""
    return browser.value("""(() => { const c = document.getElementById('view'), counts = {};
      const data = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
      for (let i = 0; i < data.length; i += 4) { const k = [data[i], data[i+1], data[i+2]]; counts[k] = (counts[k] || 0) + 1; }
      return counts; })()""")


@needs_chromium
def test_click_shows_the_object(street):
    with Browser(street) as browser:
        place = browser.value("""(() => { const view = lens(), hit = new Set();
          for (const box of scenes[0].boxes.filter(b => b.class)) {
            const at = [0, 1, 2].map(k => box.corners.reduce((s, c) => s + c[k], 0) / 8), p = project(view, ...at);
            if (p && p[0] > 250 && p[0] < 750 && p[1] > 100 && p[1] < 550) { pick(p[0], p[1]);
              if (state.picked === box.id) { state.picked = null; show(0); return { x: p[0], y: p[1], box }; } } }
          return null; })()""")
        assert place, "no object in sight"
        assert browser.value("document.getElementById('card').hidden")
        browser.click(place["x"], place["y"])
        card = browser.value("document.getElementById('card').innerText")
        shoot(browser, "street_card.png")
        box = place["box"]
        for text in (box["class"], str(box["id"]), f"{round(100 * box['confidence'])} %", f"{box['distance']:.1f} m",
                     f"{box['size'][0]:.1f} ×"):
            assert text in card
        assert not box["truth"] or box["truth"] in card
        browser.key("Escape", 27)
        assert browser.value("document.getElementById('card').hidden")


@needs_chromium
def test_keys_step_and_play(street):
    with Browser(street) as browser:
        browser.click(500, 20)
        browser.key("ArrowRight", 39)
        assert browser.value("pointtree.state.frame") == 1
        browser.key("ArrowLeft", 37)
        browser.key("ArrowLeft", 37)
        assert browser.value("pointtree.state.frame") == 2
        browser.key(" ", 32)
        assert browser.value("pointtree.state.playing")
        browser.key(" ", 32)
        assert not browser.value("pointtree.state.playing")


@needs_chromium
def test_drag_orbits_and_wheel_and_pinch_zoom(street):
    with Browser(street) as browser:
        yaw, distance = browser.value("[pointtree.state.yaw, pointtree.state.distance]")
        browser.drag((500, 400), (400, 380))
        assert browser.value("pointtree.state.yaw") == pytest.approx(yaw + 0.6)
        browser.drag((500, 400), (450, 400), button="right")
        assert browser.value("Math.hypot(...pointtree.state.target)") > 0.6
        browser.mouse("mouseWheel", 500, 350, deltaX=0, deltaY=-500)
        assert browser.value("pointtree.state.distance") < 0.7 * distance
        distance = browser.value("pointtree.state.distance")
        browser.send("Emulation.setTouchEmulationEnabled", enabled=True, maxTouchPoints=2)
        browser.touch("touchStart", (450, 350), (550, 350))
        browser.touch("touchMove", (400, 350), (600, 350))
        browser.touch("touchEnd")
        assert browser.value("pointtree.state.distance") == pytest.approx(distance / 2, rel=0.1)


@needs_chromium
def test_every_colouring_draws_its_own_colours(street):
    with Browser(street) as browser:
        names = browser.value("[...document.getElementById('colouring').options].map(o => o.value)")
        assert names == ["class", "height", "intensity", "truth", "error"]
        seen = {}
        for name in names:
            choose(browser, name)
            seen[name] = pixels(browser)
            shoot(browser, f"street_{name}.png")
        choose(browser, "truth")
        truths = browser.value("scenes[0].boxes.map(b => b.truth)")
        assert {name["text"] for name in browser.value("drawBoxes(scenes[0], lens(), 1)")} <= set(truths)
        legend = browser.value("scenes[0].legend")
        classes = {",".join(map(str, e["colour"])) for e in legend if e["is_class"] and e["count"]}
        assert len(classes & seen["class"].keys()) >= len(classes) - 1
        assert len(seen["height"]) > 60 and len(seen["intensity"]) > 40
        assert "86,180,233" in seen["error"] and "86,180,233" not in seen["class"]
        assert seen["truth"] != seen["class"]


@needs_chromium
def test_scale_bar_axes_and_left_out_frames_are_shown(street):
    with Browser(street) as browser:
        text, width = browser.value("[document.getElementById('scale').textContent, document.getElementById('scale').clientWidth]")
        metres = float(text.split()[0])
        # The bar is as long as its metres at the distance looked at, seen from the front.
        focal = browser.value("lens().focal")
        assert width == pytest.approx(metres / browser.value("pointtree.state.distance") * focal, rel=0.05)
        assert "3 of" in browser.value("(show(2), document.getElementById('number').textContent)")
        assert "(1 more frame was left out)" in browser.value("document.getElementById('number').textContent")
        assert "255,85,0" in pixels(browser)  # the x axis


def luminance(colour):
    linear = [v / 255 / 12.92 if v / 255 <= 0.04045 else ((v / 255 + 0.055) / 1.055) ** 2.4 for v in colour]
    return sum(a * b for a, b in zip((0.2126, 0.7152, 0.0722), linear))


@needs_chromium
def test_names_can_be_read(street):
    outline = (11, 13, 16)
    with Browser(street) as browser:
        assert pixels(browser).get(",".join(map(str, outline)), 0) > 500
        names = browser.value("drawBoxes(scenes[0], lens(), 1)")
        controls = [browser.value(f"document.getElementById('{name}').getBoundingClientRect().toJSON()") for name in ("key", "bar", "head")]
    assert len(names) >= 5
    for name, control in itertools.product(names, controls):
        assert 0 <= name["x"] and name["x"] + name["width"] <= 1000
        assert name["x"] >= control["right"] or name["x"] + name["width"] <= control["left"] or not (
            control["top"] < name["y"] < control["bottom"]), f"{name} under {control}"
    for a, b in itertools.combinations(names, 2):
        assert abs(a["y"] - b["y"]) >= 14 or a["x"] + a["width"] <= b["x"] or b["x"] + b["width"] <= a["x"]
    for name in names:  # the contrast that WCAG asks of text
        colour = [int(part) for part in name["colour"][4:-1].split(",")]
        assert (luminance(colour) + 0.05) / (luminance(outline) + 0.05) >= 4.5, name


SHARE_IN_SIGHT = """(() => { const view = lens(), { points, colours } = scenes[0]; let seen = 0, all = 0;
  for (let i = 0; i < colours.length; ++i) {
    const [x, y, z] = [0, 1, 2].map(k => points[3 * i + k] * 0.01);
    if (z > state.cut) continue;
    const p = project(view, x, y, z);
    ++all;
    seen += p && p[0] > 0 && p[0] < canvas.width && p[1] > 0 && p[1] < canvas.height; }
  return seen / all; })()"""


@needs_chromium
@pytest.mark.parametrize("width, height, legend", [(1000, 700, True), (400, 800, False)])
def test_room_fits_the_window_of_computer_and_phone(room, width, height, legend):
    with Browser(room, width, height) as browser:
        shoot(browser, f"room_{width}.png")
        assert browser.value(SHARE_IN_SIGHT) > 0.95
        assert browser.value("document.getElementById('key').open") == legend
        # Nothing lies over the scale bar.
        bar, scale = (browser.value(f"document.getElementById('{name}').getBoundingClientRect().toJSON()") for name in ("bar", "scale"))
        assert scale["bottom"] <= bar["top"] and bar["bottom"] <= height


@needs_chromium
def test_room_opens_from_above_without_its_ceiling(room):
    with Browser(room) as browser:
        shoot(browser, "room.png")
        pitch, cut, highest = browser.value("[pointtree.state.pitch, pointtree.state.cut, highest]")
        assert pitch > 1.0 and cut < highest - 0.2
        ceiling = browser.value("scenes[0].legend.find(e => e.name === 'ceiling').colour.join(',')")
        before = pixels(browser).get(ceiling, 0)
        browser.value("(s => { s.value = 100; s.dispatchEvent(new Event('input')); })(document.getElementById('cut'))")
        assert pixels(browser)[ceiling] > 10 * (before + 1)


def scenes_of(page):
    text = page.read_text()
    begin = text.index("const scenes = ") + len("const scenes = ")
    return json.JSONDecoder().raw_decode(text[begin:])[0]


def test_page_of_twenty_frames_stays_below_8_megabytes(tmp_path):
    page = make_page(tmp_path, "street", "objects_simulated", 20)
    assert len(scenes_of(page)) == 20
    assert page.stat().st_size < 8_000_000


# Machado, Oliveira and Fernandes 2009, severity 1; linear RGB.
VISIONS = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}


def cielab(colour, vision):
    linear = [v / 255 / 12.92 if v / 255 <= 0.04045 else ((v / 255 + 0.055) / 1.055) ** 2.4 for v in colour]
    seen = [min(1, max(0, sum(a * b for a, b in zip(row, linear)))) for row in VISIONS[vision]]
    rows = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
    ratios = [sum(a * b for a, b in zip(row, seen)) / white for row, white in zip(rows, (0.9505, 1.0, 1.089))]
    x, y, z = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in ratios)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


@pytest.mark.parametrize("vision", VISIONS)
def test_colours_of_classes_differ_for_everybody(street, room, vision):
    for page in (street, room):
        classes = {e["name"]: tuple(e["colour"]) for s in scenes_of(page) for e in s["legend"] if e["is_class"]}
        assert len(classes) >= 4
        for (a, first), (b, second) in itertools.combinations(list(classes.items())[:12], 2):
            assert math.dist(cielab(first, vision), cielab(second, vision)) > 20, f"{a} and {b}"
