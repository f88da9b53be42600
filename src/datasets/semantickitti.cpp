// SPDX-License-Identifier: Apache-2.0
#include "pointtree/io/semantickitti.hpp"

#include <algorithm>
#include <list>
#include <mutex>
#include <sstream>
#include <stdexcept>

#include "datasets/dataset_split.hpp"
#include "datasets/readers.hpp"
#include "datasets/scan_augmentation.hpp"
#include "datasets/semantickitti_splits.hpp"
#include "geometry/seed.hpp"
#include "perception/object_finder.hpp"
#include "perception/scan_blocks.hpp"
#include "pointtree/perception/ground_plane.hpp"

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

Scan read_level(const fs::path& file) {
  io::LabelledScan raw = io::read_semantickitti(file);
  const std::vector<std::int32_t> labels = raw.class_labels();
  Scan scan;
  const perception::CropConfig crop = perception::default_config(perception::Mode::scene).crop;
  for (Eigen::Index i = 0; i < raw.points.rows(); ++i) {
    const Eigen::Vector3f p = raw.points.row(i).transpose();
    if (p.norm() < crop.min_range || p.norm() > crop.max_range) continue;
    const auto k = static_cast<std::size_t>(i);
    scan.points.push_back(p);
    scan.intensity.push_back(raw.intensity[k]);
    scan.labels.push_back(labels[k]);
    const std::uint32_t thing = (std::uint32_t{raw.semantic[k]} << 16) | raw.instance[k];
    scan.instance.push_back(raw.instance[k] == 0 ? 0 : thing);
  }
  if (scan.points.empty()) {
    throw std::runtime_error(file.string() + ": points in range expected, found none");
  }
  const auto plane = perception::find_ground_plane(scan.points, perception::UpDirection::z, 1);
  if (!plane) throw std::runtime_error(file.string() + ": no ground plane found");
  const Eigen::Quaternionf level = perception::level_rotation(plane->up);
  for (Eigen::Vector3f& p : scan.points) p = level * p;
  scan.ground_height = -plane->sensor_height;
  if (std::all_of(scan.instance.begin(), scan.instance.end(), [](auto id) { return id == 0; }))
    number_things(scan);
  return scan;
}

// All scans of a split, a vector per sequence.
std::vector<std::vector<Scan>> read_places(const std::string& dirs, const std::string& split) {
  std::vector<std::vector<Scan>> places;
  for (const std::string& dir : divide(dirs, '+')) {
    const fs::path root = fs::path(dir) / "sequences";
    if (!fs::is_directory(root)) {
      throw std::runtime_error(root.string() + ": a folder of sequences expected, found none");
    }
    std::vector<fs::path> sequences;
    for (const auto& entry : fs::directory_iterator(root)) {
      if (sequence_in_split(entry.path().filename().string(), split))
        sequences.push_back(entry.path());
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
    throw std::runtime_error(
        dirs.string() + ": no sequence belongs to split '" + split +
        "'; expected train, train_all, validation, test or names of sequences");
  }
  if (is_training_split(split))
    return std::make_unique<VariedScansDataset>(info_of(split), std::move(places));
  return std::make_unique<ScanBlocksDataset>(info_of(split), places);
}

}  // namespace pointtree::datasets
