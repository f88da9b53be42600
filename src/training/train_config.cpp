// SPDX-License-Identifier: Apache-2.0
#include "training/train_config.hpp"

#include <yaml-cpp/yaml.h>

#include <fstream>
#include <sstream>
#include <stdexcept>

#include "io/fields.hpp"

namespace pointtree::training {
namespace {

io::Fields fields_of(DataConfig& c) {
  return {
      {"path", c.path, "folder of the data set, or key=value pairs of a generated one"},
      {"kind", c.kind, "reader of the data set; auto: told from the files"},
      {"train_split", c.train_split, "split that is learned from"},
      {"validation_split", c.validation_split, "split that the best model is chosen on"},
      {"name", c.name, "name of the data, for the bundle's manifest"},
      {"terms", c.terms, "terms of use of the data, for the bundle's manifest"},
      {"units", c.units, "units of the coordinates, for the bundle's manifest"},
      {"repeat", c.repeat, "differently augmented copies of every cloud in an epoch", {1}},
      {"fresh", c.fresh, "new augmentation every epoch; otherwise the same for ever"},
      {"balance", c.balance, "repeat the clouds of rare classes"},
      {"channels", c.channels,
       "channels of the data given to the network, separated by commas, and size, which is "
       "computed; empty: all that the data have"},
      {"limit", c.limit, "learn from only this many clouds; 0: all", {0}},
      {"workers", c.workers, "threads that prepare batches ahead of the network", {1, 256}},
  };
}

io::Fields fields_of(datasets::AugmentationConfig& c) {
  datasets::ObservationConfig& o = c.observation;
  return {
      {"transformation", c.transformation, "drawn for every cloud"},
      {"form", c.form, "whose description of the transformation is followed"},
      {"warp", c.warp, "sigma of the terms of a quadratic warp of the shape", {0, 10}},
      {"signed_permutation", c.signed_permutation, "permute and flip axes, same tree"},
      {"pose_linear", c.pose_linear, "sigma of a random linear map after the tree", {0, 10}},
      {"pose_shift", c.pose_shift, "sigma of a random shift after the tree", {0, 10}},
      {"pose_jitter", c.pose_jitter, "sigma of coordinate noise after the tree", {0, 10}},
      {"leaf_dropout",
       c.leaf_dropout,
       "share of sibling leaves of which one loses its point, same tree",
       {0, 1}},
      {"partial_probability", o.partial_probability, "share seen from one side only", {0, 1}},
      {"ring_probability", o.ring_probability, "partial views: share cut into lidar rows", {0, 1}},
      {"crop_share", o.crop_share, "up to this share is hidden", {0, 1}},
      {"drop_out", o.drop_out, "up to this share of the points is lost", {0, 1}},
      {"sparse_probability", o.sparse_probability, "share thinned to few points", {0, 1}},
      {"jitter", o.jitter, "sigma of the noise, in mean radii", {0}},
      {"tilt", o.tilt, "turn by up to so many degrees about a level axis", {0, 180}},
      {"turn", o.turn, "turn by any angle about z"},
      {"minimum_points", o.minimum_points, "observation leaves at least so many points", {1}},
  };
}

io::Fields fields_of(OptimizerConfig& c) {
  return {
      {"name", c.name, "adam (decay added to the gradient) or adamw", io::Names{"adam", "adamw"}},
      {"learning_rate", c.learning_rate, "highest learning rate", {0}},
      {"beta1", c.beta1, "decay of the first moment", {0, 1}},
      {"beta2", c.beta2, "decay of the second moment", {0, 1}},
      {"epsilon", c.epsilon, "added to the root of the second moment", {0}},
      {"weight_decay", c.weight_decay, "decay of weights; biases and norms are spared", {0}},
      {"clip_norm", c.clip_norm, "largest L2 norm of the whole gradient; 0: no limit", {0}},
      {"ema_decay", c.ema_decay, "decay of the averaged weights that are kept; 0: off", {0, 1}},
  };
}

io::Fields fields_of(ScheduleConfig& c) {
  return {
      {"name", c.name, "shape of the learning rate over the run",
       io::Names{"constant", "exponential", "cosine", "one_cycle"}},
      {"factor", c.factor, "exponential: what the rate is multiplied with", {0, 1}},
      {"every", c.every, "exponential: steps between two multiplications", {1}},
      {"warmup", c.warmup, "share of the run in which the rate rises", {0, 1}},
      {"floor", c.floor, "cosine, one_cycle: last rate as a share of the highest", {0, 1}},
  };
}

io::Fields fields_of(LossConfig& c) {
  return {
      {"label_smoothing", c.label_smoothing, "share given to all classes alike", {0, 1}},
      {"class_balance",
       c.class_balance,
       "weight of a class: its share of the batch to the power of minus this; 0: all alike",
       {0, 1}},
      {"mix_probability",
       c.mix_probability,
       "classification: share of steps whose clouds exchange subtrees, and labels in proportion",
       {0, 1}},
  };
}

io::Fields fields_of(RunConfig& c) {
  return {
      {"folder", c.folder, "folder of the run"},
      {"start", c.start,
       "bundle whose weights the run starts from, where layers agree; empty: random weights"},
      {"steps", c.steps, "optimiser steps; 0: epochs decides", {0}},
      {"epochs", c.epochs, "passes over the training clouds, where steps is 0", {0}},
      {"batch", c.batch, "clouds per step over all processes", {2}},
      {"seed", c.seed, "seed of weights, order and augmentation", {0}},
      {"threads", c.threads, "threads of the network's arithmetic; 0: LibTorch decides", {0}},
      {"validate_every", c.validate_every, "steps between validations; 0: each epoch", {0}},
      {"validate_whole", c.validate_whole,
       "validate on whole clouds: partial views, losses and noise are for training only"},
      {"checkpoint_minutes",
       c.checkpoint_minutes,
       "time between checkpoints; 0: after every step",
       {0}},
      {"log_every", c.log_every, "steps per line of the step log", {1}},
      {"device", c.device, "where the network is trained: auto, cpu or cuda:N"},
      {"amp", c.amp,
       "products in bfloat16; pays on a CUDA device and on processors with AVX512-BF16"},
      {"trees", c.trees,
       "poses and trees: by the loader, on the device, or there unless it is the CPU",
       io::Names{"auto", "loader", "device"}},
  };
}

TrainConfig read_document(YAML::Node document, const std::vector<std::string>& overrides) {
  for (const auto& assignment : overrides)
    io::override_key(document, assignment, "section.key=value");
  TrainConfig config;
  io::refuse(io::read_yaml(document, fields_of(config)));
  io::refuse(io::out_of_limits(fields_of(config)));
  inference::finish_model_config(config.model, document.IsMap() ? document["model"] : YAML::Node(),
                                 "model.");
  return config;
}

}  // namespace

io::Fields fields_of(TrainConfig& config) {
  io::Fields fields;
  io::add_section(fields, "model", fields_of(config.model));
  io::add_section(fields, "data", fields_of(config.data));
  io::add_section(fields, "augment", fields_of(config.augment));
  io::add_section(fields, "optimizer", fields_of(config.optimizer));
  io::add_section(fields, "schedule", fields_of(config.schedule));
  io::add_section(fields, "loss", fields_of(config.loss));
  io::add_section(fields, "run", fields_of(config.run));
  return fields;
}

TrainConfig parse_train_config(const std::string& yaml, const std::vector<std::string>& overrides) {
  try {
    return read_document(YAML::Load(yaml), overrides);
  } catch (const YAML::Exception& error) {
    throw std::invalid_argument(std::string("not YAML: ") + error.what());
  }
}

TrainConfig load_train_config(const std::filesystem::path& file,
                              const std::vector<std::string>& overrides) {
  std::ifstream stream(file);
  std::stringstream text;
  if (!(text << stream.rdbuf())) throw std::invalid_argument("cannot read " + file.string());
  try {
    return parse_train_config(text.str(), overrides);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(file.string() + ": " + error.what());
  }
}

std::string to_yaml_text(const TrainConfig& config) {
  TrainConfig copy = config;
  return io::to_yaml(fields_of(copy));
}

}  // namespace pointtree::training
