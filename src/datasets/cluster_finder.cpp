// SPDX-License-Identifier: Apache-2.0
#include "cluster_finder.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "pointtree/geometry/cloud_size.hpp"
#include "pointtree/perception/pipeline.hpp"

namespace pointtree::datasets {
namespace {

constexpr std::int32_t kMostPoints = 4096;  // of a cluster; larger ones are thinned to these

// Stands where a robot has its network, and keeps what that would have been given.
class Collector final : public perception::Recogniser {
 public:
  Collector() {
    info_.name = "collector";
    info_.points = kMostPoints;
    info_.channels = {geometry::kHeightChannel};
    info_.classes = {"any"};
  }

  const inference::EngineInfo& info() const override { return info_; }

  inference::Answers<inference::Classification> classify(
      const std::vector<inference::CloudInput>& clouds) const override {
    inference::Answers<inference::Classification> answers;
    for (const inference::CloudInput& cloud : clouds) {
      clusters_.push_back(distinct(cloud));
      answers.clouds.push_back({{0.0F}, 0, 1.0F});
    }
    return answers;
  }

  inference::Answers<inference::Segmentation> segment(
      const std::vector<inference::CloudInput>&) const override {
    throw std::logic_error("clusters are not segmented");
  }

  std::vector<Example> take() { return std::move(clusters_); }

 private:
  // Rows are sorted by their source, so copies of a point are neighbours.
  static Example distinct(const inference::CloudInput& cloud) {
    std::vector<Eigen::Index> rows;
    for (std::size_t row = 0; row < cloud.source.size(); ++row) {
      if (row == 0 || cloud.source[row] != cloud.source[row - 1])
        rows.push_back(static_cast<Eigen::Index>(row));
    }
    Example example;
    example.metres = 1.0;
    example.points = cloud.points(rows, Eigen::all);
    example.extra = cloud.channels(rows, Eigen::all);
    return example;
  }

  inference::EngineInfo info_;
  mutable std::vector<Example> clusters_;
};

io::PointCloud2Message raw_cloud(const geometry::Points& points) {
  io::PointCloud2Message cloud;
  cloud.height = 1;
  cloud.width = static_cast<std::uint32_t>(points.rows());
  cloud.fields = {{"x", 0}, {"y", 4}, {"z", 8}};
  cloud.point_step = 12;
  cloud.row_step = cloud.width * cloud.point_step;
  cloud.data = {reinterpret_cast<const std::uint8_t*>(points.data()), cloud.row_step};
  return cloud;
}

}  // namespace

std::vector<Example> find_clusters(const geometry::Points& points,
                                   const std::vector<std::int32_t>& labels,
                                   const ClusterSearch& search) {
  auto config = perception::default_config(perception::Mode::objects);
  config.max_objects = 4096;
  config.cluster.tolerance = search.tolerance;
  const auto collector = std::make_shared<Collector>();
  perception::Pipeline pipeline(config, collector);
  const auto result = pipeline.process(raw_cloud(points), 0);
  if (!result) throw std::runtime_error("clusters of a scan: " + result.error().message);
  std::vector<Example> clusters = collector->take();
  std::vector<std::vector<int>> votes(
      clusters.size(), std::vector<int>(static_cast<std::size_t>(search.classes), 0));
  for (std::size_t i = 0; i < result->labels.size(); ++i) {
    const std::int32_t object = result->labels[i].object;
    if (object >= 0)
      ++votes.at(static_cast<std::size_t>(object)).at(static_cast<std::size_t>(labels[i]));
  }
  for (std::size_t k = 0; k < clusters.size(); ++k) {
    const auto most = std::max_element(votes[k].begin(), votes[k].end());
    const bool majority = 2 * *most >= static_cast<int>(result->objects[k].point_count);
    clusters[k].label =
        majority ? static_cast<std::int32_t>(most - votes[k].begin()) : search.mixed;
  }
  return clusters;
}

}  // namespace pointtree::datasets
