// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "training/train_config.hpp"

namespace pointtree::training {

/// What a field accepts, beside its type.
struct FieldRule {
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  std::vector<std::string> choices = {};  ///< for text; empty: anything
};

inline FieldRule at_least(double min) { return {min}; }
inline FieldRule between(double min, double max) { return {min, max}; }
inline FieldRule one_of(std::vector<std::string> choices) {
  FieldRule rule;
  rule.choices = std::move(choices);
  return rule;
}

/// Calls visit(key, field, rule, meaning) for every field of a section, in the order of the
/// documentation.
template <typename Visit>
void visit_fields(DataConfig& c, Visit&& visit) {
  visit("path", c.path, FieldRule{},
        "folder of the data set, or key=value pairs of a generated one");
  visit("kind", c.kind, FieldRule{}, "reader of the data set; auto: told from the files");
  visit("train_split", c.train_split, FieldRule{}, "split that is learned from");
  visit("validation_split", c.validation_split, FieldRule{},
        "split that the best model is chosen on");
  visit("name", c.name, FieldRule{}, "name of the data, for the bundle's manifest");
  visit("terms", c.terms, FieldRule{}, "terms of use of the data, for the bundle's manifest");
  visit("units", c.units, FieldRule{}, "units of the coordinates, for the bundle's manifest");
  visit("repeat", c.repeat, at_least(1), "differently augmented copies of every cloud in an epoch");
  visit("fresh", c.fresh, FieldRule{}, "new augmentation every epoch; otherwise the same for ever");
  visit("balance", c.balance, FieldRule{}, "repeat the clouds of rare classes");
  visit("size", c.size, FieldRule{},
        "give the size of clouds in metres as a channel; model.extra_channels: 1");
  visit("channels", c.channels, FieldRule{},
        "channels of the data given to the network, separated by commas; empty: all it has");
  visit("limit", c.limit, at_least(0), "learn from only this many clouds; 0: all");
  visit("workers", c.workers, between(1, 256), "threads that prepare batches ahead of the network");
  visit("prefetch", c.prefetch, between(1, 1024), "batches kept ready ahead of the network");
}

template <typename Visit>
void visit_fields(datasets::AugmentationConfig& c, Visit&& visit) {
  auto& o = c.observation;
  visit("transformation", c.transformation, FieldRule{}, "drawn for every cloud");
  visit("form", c.form, FieldRule{}, "whose description of the transformation is followed");
  visit("warp", c.warp, between(0, 10), "sigma of the terms of a quadratic warp of the shape");
  visit("signed_permutation", c.signed_permutation, FieldRule{},
        "permute and flip axes, same tree");
  visit("pose_linear", c.pose_linear, between(0, 10),
        "sigma of a random linear map after the tree");
  visit("pose_shift", c.pose_shift, between(0, 10), "sigma of a random shift after the tree");
  visit("pose_jitter", c.pose_jitter, between(0, 10), "sigma of coordinate noise after the tree");
  visit("leaf_dropout", c.leaf_dropout, between(0, 1),
        "share of sibling leaves of which one loses its point, same tree");
  visit("partial_probability", o.partial_probability, between(0, 1),
        "share seen from one side only");
  visit("elevation_low", o.elevation_low, between(-90, 90),
        "partial views: lowest elevation, degrees");
  visit("elevation_high", o.elevation_high, between(-90, 90), "partial views: highest elevation");
  visit("ring_probability", o.ring_probability, between(0, 1),
        "partial views: share cut into lidar rows");
  visit("rings_low", o.rings_low, at_least(1), "fewest lidar rows over the cloud's height");
  visit("rings_high", o.rings_high, at_least(1), "most lidar rows over the cloud's height");
  visit("crop_share", o.crop_share, between(0, 1), "up to this share is hidden");
  visit("drop_out", o.drop_out, between(0, 1), "up to this share of the points is lost");
  visit("sparse_probability", o.sparse_probability, between(0, 1), "share thinned to few points");
  visit("jitter", o.jitter, at_least(0), "sigma of the noise, in mean radii");
  visit("tilt", o.tilt, between(0, 180), "turn by up to so many degrees about a level axis");
  visit("turn", o.turn, FieldRule{}, "turn by any angle about z");
  visit("minimum_points", o.minimum_points, at_least(1),
        "observation leaves at least so many points");
}

template <typename Visit>
void visit_fields(OptimizerConfig& c, Visit&& visit) {
  visit("name", c.name, one_of({"adam", "adamw"}), "adam (decay added to the gradient) or adamw");
  visit("learning_rate", c.learning_rate, at_least(0), "highest learning rate");
  visit("beta1", c.beta1, between(0, 1), "decay of the first moment");
  visit("beta2", c.beta2, between(0, 1), "decay of the second moment");
  visit("epsilon", c.epsilon, at_least(0), "added to the root of the second moment");
  visit("weight_decay", c.weight_decay, at_least(0),
        "decay of weights; biases and norms are spared");
  visit("clip_norm", c.clip_norm, at_least(0),
        "largest L2 norm of the whole gradient; 0: no limit");
  visit("ema_decay", c.ema_decay, between(0, 1),
        "decay of the averaged weights that are kept; 0: off");
}

template <typename Visit>
void visit_fields(ScheduleConfig& c, Visit&& visit) {
  visit("name", c.name, one_of({"constant", "exponential", "cosine", "one_cycle"}),
        "shape of the learning rate over the run");
  visit("factor", c.factor, between(0, 1), "exponential: what the rate is multiplied with");
  visit("every", c.every, at_least(1), "exponential: steps between two multiplications");
  visit("warmup", c.warmup, between(0, 1), "share of the run in which the rate rises");
  visit("floor", c.floor, between(0, 1), "cosine, one_cycle: last rate as a share of the highest");
}

template <typename Visit>
void visit_fields(LossConfig& c, Visit&& visit) {
  visit("label_smoothing", c.label_smoothing, between(0, 1), "share given to all classes alike");
  visit("auxiliary_weight", c.auxiliary_weight, at_least(0),
        "weight of the auxiliary heads' losses");
  visit("class_balance", c.class_balance, between(0, 1),
        "weight of a class: its share of the batch to the power of minus this; 0: all alike");
  visit("mix_probability", c.mix_probability, between(0, 1),
        "classification: share of steps whose clouds exchange subtrees, and labels in proportion");
}

template <typename Visit>
void visit_fields(RunConfig& c, Visit&& visit) {
  visit("folder", c.folder, FieldRule{}, "folder of the run");
  visit("start", c.start, FieldRule{},
        "bundle whose weights the run starts from, where layers agree; empty: random weights");
  visit("steps", c.steps, at_least(0), "optimiser steps; 0: epochs decides");
  visit("epochs", c.epochs, at_least(0), "passes over the training clouds, where steps is 0");
  visit("batch", c.batch, at_least(2), "clouds per step over all processes");
  visit("seed", c.seed, at_least(0), "seed of weights, order and augmentation");
  visit("threads", c.threads, at_least(0),
        "threads of the network's arithmetic; 0: LibTorch decides");
  visit("validate_every", c.validate_every, at_least(0),
        "steps between validations; 0: each epoch");
  visit("validation_limit", c.validation_limit, at_least(0), "validation clouds used; 0: all");
  visit("validate_whole", c.validate_whole, FieldRule{},
        "validate on whole clouds: partial views, losses and noise are for training only");
  visit("checkpoint_minutes", c.checkpoint_minutes, at_least(0),
        "time between checkpoints; 0: after every step");
  visit("log_every", c.log_every, at_least(1), "steps per line of the step log");
  visit("device", c.device, FieldRule{}, "where the network is trained: auto, cpu or cuda:N");
  visit("amp", c.amp, FieldRule{}, "on a CUDA device: products in bfloat16");
  visit("trees", c.trees, one_of({"auto", "loader", "device"}),
        "poses and trees: by the loader, on the device, or there unless it is the CPU");
}

/// Calls visit(name, section) for every section whose fields are in this table.
template <typename Config, typename Visit>
void visit_sections(Config& config, Visit&& visit) {
  visit("data", config.data);
  visit("augment", config.augment);
  visit("optimizer", config.optimizer);
  visit("schedule", config.schedule);
  visit("loss", config.loss);
  visit("run", config.run);
}

}  // namespace pointtree::training
