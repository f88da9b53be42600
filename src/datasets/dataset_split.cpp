// SPDX-License-Identifier: Apache-2.0
#include "datasets/dataset_split.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "geometry/seed.hpp"

namespace pointtree::datasets {

std::vector<std::vector<std::size_t>> stratified_split(const std::vector<std::int32_t>& labels,
                                                       const std::vector<double>& shares,
                                                       std::uint64_t seed) {
  std::map<std::int32_t, std::vector<std::size_t>> members;
  for (std::size_t i = 0; i < labels.size(); ++i) members[labels[i]].push_back(i);

  std::vector<std::vector<std::size_t>> parts(shares.size());
  for (auto& [label, indices] : members) {
    geometry::Random random(geometry::mix_seed({seed, static_cast<std::uint64_t>(label)}));
    geometry::shuffle(indices, random);
    std::size_t begin = 0;
    double share_so_far = 0.0;
    for (std::size_t part = 0; part < shares.size(); ++part) {
      share_so_far += shares[part];
      const bool last = part + 1 == shares.size();
      const auto wanted =
          static_cast<std::size_t>(std::lround(share_so_far * static_cast<double>(indices.size())));
      const std::size_t end = last ? indices.size() : std::clamp(wanted, begin, indices.size());
      parts[part].insert(parts[part].end(), indices.begin() + static_cast<std::ptrdiff_t>(begin),
                         indices.begin() + static_cast<std::ptrdiff_t>(end));
      begin = end;
    }
  }
  for (auto& part : parts) std::sort(part.begin(), part.end());
  return parts;
}

std::optional<std::vector<std::size_t>> standard_cut(const std::vector<std::int32_t>& labels,
                                                     const std::string& split) {
  const auto parts = stratified_split(labels, {0.7, 0.1, 0.2});
  if (split == "train") return parts[0];
  if (split == "validation") return parts[1];
  if (split == "test") return parts[2];
  return std::nullopt;
}

}  // namespace pointtree::datasets
