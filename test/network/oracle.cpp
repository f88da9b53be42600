// SPDX-License-Identifier: Apache-2.0
#include "network/oracle.hpp"

#include <algorithm>
#include <cmath>

namespace pointtree::network {
namespace {

using Vector = Oracle::Vector;
using Rows = Oracle::Rows;

Vector joined(Vector first, const Vector& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

void add_to(Vector& sum, const Vector& value) {
  for (std::size_t i = 0; i < value.size(); ++i) sum[i] += value[i];
}

void raise_to(Vector& largest, const Vector& value) {
  for (std::size_t i = 0; i < value.size(); ++i) largest[i] = std::max(largest[i], value[i]);
}

/// p · (M + I) for the three coordinates.
void move(Rows& points, const Vector& map) {
  for (Vector& point : points) {
    const Vector before = point;
    for (int c = 0; c < 3; ++c) {
      for (int r = 0; r < 3; ++r) point[c] += before[r] * map[3 * r + c];
    }
  }
}

void average(Rows& rows, const std::vector<int>& owner) {
  const Rows before = rows;
  for (std::size_t i = 0; i < owner.size(); ++i) {
    Vector sum(rows[i].size(), 0.0);
    int count = 0;
    for (std::size_t j = 0; j < owner.size(); ++j) {
      if (owner[j] != owner[i]) continue;
      add_to(sum, before[j]);
      ++count;
    }
    for (double& value : sum) value /= count;
    rows[i] = sum;
  }
}

}  // namespace

Oracle::Oracle(const inference::ModelConfig& config, std::map<std::string, Vector> weights)
    : config_(config), weights_(std::move(weights)) {}

Vector Oracle::dense(const std::string& layer, const Vector& input, bool relu) const {
  const Vector& weight = weights_.at(layer + ".linear.weight");
  Vector output = weights_.at(layer + ".linear.bias");
  const bool normalised = weights_.count(layer + ".norm.weight") > 0;
  const bool leaky = weights_.count(layer + ".activation.weight") > 0;
  for (std::size_t o = 0; o < output.size(); ++o) {
    double& value = output[o];
    for (std::size_t i = 0; i < input.size(); ++i) value += weight[o * input.size() + i] * input[i];
    if (normalised) {
      value = (value - weights_.at(layer + ".norm.running_mean")[o]) /
                  std::sqrt(weights_.at(layer + ".norm.running_var")[o] + 1e-5) *
                  weights_.at(layer + ".norm.weight")[o] +
              weights_.at(layer + ".norm.bias")[o];
    }
    if (leaky && value < 0.0) value *= weights_.at(layer + ".activation.weight")[0];
    if (relu) value = std::max(value, 0.0);
  }
  return output;
}

Vector Oracle::mlp(const std::string& name, Vector value, bool relu_between) const {
  for (int i = 0; has(name + "." + std::to_string(i)); ++i) {
    const bool last = !has(name + "." + std::to_string(i + 1));
    value = dense(name + "." + std::to_string(i), value, relu_between && !last);
  }
  return value;
}

Vector Oracle::parent(const std::string& level, const Vector& left, const Vector& right) const {
  if (config_.merge == inference::Merge::concat_mlp) return dense(level, joined(left, right));
  const auto mapped = [&](const Vector& child) { return has(level) ? dense(level, child) : child; };
  Vector value = mapped(left);
  raise_to(value, mapped(right));
  return value;
}

Vector Oracle::leaf_channels(const Vector& point) const {
  const std::size_t shapes = config_.features.subtree_shapes ? 26 : 0;
  return Vector(point.begin(), point.end() - static_cast<std::ptrdiff_t>(shapes));
}

std::vector<Rows> Oracle::encode(const std::string& name, const Rows& points) const {
  std::vector<Rows> levels(1);
  for (const Vector& point : points) levels[0].push_back(mlp(name + ".leaf", leaf_channels(point)));
  while (levels.back().size() > 1) {
    const Rows& children = levels.back();
    const std::string level = name + ".levels." + std::to_string(levels.size() - 1);
    Rows parents;
    for (std::size_t i = 0; i < children.size(); i += 2) {
      parents.push_back(parent(level, children[i], children[i + 1]));
    }
    const std::string shape = name + ".shapes." + std::to_string(levels.size() - 1);
    const std::size_t subtree = points.size() / parents.size();
    for (std::size_t i = 0; has(shape + ".0") && i < parents.size(); ++i) {
      // A subtree is described in the row of its middle leaf, behind what leaves see.
      const Vector& row = points[i * subtree + subtree / 2];
      const auto seen = static_cast<std::ptrdiff_t>(leaf_channels(row).size());
      add_to(parents[i], mlp(shape, Vector(row.begin() + seen, row.end())));
    }
    levels.push_back(parents);
  }
  return levels;
}

Vector Oracle::pool_levels(const std::vector<Rows>& levels) const {
  Vector seen = levels.back()[0];
  for (int i = 0; has("readouts." + std::to_string(i)); ++i) {
    const std::string pooling = "readouts." + std::to_string(i);
    const Rows& nodes = levels[static_cast<std::size_t>(i) + 3];  // from subtrees of 8 points on
    Vector largest = dense(pooling, nodes[0]);
    for (const Vector& node : nodes) raise_to(largest, dense(pooling, node));
    seen = joined(seen, largest);
  }
  return seen;
}

Rows Oracle::decode(const std::string& name, const std::vector<Rows>& levels) const {
  Rows carry = levels.back();
  for (std::size_t step = 0; step + 1 < levels.size(); ++step) {
    const Rows& own = levels[levels.size() - 2 - step];
    Rows next;
    for (std::size_t i = 0; i < own.size(); ++i) {
      next.push_back(dense(name + ".levels." + std::to_string(step), joined(own[i], carry[i / 2])));
    }
    carry = next;
  }
  return carry;
}

Rows Oracle::align(Rows points) const {
  if (config_.alignment == inference::Alignment::none) return points;
  Vector largest;
  for (const Vector& point : points) {
    const Vector value = mlp("alignment.tnet.point", point, true);
    if (largest.empty()) largest = value;
    raise_to(largest, value);
  }
  move(points, mlp("alignment.tnet.global", largest, true));
  if (config_.alignment == inference::Alignment::tree) {
    move(points, mlp("alignment.head", encode("alignment.encoder", points).back()[0]));
  }
  return points;
}

Rows Oracle::logits(Rows points, const std::vector<int>& owner) const {
  points = align(std::move(points));
  const int blocks = config_.variant == inference::Variant::rns ? config_.blocks : 0;
  for (int b = 0; b < blocks; ++b) {
    const std::string name = "blocks." + std::to_string(b);
    Rows features = decode(name + ".decoder", encode(name + ".encoder", points));
    average(features, owner);
    for (std::size_t i = 0; b > 0 && i < features.size(); ++i) add_to(features[i], points[i]);
    points = features;
  }
  const auto levels = encode("encoder", points);
  if (config_.task == inference::Task::classification) return {mlp("head", pool_levels(levels))};
  Rows features = decode("decoder", levels);
  average(features, owner);
  for (Vector& feature : features) feature = mlp("head", feature);
  return features;
}

}  // namespace pointtree::network
