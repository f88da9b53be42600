// SPDX-License-Identifier: Apache-2.0
#include "ground_truth.hpp"

#include <spdlog/fmt/fmt.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

#include "pointtree/io/semantickitti.hpp"

namespace pointtree::cli {
namespace {

void add_name(const std::vector<std::string>& classes, std::int32_t number, const std::string& name,
              LabelMap& map) {
  const auto found = std::find(classes.begin(), classes.end(), name);
  map[number] = found == classes.end() ? kForeignClass : static_cast<int>(found - classes.begin());
}

/// The name of one of SemanticKITTI's classes in `classes`, or that of the wider class which
/// models of clusters have instead.
const std::string& name_among(const std::vector<std::string>& classes, const std::string& name) {
  static const std::map<std::string, std::string> kWider = {{"bicycle", "two-wheeler"},
                                                            {"motorcycle", "two-wheeler"},
                                                            {"bicyclist", "two-wheeler"},
                                                            {"motorcyclist", "two-wheeler"},
                                                            {"other-vehicle", "truck"}};
  const auto wider = kWider.find(name);
  const bool known = std::find(classes.begin(), classes.end(), name) != classes.end();
  return known || wider == kWider.end() ? name : wider->second;
}

}  // namespace

LabelMap read_label_map(const std::filesystem::path& path,
                        const std::vector<std::string>& classes) {
  LabelMap map;
  try {
    const YAML::Node root = YAML::LoadFile(path.string());
    if (root.IsSequence()) {
      for (std::size_t i = 0; i < root.size(); ++i) {
        add_name(classes, static_cast<std::int32_t>(i), root[i].as<std::string>(), map);
      }
    } else if (root.IsMap()) {
      for (const auto& entry : root) {
        add_name(classes, entry.first.as<std::int32_t>(), entry.second.as<std::string>(), map);
      }
    } else {
      throw std::runtime_error("expected a list of names or a map from number to name");
    }
  } catch (const std::exception& error) {
    throw std::runtime_error(fmt::format("{}: {}", path.string(), error.what()));
  }
  const auto known = [](const auto& entry) { return entry.second != kForeignClass; };
  if (std::none_of(map.begin(), map.end(), known)) {
    throw std::runtime_error(fmt::format("{}: none of its names is a class of the model ({})",
                                         path.string(), fmt::join(classes, ", ")));
  }
  return map;
}

LabelMap semantickitti_label_map(const std::vector<std::string>& classes) {
  constexpr std::int32_t kNumbers = 260;
  LabelMap map;
  for (std::int32_t number = 0; number < kNumbers; ++number) {
    const int label = io::semantickitti_class(static_cast<std::uint32_t>(number));
    if (label < 0) continue;
    const std::string& name = io::semantickitti_classes()[static_cast<std::size_t>(label)];
    add_name(classes, number, name_among(classes, name), map);
  }
  return map;
}

GroundTruth::GroundTruth(LabelMap labels, std::size_t classes)
    : labels_(std::move(labels)),
      classes_(static_cast<int>(classes)),
      points_(classes_ + 1),
      objects_(classes_ + 1) {}

int GroundTruth::class_of(double label) const {
  // Also where a field of reals holds something that is no 32-bit number.
  if (!(label >= std::numeric_limits<std::int32_t>::min() &&
        label <= std::numeric_limits<std::int32_t>::max()))
    return classes_;
  const auto found = labels_.find(static_cast<std::int32_t>(label));
  return found == labels_.end() ? classes_ : found->second;
}

std::vector<int> GroundTruth::evaluate(const perception::CloudView& cloud,
                                       const perception::FrameResult& result) {
  std::vector<int> truths(result.objects.size(), -1);
  const auto field = cloud.field("label");
  if (!field) return truths;
  // Last column: points without a class.
  std::vector<std::vector<int>> votes(result.objects.size(),
                                      std::vector<int>(static_cast<std::size_t>(classes_) + 1, 0));
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    const int known = class_of(field->read(cloud.address(i)));
    if (known == kForeignClass) ++foreign_points_;
    const int truth = known == kForeignClass ? classes_ : known;
    const perception::PointLabel& label = result.labels[i];
    if (label.object >= 0)
      ++votes[static_cast<std::size_t>(label.object)][static_cast<std::size_t>(truth)];
    if (truth == classes_ || label.role == perception::PointRole::dropped) continue;
    points_.add(truth, std::min<int>(label.class_id, classes_));
  }
  for (std::size_t k = 0; k < votes.size(); ++k) {
    const auto most = std::max_element(votes[k].begin(), votes[k].end());
    const int truth = static_cast<int>(most - votes[k].begin());
    if (truth == classes_) continue;
    truths[k] = truth;
    // An object that was never classified is as unknown as one with too little confidence.
    objects_.add(truth, std::min<int>(result.objects[k].class_id, classes_));
  }
  return truths;
}

std::vector<int> GroundTruth::point_classes(const perception::CloudView& cloud) const {
  const auto field = cloud.field("label");
  if (!field || labels_.empty()) return {};
  std::vector<int> classes;
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    const int truth = class_of(field->read(cloud.address(i)));
    classes.push_back(truth == classes_ ? -1 : truth);
  }
  return classes;
}

}  // namespace pointtree::cli
