// SPDX-License-Identifier: Apache-2.0
#include "pointtree/perception/pipeline.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <utility>

#include "allowed_classes.hpp"
#include "block_votes.hpp"
#include "io/stopwatch.hpp"
#include "perception/block_cutter.hpp"
#include "perception/level_frame.hpp"
#include "perception/object_finder.hpp"
#include "perception/object_tracker.hpp"
#include "perception/scan_blocks.hpp"
#include "pointtree/geometry/cloud_size.hpp"
#include "sample_batch.hpp"

namespace pointtree::perception {
namespace {

// Shares of the points below a ground that was not seen: among what stands on it only outliers are
// lower; a whole scan is mostly ground.
constexpr double kOutliers = 0.01;
constexpr double kLowGround = 0.05;

/// The capability of a model that a mode needs.
const char* capability_for(Mode mode) {
  if (mode == Mode::objects) return "classifies";
  return mode == Mode::blocks ? "segments" : "segments whole scans";
}

void check(const PipelineConfig& config, const Recogniser* recogniser) {
  if (const auto faults = validate(config); !faults.empty()) {
    throw std::invalid_argument(fmt::format("{}", fmt::join(faults, "; ")));
  }
  if (recogniser == nullptr) throw std::invalid_argument("the pipeline needs a model");
  const inference::EngineInfo& info = recogniser->info();
  if (config.mode != mode_of(info)) {
    throw std::invalid_argument(fmt::format("mode '{}' needs a model that {}; '{}' {}",
                                            to_string(config.mode), capability_for(config.mode),
                                            info.name, capability_for(mode_of(info))));
  }
  if (info.classes.empty() || info.classes.size() >= kUnknownClass) {
    throw std::invalid_argument(fmt::format("the model '{}' has {} classes; expected 1 to {}",
                                            info.name, info.classes.size(), kUnknownClass - 1));
  }
  if (!gives_channels(info.channels) && !takes_scan_channels(info)) {
    throw std::invalid_argument(fmt::format(
        "the model '{}' needs the channels {}; coordinates, {}, {} and {}, or all of {} are given",
        info.name, fmt::join(info.channels, ", "), geometry::kSizeChannel, geometry::kHeightChannel,
        fmt::join(geometry::kColourChannels, ", "), fmt::join(scan_channels(), ", ")));
  }
}

float entropy_of(const std::vector<float>& probabilities) {
  double entropy = 0.0;
  for (const auto p : probabilities)
    if (p > 0.0F) entropy -= static_cast<double>(p) * std::log(static_cast<double>(p));
  return static_cast<float>(entropy);
}

/// Makes entropies in nats shares of the largest that so many classes can have.
void normalise_entropies(FrameResult& result, std::size_t classes) {
  if (classes < 2) return;
  const auto largest = static_cast<float>(std::log(static_cast<double>(classes)));
  for (PointLabel& label : result.labels) label.entropy /= largest;
  for (LabeledObject& object : result.objects) object.entropy /= largest;
}

}  // namespace

class Pipeline::Implementation {
 public:
  Implementation(const PipelineConfig& config, std::shared_ptr<const Recogniser> recogniser)
      : config_(config),
        recogniser_(std::move(recogniser)),
        allowed_(config.classes, recogniser_->info().classes),
        kinds_(kinds_of_things(config.mode == Mode::scene ? config.classes.things : "",
                               recogniser_->info().classes)),
        finder_(config),
        tracker_(config.track) {}

  tl::expected<FrameResult, RejectReason> process(const CloudView& cloud, std::int64_t stamp) {
    const io::Stopwatch total;
    FrameResult result;
    result.stamp = stamp;
    result.labels.resize(cloud.size());
    try {
      frame_.assign(cloud, config_);
      result.ground = frame_.ground();
      result.valid_points = static_cast<std::uint32_t>(points().size());
      if (points().empty()) {
        return tl::unexpected(RejectReason{
            RejectKind::no_valid_points,
            fmt::format("none of {} points is finite and within the crop", cloud.size())});
      }
      if (takes_colours(recogniser_->info().channels)) known_.colours = frame_.colours(cloud);
      result.times.ingest = total.milliseconds();
      if (config_.mode == Mode::objects) {
        recognise_objects(result);
      } else if (config_.mode == Mode::scene) {
        intensity_ = frame_.intensity(cloud);
        segment_scan(result);
        find_things(result);
      } else {
        segment_blocks(result);
      }
    } catch (const std::exception& error) {
      return tl::unexpected(RejectReason{RejectKind::processing_failed, error.what()});
    }
    normalise_entropies(result, recogniser_->info().classes.size());
    result.times.total = total.milliseconds();
    return result;
  }

  const PipelineConfig& config() const { return config_; }
  const Recogniser& recogniser() const { return *recogniser_; }

 private:
  const PointBuffer& points() const { return frame_.points(); }
  const std::vector<std::uint32_t>& source() const { return frame_.source(); }

