# SPDX-License-Identifier: Apache-2.0
"""A small data set in the layout of ModelNet40's HDF5 release, and runs on it."""

import os
import pathlib

import h5py
import numpy as np

PROGRAM = pathlib.Path(os.environ["POINTTREE_BUILD"]) / "bin" / "pointtree"


def write_boxes(folder, config):
    """Three kinds of boxes, cubes, plates and rods, and the configuration of a run on them."""
    generator = np.random.default_rng(5)
    labels = np.arange(120) % 3
    sizes = np.array([[1, 1, 1], [1, 1, 0.05], [1, 0.1, 0.05]])[labels]
    points = generator.uniform(-1, 1, (120, 64, 3)) ** 3 * sizes[:, None, :]
    with h5py.File(folder / "ply_data_train0.h5", "w") as file:
        file["data"] = points.astype(np.float32)
        file["label"] = labels[:, None].astype(np.uint8)
    (folder / "shape_names.txt").write_text("cube\nplate\nrod\n")
    (folder / "config.yaml").write_text(config)


def train_command(data, run, *more):
    return [PROGRAM, "train", data / "config.yaml", "--set", f"data.path={data}", f"run.folder={run}", *more]
