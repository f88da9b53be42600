// SPDX-License-Identifier: Apache-2.0
#include "datasets/semantickitti.hpp"

#include <algorithm>
#include <list>
#include <map>
#include <mutex>
#include <sstream>
#include <stdexcept>

#include "datasets/scan_augmentation.hpp"
#include "geometry/seed.hpp"
#include "perception/object_finder.hpp"
#include "perception/scan_blocks.hpp"
#include "pointtree/io/semantickitti.hpp"
#include "pointtree/perception/ground_plane.hpp"
#include "simulation/simulation.hpp"

namespace pointtree::datasets {
namespace {

namespace fs = std::filesystem;

constexpr int kBlockPoints = 4096;
constexpr int kThingClasses = 8;  // car to motorcyclist
constexpr std::size_t kLeastThing = 40;
// Training examples of an epoch; scans that share a batch, and blocks taken of each.
constexpr std::size_t kExamples = 98'304;
constexpr std::size_t kScansAtOnce = 8;
constexpr std::size_t kBlocksOfScan = 12;

const std::vector<std::uint8_t>& ground_classes() {
  static const std::vector<std::uint8_t> kGround = [] {
    std::vector<std::uint8_t> ground;
    for (const std::string& name : io::semantickitti_classes()) {
      ground.push_back(static_cast<std::uint8_t>(name == "road" || name == "parking" ||
                                                 name == "sidewalk" || name == "other-ground" ||
                                                 name == "terrain"));
    }
    return ground;
  }();
  return kGround;
}

std::vector<std::string> divide(const std::string& text, char mark) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, mark);) parts.push_back(part);
  return parts;
}

bool in_split(const std::string& sequence, const std::string& split) {
  const bool validation = sequence == "07" || sequence == "08";
  const bool test = sequence == "10";
  if (split == "validation") return validation;
  if (split == "test") return test;
  if (split == "train") return !validation && !test;
  const auto names = divide(split, ',');
  return std::find(names.begin(), names.end(), sequence) != names.end();
}

// Numbers the things of a scan whose labels do not tell one thing from another: clusters of a
// class.
void number_things(Scan& scan) {
  std::vector<std::int32_t> kinds = scan.labels;
  for (std::int32_t& kind : kinds) kind = kind < kThingClasses ? kind : kNoLabel;
  perception::ObjectFinder finder(perception::default_config(perception::Mode::scene));
  finder.assign_things(scan.points, kinds);
  std::uint32_t number = 0;
  for (const perception::FoundObject& thing : finder.objects()) {
    ++number;
    for (const std::uint32_t point : thing.points) scan.instance[point] = number;
  }
}

void add_point(Scan& scan, const Eigen::Vector3f& p, float intensity, std::int32_t label,
               std::uint32_t instance) {
  static const perception::CropConfig kCrop =
      perception::default_config(perception::Mode::scene).crop;
  if (!(p.norm() >= kCrop.min_range && p.norm() <= kCrop.max_range)) return;
  scan.points.push_back(p);
  scan.intensity.push_back(intensity);
  scan.labels.push_back(label);
  scan.instance.push_back(instance);
}

// Turns a scan so that its ground is level; `name` is for errors.
void make_level(Scan& scan, const std::string& name) {
  if (scan.points.empty()) {
    throw std::runtime_error(name + ": points in range expected, found none");
  }
  const auto plane = perception::find_ground_plane(scan.points, perception::UpDirection::z, 1);
  if (!plane) throw std::runtime_error(name + ": no ground plane found");
  const Eigen::Quaternionf level = perception::level_rotation(plane->up);
  for (Eigen::Vector3f& p : scan.points) p = level * p;
  scan.ground_height = -plane->sensor_height;
}

