# SPDX-License-Identifier: Apache-2.0
import subprocess

import pytest

from ros_client import BIN, POINTTREE


@pytest.fixture(scope="session")
def models(tmp_path_factory):
    """A folder with small models of random weights: objects, other (also objects) and blocks."""
    folder = tmp_path_factory.mktemp("models")
    for name, kind, seed in (("objects", "objects", 1), ("other", "objects", 2), ("blocks", "blocks", 3)):
        subprocess.run([BIN / "make_bundle", folder / name, kind, str(seed)], check=True)
    return folder


@pytest.fixture(scope="session")
def street(tmp_path_factory):
    """A bag of four clouds of a made-up street, small enough for one socket buffer: best effort loses larger ones."""
    bag = tmp_path_factory.mktemp("street") / "street.mcap"
    subprocess.run([POINTTREE, "simulate", "--scene", "street", "--frames", "4", "--beams", "16", "--columns", "360",
                    "--output", bag], check=True, capture_output=True)
    bag.with_suffix(".labels.yaml").unlink()  # names the simulator's classes, which random models don't have
    return bag
