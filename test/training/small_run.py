# SPDX-License-Identifier: Apache-2.0
"""A training run of a few seconds, for tests of whole runs."""

from pathlib import Path

MODELS = Path(__file__).resolve().parents[2] / "models"
STEPS = 12
CONFIG = """
model: {alignment: none, pre_align: canonical, points: 32, classes: 3, leaf_hidden: 16, leaf_width: 8,
        max_width: 32, head_dropout: 0.3}
optimizer: {name: adamw, learning_rate: 0.003, weight_decay: 0.05, clip_norm: 5.0, ema_decay: 0.9}
schedule: {name: one_cycle, warmup: 0.3}
augment: {transformation: affine, pose_jitter: 0.02}
loss: {label_smoothing: 0.1}
data: {kind: modelnet40}
run: {batch: 16, steps: %d, validate_every: 4, checkpoint_minutes: 0, log_every: 2, threads: 1}
""" % STEPS
