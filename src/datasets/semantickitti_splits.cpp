// SPDX-License-Identifier: Apache-2.0
#include "datasets/semantickitti_splits.hpp"

#include <set>
#include <sstream>

#include "datasets/dataset_split.hpp"

namespace pointtree::datasets {

bool sequence_in_split(const std::string& sequence, const std::string& split) {
  static const std::set<std::string> kUnlabelled = {"11", "12", "13", "14", "15", "16",
                                                    "17", "18", "19", "20", "21"};
  const bool validation = sequence == "07" || sequence == "08";
  const bool test = sequence == "10";
  if (split == "all") return true;
  if (split == "validation") return validation;
  if (split == "test" || split == "test_public") return test;
  if (is_training_split(split)) {
    return !test && kUnlabelled.count(sequence) == 0 && (split == "train_all" || !validation);
  }
  std::istringstream names(split);
  for (std::string name; std::getline(names, name, ',');) {
    if (name == sequence) return true;
  }
  return false;
}

}  // namespace pointtree::datasets
