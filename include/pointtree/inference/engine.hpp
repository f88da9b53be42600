// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pointtree/geometry/input_features.hpp"
#include "pointtree/geometry/points.hpp"
#include "pointtree/geometry/pre_align.hpp"
#include "pointtree/geometry/relaxed_kd_tree.hpp"
#include "pointtree/inference/precision.hpp"

namespace pointtree::inference {

/// What may be chosen when a bundle is loaded for inference.
struct EngineOptions {
  int threads = 0;              ///< threads of one call; 0: as many as cores
  std::string device = "auto";  ///< auto | cpu | cuda:N; see docs/cuda.md
  /// Clouds per pass, in segmenters on the CPU no more than have 32,768 points together; larger
  /// requests run in several passes.
  int max_batch = 32;
  std::optional<Precision> precision;  ///< default: what the bundle stores
  /// Told what an engine does to go on, such as smaller batches; default: standard error.
  std::function<void(const std::string&)> notice = {};
};

/// What a loaded model expects and answers.
struct EngineInfo {
  std::string name;         ///< the bundle's name
  std::string checksum;     ///< of the weights, as in the bundle's manifest
  bool segments = false;    ///< labels points (segment) rather than whole clouds (classify)
  std::int32_t points = 0;  ///< rows of an input cloud, a power of two
  /// Fewest rows; as many as `points` where no fewer are taken. Half the points, a quarter, … stand
  /// for a cloud in which each is repeated equally often, as `geometry::resample` gives it: the
  /// same answer for less work.
  std::int32_t least_points = 0;
  std::vector<std::string> channels;  ///< names of the extra input channels, in order
  geometry::InputFeatures features;   ///< input features beside points and channels
  std::vector<std::string> classes;   ///< names; a label is an index into them
  std::vector<std::array<std::uint8_t, 3>> colours;  ///< red, green, blue per class
  geometry::PreAlignMode pre_align = geometry::PreAlignMode::none;
  geometry::TreeOptions tree;
  Precision precision = Precision::float32;  ///< on the CPU; a CUDA device computes in half
  std::string device;                        ///< where the network runs: cpu or cuda:N
  std::int64_t parameters = 0;               ///< trained numbers the engine uses
  std::int64_t multiply_adds = 0;            ///< per cloud

  /// Inputs of the network per point: coordinates, extra channels, features.
  int leaf_channels() const;
};

/// Extra channels in somebody else's memory, one row per point; rows may be strided.
using ChannelsView =
    Eigen::Map<const Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>, 0,
               Eigen::OuterStride<>>;

/// One cloud to be answered; the viewed memory must outlive the call.
struct CloudInput {
  /// Finite coordinates in the sensor's or map's frame; rows: see EngineInfo::points.
  geometry::PointsView points;
  /// EngineInfo::channels values per point, in the scale the model was trained with.
  ChannelsView channels{nullptr, 0, 0, Eigen::OuterStride<>(0)};
  /// Original point of every row as `geometry::resample` gives them; empty: rows are all different.
  /// Rows of one original point share one averaged feature and hence one label.
  std::vector<std::int32_t> source = {};
};

/// The class of a whole cloud.
struct Classification {
  std::vector<float> log_likelihoods;  ///< per class; their exponentials sum to 1
  std::int32_t label = 0;              ///< the most likely class
  float probability = 0.0F;            ///< of that class
};

/// The classes of a cloud's points, in input order.
struct Segmentation {
  std::vector<std::uint8_t> labels;  ///< the most likely class of every input row
  std::vector<float> probabilities;  ///< of those classes
  std::vector<float> entropies;      ///< of the whole distribution, in nats
  /// How the cloud was brought to its standard pose. To label a point that was not among the rows,
  /// map it as x · linear + translation, find its leaf with `tree.locate`, and take the answer of
  /// input row `tree.leaf_order()[leaf]`.
  geometry::PreAlignment pre_alignment;
  geometry::RelaxedKdTree tree;
};

/// Wall time spent in one call, in milliseconds.
struct EngineTimes {
  double tree = 0.0;     ///< pre-alignment and trees
  double network = 0.0;  ///< everything after them
};

/// Answers in the order of the inputs.
template <typename Answer>
struct Answers {
  std::vector<Answer> clouds;
  EngineTimes times;
};

/// A loaded model, folded and packed for inference. One engine may be called from several threads
/// at a time; calls share the weights and nothing else.
class Engine {
 public:
  class Implementation;

  /// Loads a bundle (`model.yaml` + `weights.safetensors`), packs the weights and warms up; throws
  /// std::runtime_error naming the path and the reason where the bundle or the options do not fit.
  explicit Engine(const std::filesystem::path& bundle, const EngineOptions& options = {});
  explicit Engine(std::unique_ptr<Implementation> implementation);
  ~Engine();
  Engine(Engine&&) noexcept;
  Engine& operator=(Engine&&) noexcept;

  const EngineInfo& info() const;

  /// Classifies whole clouds; throws std::invalid_argument naming the cloud and what is wrong with
  /// it (rows, channels, non-finite values) or where the model segments.
  Answers<Classification> classify(const std::vector<CloudInput>& clouds) const;

  /// Labels every point of every cloud; throws like classify.
  Answers<Segmentation> segment(const std::vector<CloudInput>& clouds) const;

 private:
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace pointtree::inference
