"""A small data set in the layout of ModelNet40's HDF5 release, for tests of whole runs."""

import os
import pathlib

import h5py
import numpy as np

PROGRAM = pathlib.Path(os.environ["POINTTREE_BUILD"]) / "bin" / "pointtree"


def write_boxes(folder):
    """Three kinds of boxes: cubes, plates and rods."""
    generator = np.random.default_rng(5)
    labels = np.arange(120) % 3
    sizes = np.array([[1, 1, 1], [1, 1, 0.05], [1, 0.1, 0.05]])[labels]
    points = generator.uniform(-1, 1, (120, 64, 3)) ** 3 * sizes[:, None, :]
    with h5py.File(folder / "ply_data_train0.h5", "w") as file:
        file["data"] = points.astype(np.float32)
        file["label"] = labels[:, None].astype(np.uint8)
    (folder / "shape_names.txt").write_text("cube\nplate\nrod\n")
