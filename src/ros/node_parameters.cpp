// SPDX-License-Identifier: Apache-2.0
#include "ros/node_parameters.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <regex>

namespace pointtree::ros {
namespace {

/// What the nodes know beside the pipeline.
io::Fields own_fields(NodeConfig& c) {
  const io::Names kReliabilities = {"best_effort", "reliable"};
  const io::Names kDurabilities = {"volatile", "transient_local"};
  return {
      {"model", c.model,
       "folder of the model bundle, or the name of one that comes with the package"},
      {"device", c.device, "where the network runs: auto, cpu or cuda:N"},
      {"precision", c.precision, "how the weights are multiplied; bundle: as they are stored",
       io::Names{"bundle", "float32", "bfloat16", "int8"}},
      {"threads",
       c.threads,
       "threads of the network and of the trees; 0: as many as cores",
       {0, 256}},
      {"max_batch", c.max_batch, "objects or columns in one pass of the network", {1, 1024}},
      {"paused", c.paused, "clouds are dropped and counted, nothing is computed"},
      {"target_frame", c.target_frame,
       "frame in which clouds are processed and published; empty: their own"},
      {"transform_timeout",
       c.transform_timeout,
       "longest wait for the transform to target_frame; then the cloud is rejected",
       {0, 10, "s"}},
      {"diagnostics.warn_latency",
       c.warn_latency,
       "a cloud answered later than this after its arrival makes a warning",
       {0, 1e6, "ms"}},
      {"diagnostics.error_latency",
       c.error_latency,
       "a cloud answered later than this after its arrival makes an error",
       {0, 1e6, "ms"}},
      {"diagnostics.period",
       c.diagnostics_period,
       "time between two diagnostic messages",
       {0.05, 60, "s"}},
      {"diagnostics.silence_timeout",
       c.silence_timeout,
       "after so long without a cloud the log says what is seen on the input",
       {0.1, 1e6, "s"}},
      {"segmentation.class_ids", c.class_ids,
       "class_id in output/segmentation: the model's numbers, or Autoware's after autoware.yaml in "
       "the bundle",
       io::Names{"model", "autoware"}},
      {"filter.classes", c.filter_classes,
       "names with commas, also unknown and ground: the points in output/filtered; empty: all "
       "but the ground"},
      {"detections.unknown", c.unknown_detections,
       "output/detections and detected_objects also have objects below min_confidence, as class "
       "unknown"},
      {"input_qos.reliability", c.input_qos.reliability,
       "auto: reliable if all publishers are, else best_effort; best_effort hears every publisher, "
       "reliable asks for lost messages again",
       io::Names{"auto", "best_effort", "reliable"}},
      {"input_qos.durability", c.input_qos.durability,
       "transient_local also hears what was published before the start", kDurabilities},
      {"input_qos.depth",
       c.input_qos.depth,
       "clouds that the middleware keeps for the node",
       {1, 1000}},
      {"output_qos.reliability", c.output_qos.reliability,
       "reliable serves every subscriber; best_effort never waits for one", kReliabilities},
      {"output_qos.durability", c.output_qos.durability,
       "transient_local gives late subscribers the last results", kDurabilities},
      {"output_qos.depth",
       c.output_qos.depth,
       "results that the middleware keeps for a slow subscriber",
       {1, 1000}},
  };
}

/// Rules that are not about one number or choice.
std::vector<std::string> validate(const NodeConfig& config) {
  std::vector<std::string> faults = perception::validate(config.pipeline);
  NodeConfig copy = config;
  for (auto& fault : io::out_of_limits(own_fields(copy))) faults.push_back(std::move(fault));
  static const std::regex kDevice("auto|cpu|cuda:[0-9]{1,3}");
  if (!std::regex_match(config.device, kDevice)) {
    faults.push_back(
        fmt::format("device: expected auto, cpu or cuda:N, found '{}'", config.device));
  }
  if (config.model.empty())
    faults.emplace_back("model: expected a folder or a name, found nothing");
  if (config.warn_latency > config.error_latency) {
    faults.push_back(
        fmt::format("diagnostics.warn_latency is {}, more than "
                    "diagnostics.error_latency, which is {}",
                    config.warn_latency, config.error_latency));
  }
  return faults;
}

}  // namespace

io::Fields fields_of(NodeConfig& config) {
  io::Fields fields = own_fields(config);
  for (io::Field& field : fields_of(config.pipeline)) fields.push_back(std::move(field));
  return fields;
}

ChangeEffect effect_of(const std::string& name) {
  const auto is_one_of = [&](const io::Names& names) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  if (name.find("_qos.") != std::string::npos) return ChangeEffect::never;
  if (is_one_of({"model", "device", "precision", "threads", "max_batch"}))
    return ChangeEffect::new_model;
  const bool at_once = name.rfind("diagnostics.", 0) == 0 ||
                       is_one_of({"paused", "transform_timeout", "detections.unknown"});
  return at_once ? ChangeEffect::at_once : ChangeEffect::new_pipeline;
}

tl::expected<NodeConfig, std::string> with_changes(NodeConfig config,
                                                   const ParameterChanges& changes) {
  std::vector<std::string> faults;
  const io::Fields fields = fields_of(config);
  for (const auto& [name, value] : changes) {
    if (const auto done = io::assign(fields, name, value); !done) faults.push_back(done.error());
  }
  if (faults.empty()) faults = validate(config);
  if (!faults.empty()) return tl::unexpected(fmt::format("{}", fmt::join(faults, "; ")));
  return config;
}

ChangeEffect effect_of(NodeConfig from, NodeConfig to) {
  ChangeEffect effect = ChangeEffect::at_once;
  const io::Fields before = fields_of(from);
  const io::Fields after = fields_of(to);
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (before[i].get() != after[i].get()) effect = std::max(effect, effect_of(before[i].name));
  }
  return effect;
}

}  // namespace pointtree::ros
