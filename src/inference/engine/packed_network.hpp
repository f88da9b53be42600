// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "folding.hpp"
#include "fused_mlp.hpp"
#include "packed_linear.hpp"

namespace pointtree::inference::engine {

/// Layers one after the other.
using PackedMlp = std::vector<PackedLinear>;

/// One step from children to parents.
struct PackedLevel {
  std::optional<PackedLinear> map;  ///< absent: features are merged as they are
  bool concatenates = false;        ///< children side by side rather than their maximum
  PackedMlp shape;                  ///< of the shapes of the parents' subtrees; empty: none
};

/// The bottom-up flow.
struct PackedEncoder {
  PackedMlp leaf;
  std::vector<PackedLevel> levels;
  std::vector<std::size_t> widths;  ///< from leaves to root
};

/// A level's input to the head: the maximum of a map's outputs over its nodes.
struct PackedLevelPooling {
  std::size_t level = 0;  ///< levels above the leaves
  PackedMlp map;          ///< one layer
};

/// One step from parents to children, split so that the parent's part is computed once for both.
struct PackedCarry {
  PackedLinear own;
  PackedLinear parent;
};

/// The top-down flow, from the root's children to the leaves.
struct PackedDecoder {
  std::vector<PackedCarry> levels;
  std::size_t width = 0;
};

/// The alignment network.
struct PackedAlignment {
  PackedMlp point;
  PackedMlp global;
  std::optional<PackedEncoder> encoder;
  PackedMlp head;
};

/// An rns block.
struct PackedBlock {
  PackedEncoder encoder;
  PackedDecoder decoder;
};

/// A network as the engine runs it; what only training needs is left out.
struct PackedNetwork {
  ModelConfig config;
  std::optional<PackedAlignment> alignment;
  std::vector<PackedBlock> blocks;
  PackedEncoder encoder;
  std::vector<PackedLevelPooling> level_poolings;
  std::optional<PackedDecoder> decoder;
  PackedMlp head;
  std::size_t weight_bytes = 0;
};

/// Folds and packs every layer. Thin layers, the first of the leaves and those that end in few
/// numbers keep float32 in any precision: they cost little and decide much. So do small layers
/// instead of bfloat16, which saves time only where weights are read from memory.
PackedNetwork pack_network(const NetworkPlan& plan, Precision precision, const TensorReader& read);

}  // namespace pointtree::inference::engine
