// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "pointtree/inference/engine.hpp"
#include "pointtree/perception/pipeline_config.hpp"

namespace pointtree::ros {

/// Quality of service of a group of topics, in ROS 2's words.
struct QosConfig {
  std::string reliability = "reliable";  ///< reliable | best_effort; of the input also auto
  std::string durability = "volatile";   ///< volatile | transient_local
  int depth = 5;                         ///< messages kept for a slow receiver
};

/// Everything a node can be told; documented in fields_of().
struct NodeConfig {
  std::string model = "objects";
  std::string device = "auto";
  std::string precision = "bundle";
  int threads = 0;
  int max_batch = 32;
  bool paused = false;
  std::string target_frame;
  double transform_timeout = 0.1;
  double warn_latency = 100.0;
  double error_latency = 1000.0;
  double diagnostics_period = 1.0;
  double silence_timeout = 5.0;
  std::string class_ids = "model";
  std::string filter_classes;
  bool unknown_detections = false;
  QosConfig input_qos{"auto", "volatile", 5};
  QosConfig output_qos;
  perception::PipelineConfig pipeline;
};

/// Its part for the engine.
inference::EngineOptions engine_options(const NodeConfig& config);

/// The folder of the bundle: a path as it is, or a plain name looked for in the folders of models
/// that this package and `POINTTREE_MODELS` (separated by ':') offer. Throws std::runtime_error
/// with the places searched.
std::string find_model(const std::string& model);

}  // namespace pointtree::ros
