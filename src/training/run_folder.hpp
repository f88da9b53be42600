// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "pointtree/network/network.hpp"
#include "training/run_log.hpp"
#include "training/scores.hpp"
#include "training/train_config.hpp"

namespace pointtree::training {

/// Writes `classes.csv` (name, clouds or points, accuracy, IoU) and `confusion.png`.
void write_class_report(const std::filesystem::path& folder, const Evaluator& evaluator,
                        const Scores& scores);

/// Writes a bundle with the network's present weights and the validation's scores.
void export_bundle(const std::filesystem::path& folder, const TrainConfig& config,
                   const Evaluator& evaluator, const network::PointTreeNet& network,
                   const ValidationRecord& validation);

}  // namespace pointtree::training
