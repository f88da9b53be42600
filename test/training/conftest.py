# SPDX-License-Identifier: Apache-2.0
import subprocess

import pytest
from small_run import CONFIG
from small_shapes import train_command, write_boxes


@pytest.fixture(scope="session")
def data(tmp_path_factory):
    folder = tmp_path_factory.mktemp("shapes")
    write_boxes(folder, CONFIG)
    return folder


@pytest.fixture(scope="session")
def undisturbed(data, tmp_path_factory):
    run = tmp_path_factory.mktemp("undisturbed") / "run"
    subprocess.run(train_command(data, run), check=True, capture_output=True, timeout=240)
    return run