Scan read_level(const fs::path& file) {
  io::LabelledScan raw = io::read_semantickitti(file);
  const std::vector<std::int32_t> labels = raw.class_labels();
  Scan scan;
  for (Eigen::Index i = 0; i < raw.points.rows(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const std::uint32_t thing = (std::uint32_t{raw.semantic[k]} << 16) | raw.instance[k];
    add_point(scan, raw.points.row(i).transpose(), raw.intensity[k], labels[k],
              raw.instance[k] == 0 ? 0 : thing);
  }
  make_level(scan, file.string());
  if (std::all_of(scan.instance.begin(), scan.instance.end(), [](auto id) { return id == 0; }))
    number_things(scan);
  return scan;
}

// SemanticKITTI's class of what stands in a simulated street; kNoLabel for what it has none of.
std::int32_t class_of_simulated(const std::string& kind) {
  static const std::map<std::string, std::string> kNames = {{"tree", "vegetation"},
                                                            {"bush", "vegetation"},
                                                            {"street_lamp", "pole"},
                                                            {"bollard", "pole"},
                                                            {"traffic_sign", "traffic-sign"}};
  const auto named = kNames.find(kind);
  const auto& classes = io::semantickitti_classes();
  const auto found =
      std::find(classes.begin(), classes.end(), named == kNames.end() ? kind : named->second);
  return found == classes.end() ? kNoLabel : static_cast<std::int32_t>(found - classes.begin());
}

Scan simulate_level(std::uint64_t number) {
  geometry::Random random(geometry::mix_seed({geometry::hash_name("simulated scans"), number}));
  const simulation::Scene street = simulation::make_street(random.below(~std::uint64_t{0}));
  simulation::LidarConfig lidar;
  lidar.columns = 2048;
  const simulation::Scan seen =
      scan_scene(street, simulation::SceneCaster(street), lidar,
                 simulation::pose_on_way(street, random.uniform(0.0, 76.0)), number);
  Scan scan;
  for (Eigen::Index i = 0; i < seen.points.rows(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    if (seen.labels[k] == io::kNoLabel) continue;
    const auto& kind = street.classes[static_cast<std::size_t>(seen.labels[k])];
    add_point(scan, seen.points.row(i).transpose(), seen.intensity[k], class_of_simulated(kind),
              static_cast<std::uint32_t>(seen.instances[k]));
  }
  make_level(scan, "simulated street " + std::to_string(number));
  return scan;
}

// The number in "simulated=12"; 0 for the name of a folder.
std::size_t simulated_scans(const std::string& place) {
  const std::string key = "simulated=";
  if (place.compare(0, key.size(), key) != 0) return 0;
  const std::string count = place.substr(key.size());
  const bool number = !count.empty() && count.size() < 5 &&
                      count.find_first_not_of("0123456789") == std::string::npos;
  if (!number || std::stoul(count) == 0)
    throw std::runtime_error(place + ": a number of scans from 1 to 9999 expected after '='");
  return std::stoul(count);
}

// All scans of a split, a vector per sequence.
std::vector<std::vector<Scan>> read_places(const std::string& dirs, const std::string& split) {
  std::vector<std::vector<Scan>> places;
  for (const std::string& dir : divide(dirs, '+')) {
    if (const std::size_t count = simulated_scans(dir); count > 0) {
      if (split != "train") continue;
      places.emplace_back();
      for (std::size_t i = 0; i < count; ++i) places.back().push_back(simulate_level(i));
      continue;
    }
    const fs::path root = fs::path(dir) / "sequences";
    if (!fs::is_directory(root)) {
      throw std::runtime_error(root.string() + ": a folder of sequences expected, found none");
    }
    std::vector<fs::path> sequences;
    for (const auto& entry : fs::directory_iterator(root)) {
      if (in_split(entry.path().filename().string(), split)) sequences.push_back(entry.path());
    }
    std::sort(sequences.begin(), sequences.end());
    for (const fs::path& sequence : sequences) {
      places.emplace_back();
      for (const fs::path& file : io::semantickitti_scans(sequence))
        places.back().push_back(read_level(file));
    }
  }
  return places;
}

std::vector<Example> cut(const Scan& scan) {
  const auto voxel =
      static_cast<float>(perception::default_config(perception::Mode::scene).voxel_size);
  perception::ScanBlocks cutter;
  cutter.assign(scan.points, scan.intensity, scan.ground_height, voxel, kBlockPoints);
  std::vector<Example> examples;
  const auto channels = static_cast<Eigen::Index>(perception::scan_channels().size());
  for (const perception::Block& block : cutter.blocks()) {
    Example example;
    example.metres = 1.0;
    const auto rows = static_cast<Eigen::Index>(block.size());
    example.points.resize(rows, 3);
    example.extra.resize(rows, channels);
    for (Eigen::Index row = 0; row < rows; ++row) {
      const std::uint32_t point = block[static_cast<std::size_t>(row)];
      example.points.row(row) = scan.points[point].transpose();
      cutter.features().write(point, example.extra.row(row).data());
      example.point_labels.push_back(scan.labels[point]);
    }
    examples.push_back(std::move(example));
  }
  return examples;
}

DatasetInfo info_of(const std::string& split) {
  DatasetInfo info;
  info.kind = "semantickitti";
  info.split = split;
  info.point_classes = io::semantickitti_classes();
  info.extra_channels = perception::scan_channels();
  return info;
}

// Every block of every scan.
class ScanBlocksDataset : public Dataset {
 public:
  ScanBlocksDataset(DatasetInfo info, const std::vector<std::vector<Scan>>& places)
      : info_(std::move(info)) {
    for (const auto& place : places) {
      for (const Scan& scan : place) {
        for (Example& example : cut(scan)) examples_.push_back(std::move(example));
      }
    }
  }

  const DatasetInfo& info() const override { return info_; }
  std::size_t size() const override { return examples_.size(); }
  Example at(std::size_t index) const override { return examples_.at(index); }
  std::int32_t label(std::size_t) const override { return kNoLabel; }

 private:
  DatasetInfo info_;
  std::vector<Example> examples_;
};

// Blocks of varied scans. Examples take turns among kScansAtOnce scans, so that a batch sees
// several places; the blocks of a scan are made once and held while they are needed.
class VariedScansDataset : public Dataset {
 public:
  VariedScansDataset(DatasetInfo info, std::vector<std::vector<Scan>> places)
      : info_(std::move(info)), places_(std::move(places)), things_(kThingClasses) {
    for (const auto& place : places_) {
      for (const Scan& scan : place) {
        for (Thing& thing : find_things(scan, kThingClasses, kLeastThing, ground_classes())) {
          const auto label = static_cast<std::size_t>(thing.scan.labels.front());
          things_[label].push_back(std::move(thing));
        }
      }
    }
    things_.erase(std::remove_if(things_.begin(), things_.end(),
                                 [](const auto& kind) { return kind.empty(); }),
                  things_.end());
  }

  const DatasetInfo& info() const override { return info_; }
  std::size_t size() const override { return kExamples; }
  std::int32_t label(std::size_t) const override { return kNoLabel; }
  bool in_random_order() const override { return true; }

  Example at(std::size_t index) const override {
    if (index >= kExamples) throw std::out_of_range("example past the end of varied scans");
    constexpr std::size_t kWindow = kScansAtOnce * kBlocksOfScan;
    const std::size_t scan = index / kWindow * kScansAtOnce + index % kScansAtOnce;
    const std::size_t turn = index % kWindow / kScansAtOnce;
    const std::shared_ptr<const std::vector<Example>> blocks = blocks_of(scan);
    return (*blocks)[turn % blocks->size()];
  }

 private:
  using Blocks = std::shared_ptr<const std::vector<Example>>;

  Blocks blocks_of(std::size_t number) const {
    std::unique_lock lock(mutex_);
    for (const auto& [held, blocks] : held_) {
      if (held == number) return blocks;
    }
    lock.unlock();
    auto blocks = std::make_shared<const std::vector<Example>>(make(number));
    lock.lock();
    held_.emplace_back(number, blocks);
    if (held_.size() > 3 * kScansAtOnce) held_.pop_front();
    return blocks;
  }

  const Scan& draw(geometry::Random& random) const {
    const auto& place = places_[random.below(places_.size())];
    return place[random.below(place.size())];
  }

  std::vector<Example> make(std::size_t number) const {
    geometry::Random random(geometry::mix_seed({geometry::hash_name("varied scans"), number}));
    const ScanAugmentation augmentation;
    Scan scan = draw(random);
    if (geometry::chance(random, augmentation.mix_probability))
      mix_sectors(scan, draw(random), random);
    if (!things_.empty()) {
      const auto count = random.below(static_cast<std::uint64_t>(augmentation.things) + 1);
      for (std::uint64_t k = 0; k < count; ++k) {
        const auto& kind = things_[random.below(things_.size())];
        paste(scan, kind[random.below(kind.size())], ground_classes(), random);
      }
    }
    vary(scan, augmentation, random);
    std::vector<Example> blocks = cut(scan);
    geometry::shuffle(blocks, random);
    return blocks;
  }

  DatasetInfo info_;
  std::vector<std::vector<Scan>> places_;
  std::vector<std::vector<Thing>> things_;  // by class, only those that there are
  mutable std::mutex mutex_;
  mutable std::list<std::pair<std::size_t, Blocks>> held_;
};

}  // namespace

std::unique_ptr<Dataset> open_semantickitti(const fs::path& dirs, const std::string& split) {
  auto places = read_places(dirs.string(), split);
  if (places.empty()) {
    throw std::runtime_error(dirs.string() + ": no sequence belongs to split '" + split +
                             "'; expected train, validation, test or names of sequences");
  }
  if (split == "train")
    return std::make_unique<VariedScansDataset>(info_of(split), std::move(places));
  return std::make_unique<ScanBlocksDataset>(info_of(split), places);
}

}  // namespace pointtree::datasets
