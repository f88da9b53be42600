// SPDX-License-Identifier: Apache-2.0
#include "block_votes.hpp"

#include <algorithm>

namespace pointtree::perception {
namespace {

/// The row of the network's output that labels each point of a block.
std::vector<std::int32_t> rows_for(const PointBuffer& points, const Block& block,
                                   const std::vector<std::int32_t>& rows,
                                   const inference::Segmentation& answer) {
  std::vector<std::int32_t> row_of(block.size(), -1);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    row_of[static_cast<std::size_t>(rows[row])] = static_cast<std::int32_t>(row);
  }
  const geometry::PreAlignment& pose = answer.pre_alignment;
  for (std::size_t k = 0; k < block.size(); ++k) {
    if (row_of[k] >= 0) continue;
    const Eigen::RowVector3d point = points[block[k]].transpose().cast<double>();
    const Eigen::RowVector3d aligned = point * pose.linear + pose.translation;
    const std::int32_t leaf = answer.tree.locate(aligned.transpose());
    row_of[k] = answer.tree.leaf_order()[static_cast<std::size_t>(leaf)];
  }
  return row_of;
}

}  // namespace

void BlockVotes::add(const PointBuffer& points, const Block& block,
                     const std::vector<std::int32_t>& rows, const inference::Segmentation& answer) {
  const std::vector<std::int32_t> row_of = rows_for(points, block, rows, answer);
  for (std::size_t k = 0; k < block.size(); ++k) {
    const auto row = static_cast<std::size_t>(row_of[k]);
    std::uint32_t& place = place_[block[k]];
    if (place == kNone) {
      place = static_cast<std::uint32_t>(counts_.size());
      sums_.resize(sums_.size() + classes_);
      entropies_.push_back(0.0F);
      counts_.push_back(0);
    }
    sums_[place * classes_ + answer.labels[row]] += answer.probabilities[row];
    entropies_[place] += answer.entropies[row];
    ++counts_[place];
  }
}

PointLabel BlockVotes::label(std::size_t point, float min_confidence) const {
  PointLabel label;
  label.role = PointRole::background;
  const std::uint32_t place = place_[point];
  if (place == kNone) return label;
  label.role = PointRole::object;
  const auto first = sums_.begin() + static_cast<std::ptrdiff_t>(place * classes_);
  const auto winner = std::max_element(first, first + static_cast<std::ptrdiff_t>(classes_));
  const float votes = counts_[place];
  if (*winner / votes < min_confidence) return label;
  label.class_id = static_cast<std::uint8_t>(winner - first);
  label.probability = *winner / votes;
  label.entropy = entropies_[place] / votes;
  return label;
}

}  // namespace pointtree::perception
