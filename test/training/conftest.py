import subprocess

import pytest
from small_run import CONFIG, command
from small_shapes import write_boxes


@pytest.fixture(scope="session")
def data(tmp_path_factory):
    folder = tmp_path_factory.mktemp("shapes")
    write_boxes(folder)
    (folder / "config.yaml").write_text(CONFIG)
    return folder


@pytest.fixture(scope="session")
def undisturbed(data, tmp_path_factory):
    run = tmp_path_factory.mktemp("undisturbed") / "run"
    subprocess.run(command(data, run), check=True, capture_output=True, timeout=240)
    return run