  void recognise_objects(FrameResult& result) {
    const io::Stopwatch segmenting;
    std::optional<float> ground_height;
    if (frame_.sees_ground()) ground_height = frame_.ground_height();
    finder_.assign(points(), ground_height);
    const std::vector<FoundObject>& found = finder_.objects();
    const std::size_t asked = std::min(found.size(), static_cast<std::size_t>(config_.max_objects));
    batch_.clear(recogniser_->info(), static_cast<std::uint32_t>(config_.seed));
    if (batch_.has_heights()) {
      if (!finder_.measure_heights(known_.heights)) measure_heights();
    }
    for (std::size_t k = 0; k < asked; ++k) batch_.add(points(), found[k].points, source(), known_);
    result.times.segment = segmenting.milliseconds();

    inference::Answers<inference::Classification> answers;
    if (asked > 0) answers = recogniser_->classify(batch_.inputs());
    for (inference::Classification& answer : answers.clouds) allowed_.restrict_to_allowed(answer);
    result.times.tree = answers.times.tree;
    result.times.network = answers.times.network;
    for (std::size_t i = 0; i < points().size(); ++i) {
      result.labels[source()[i]].role =
          finder_.is_ground(i) ? PointRole::ground : PointRole::background;
    }
    for (std::size_t k = 0; k < found.size(); ++k)
      result.objects.push_back(describe(found[k], k < asked ? &answers.clouds[k] : nullptr));
    tracker_.update(result.objects, result.stamp);
    for (std::size_t k = 0; k < found.size(); ++k) {
      decide(result.objects[k]);
      mark_points(found[k], static_cast<std::int32_t>(k), result);
    }
  }

  /// The object in the sensor's frame, not classified yet.
  LabeledObject locate(const FoundObject& found) const {
    LabeledObject object;
    object.point_count = static_cast<std::uint32_t>(found.points.size());
    object.box = frame_.to_cloud(found.box);
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    for (const std::uint32_t index : found.points) sum += points()[index].cast<double>();
    object.centroid =
        frame_.to_cloud((sum / static_cast<double>(found.points.size())).cast<float>().eval());
    return object;
  }

  /// The object with the network's result, if it was classified.
  LabeledObject describe(const FoundObject& found, const inference::Classification* answer) const {
    LabeledObject object = locate(found);
    if (answer == nullptr) return object;
    object.classified = true;
    for (const float value : answer->log_likelihoods) object.scores.push_back(std::exp(value));
    return object;
  }

  /// Makes the likeliest class by the scores the object's.
  static void choose_class(LabeledObject& object) {
    const auto best = std::max_element(object.scores.begin(), object.scores.end());
    object.confidence = *best;
    object.class_id = static_cast<std::uint8_t>(best - object.scores.begin());
  }

  /// The likeliest class if its confidence suffices.
  void decide(LabeledObject& object) const {
    if (!object.classified) return;
    choose_class(object);
    object.entropy = entropy_of(object.scores);
    if (object.confidence < static_cast<float>(config_.min_confidence))
      object.class_id = kUnknownClass;
  }

  void mark_points(const FoundObject& found, std::int32_t index, FrameResult& result) const {
    const LabeledObject& object = result.objects[static_cast<std::size_t>(index)];
    PointLabel label;
    label.role = PointRole::object;
    label.object = index;
    if (object.class_id != kUnknownClass) {
      label.class_id = object.class_id;
      label.probability = object.confidence;
      label.entropy = object.entropy;
    }
    for (const std::uint32_t point : found.points) result.labels[source()[point]] = label;
  }

  /// Heights above a level ground that was not seen.
  void measure_heights() {
    const float ground = frame_.height_above(kOutliers);
    known_.heights.clear();
    for (const Eigen::Vector3f& point : points()) known_.heights.push_back(point.z() - ground);
  }

  /// Asks the network for the labels of blocks, whose samples are in the batch.
  BlockVotes vote(const std::vector<Block>& blocks, FrameResult& result) const {
    inference::Answers<inference::Segmentation> answers;
    if (!blocks.empty()) answers = recogniser_->segment(batch_.inputs());
    result.blocks = static_cast<std::uint32_t>(blocks.size());
    result.times.tree = answers.times.tree;
    result.times.network = answers.times.network;
    BlockVotes votes(points().size(), recogniser_->info().classes.size());
    for (std::size_t k = 0; k < blocks.size(); ++k)
      votes.add(points(), blocks[k], batch_.rows_of(k), answers.clouds[k]);
    return votes;
  }

  void segment_blocks(FrameResult& result) {
    const io::Stopwatch segmenting;
    const std::vector<Block> blocks = cut_blocks(points(), config_.blocks);
    batch_.clear(recogniser_->info(), static_cast<std::uint32_t>(config_.seed));
    if (batch_.has_heights()) measure_heights();
    for (const Block& block : blocks) batch_.add(points(), block, source(), known_);
    result.times.segment = segmenting.milliseconds();

    const BlockVotes votes = vote(blocks, result);
    for (std::size_t i = 0; i < points().size(); ++i) {
      result.labels[source()[i]] =
          allowed_label(votes.label(i, static_cast<float>(config_.min_confidence)));
    }
  }

