// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "inference/bundle.hpp"
#include "pointtree/inference/engine.hpp"
#include "pointtree/network/network.hpp"

namespace pointtree::network {

/// Builds the bundle's network in evaluation mode; heads that the bundle leaves out keep their
/// random weights.
PointTreeNet load_network(const inference::Bundle& bundle);

/// Copies the layers that a bundle stores under the same name and in the same shape; the others
/// stay as they are. Returns how many were copied.
int copy_weights(const inference::Bundle& bundle, PointTreeNet& network);

/// Writes a network as a float32 bundle without the heads that only training needs.
/// `manifest.model` is taken from the network; missing class names become numbers and missing
/// colours distinct ones.
void save_network(const PointTreeNet& network, const std::filesystem::path& folder,
                  inference::Manifest manifest);

/// An engine that answers as `network` does in evaluation, for networks that are in memory rather
/// than in a bundle; classes are called by their number.
inference::Engine make_engine(const PointTreeNet& network,
                              const inference::EngineOptions& options = {});

}  // namespace pointtree::network
