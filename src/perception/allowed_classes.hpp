// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pointtree/inference/engine.hpp"
#include "pointtree/perception/pipeline_config.hpp"

namespace pointtree::perception {

/// Numbers of the classes in a list of names, the parameter `key`. Throws std::invalid_argument
/// where a name is no class of the model.
std::vector<std::size_t> classes_in(const std::string& list, const char* key,
                                    const std::vector<std::string>& classes, char separator = ',');

/// The model's classes that can occur where the robot is: a street has no sofas.
class AllowedClasses {
 public:
  /// Throws std::invalid_argument where a name is no class of the model, or none is left.
  AllowedClasses(const ClassesConfig& config, const std::vector<std::string>& classes);

  bool allows(std::size_t class_id) const {
    return class_id >= allowed_.size() || allowed_[class_id];
  }

  /// Gives the probability of the ruled-out classes to the others, in proportion, and decides anew.
  void restrict_to_allowed(inference::Classification& answer) const;

 private:
  std::vector<bool> allowed_;
};

/// Per class of the model the kind of thing that it is, −1 where it is none: the place in `things`
/// (ClassesConfig) of the group that names it. Throws as AllowedClasses does.
std::vector<std::int32_t> kinds_of_things(const std::string& things,
                                          const std::vector<std::string>& classes);

}  // namespace pointtree::perception