  void segment_scan(FrameResult& result) {
    const io::Stopwatch segmenting;
    const inference::EngineInfo& info = recogniser_->info();
    const float ground =
        frame_.sees_ground() ? frame_.ground_height() : frame_.height_above(kLowGround);
    scan_.assign(points(), intensity_, ground, static_cast<float>(config_.voxel_size), info.points,
                 config_.blocks.cuts);
    batch_.clear(info, static_cast<std::uint32_t>(config_.seed));
    for (const Block& block : scan_.blocks())
      batch_.add(points(), block, source(), scan_.features());
    result.times.segment = segmenting.milliseconds();

    const BlockVotes votes = vote(scan_.blocks(), result);
    // Points of a voxel share the label of the one that stands for it.
    for (std::size_t i = 0; i < points().size(); ++i)
      result.labels[source()[i]] = allowed_label(votes.label(scan_.representatives()[i], 0.0F));
  }

  /// The label, or an unknown one where its class can't occur.
  PointLabel allowed_label(const PointLabel& label) const {
    if (allowed_.allows(label.class_id)) return label;
    PointLabel unknown;
    unknown.role = label.role;
    return unknown;
  }

  /// Joins labelled points into objects, which settle the class of their points.
  void find_things(FrameResult& result) {
    kind_of_.assign(points().size(), -1);
    for (std::size_t i = 0; i < points().size(); ++i) {
      const std::uint8_t class_id = result.labels[source()[i]].class_id;
      if (class_id != kUnknownClass) kind_of_[i] = kinds_[class_id];
    }
    finder_.assign_things(points(), kind_of_);
    std::vector<const FoundObject*> things;
    for (const FoundObject& found : finder_.objects()) {
      const LabeledObject object = describe_thing(found, result.labels);
      if (object.confidence < static_cast<float>(config_.min_confidence)) continue;
      things.push_back(&found);
      result.objects.push_back(object);
    }
    tracker_.update(result.objects, result.stamp);
    for (std::size_t k = 0; k < things.size(); ++k) {
      LabeledObject& object = result.objects[k];
      choose_class(object);
      for (const std::uint32_t point : things[k]->points) {
        PointLabel& label = result.labels[source()[point]];
        label.object = static_cast<std::int32_t>(k);
        if (label.class_id == object.class_id) continue;
        label.class_id = object.class_id;
        label.probability = object.confidence;
      }
    }
  }

  /// An object of labelled points; its class has the largest sum of their probabilities.
  LabeledObject describe_thing(const FoundObject& found,
                               const std::vector<PointLabel>& labels) const {
    LabeledObject object = locate(found);
    object.classified = true;
    object.scores.assign(kinds_.size(), 0.0F);
    object.entropy = 0.0F;
    const auto count = static_cast<float>(found.points.size());
    for (const std::uint32_t point : found.points) {
      const PointLabel& label = labels[source()[point]];
      object.scores[label.class_id] += label.probability / count;
      object.entropy += label.entropy / count;
    }
    choose_class(object);
    return object;
  }

  PipelineConfig config_;
  std::shared_ptr<const Recogniser> recogniser_;
  AllowedClasses allowed_;
  std::vector<std::int32_t> kinds_;  ///< per class: which kind of thing it is, −1 for none
  ObjectFinder finder_;
  ObjectTracker tracker_;
  SampleBatch batch_;
  LevelFrame frame_;
  ScanBlocks scan_;
  std::vector<std::int32_t> kind_of_;  ///< of the frame's points, as in kinds_
  std::vector<float> intensity_;       ///< of the frame's points, or empty
  PointChannels known_;                ///< of the frame's points, as far as the model takes it
};

Pipeline::Pipeline(const PipelineConfig& config, std::shared_ptr<const Recogniser> recogniser) {
  check(config, recogniser.get());
  implementation_ = std::make_unique<Implementation>(config, std::move(recogniser));
}

Pipeline::~Pipeline() = default;
Pipeline::Pipeline(Pipeline&&) noexcept = default;
Pipeline& Pipeline::operator=(Pipeline&&) noexcept = default;

tl::expected<FrameResult, RejectReason> Pipeline::process(const CloudView& cloud,
                                                          std::int64_t stamp) {
  return implementation_->process(cloud, stamp);
}

tl::expected<FrameResult, RejectReason> Pipeline::process(const io::PointCloud2Message& cloud,
                                                          std::int64_t stamp) {
  const auto view = CloudView::make(cloud, static_cast<std::size_t>(config().max_points));
  if (!view) return tl::unexpected(view.error());
  return process(*view, stamp);
}

const PipelineConfig& Pipeline::config() const { return implementation_->config(); }

const inference::EngineInfo& Pipeline::info() const { return implementation_->recogniser().info(); }

}  // namespace pointtree::perception
