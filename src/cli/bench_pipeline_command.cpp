// SPDX-License-Identifier: Apache-2.0
#include <pcl/point_types.h>
#include <pcl/search/kdtree.h>
#include <pcl/segmentation/extract_clusters.h>
#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <vector>

#include "bench_clock.hpp"
#include "commands.hpp"
#include "perception/euclidean_clusterer.hpp"
#include "perception/object_finder.hpp"
#include "perception/voxel_grid.hpp"
#include "pointtree/io/cloud_file.hpp"
#include "pointtree/perception/ground_plane.hpp"

namespace pointtree::cli {
namespace {

using perception::PointBuffer;

struct BenchOptions {
  std::string cloud;
  std::vector<std::size_t> sizes;
  int repeats = 5;
  bool json = false;
};

template <typename Work>
double least_milliseconds(int repeats, const Work& work) {
  Least least;
  for (int k = 0; k < repeats; ++k) least.measure(thread_seconds, work);
  return 1e3 * least.seconds();
}

PointBuffer read_points(const std::string& path) {
  const io::Cloud cloud = io::read_cloud(path);
  const perception::CropConfig crop;
  PointBuffer points;
  for (Eigen::Index i = 0; i < cloud.points.rows(); ++i) {
    const Eigen::Vector3f point = cloud.points.row(i).transpose();
    const float range = point.norm();
    if (range >= crop.min_range && range <= crop.max_range) points.push_back(point);
  }
  if (points.empty()) throw std::runtime_error(path + ": no point within the default crop");
  return points;
}

/// The same scene from a lidar that fires so many points: fewer are left out evenly, more come from
/// copies turned by a hundredth of a degree each.
PointBuffer resize(const PointBuffer& points, std::size_t count) {
  PointBuffer resized;
  resized.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t turn = i / points.size();
    const std::size_t place = count < points.size() ? i * points.size() / count : i % points.size();
    const Eigen::AngleAxisf map(1.7e-4F * static_cast<float>(turn), Eigen::Vector3f::UnitZ());
    resized.emplace_back(map * points[place]);
  }
  return resized;
}

double pcl_milliseconds(const PointBuffer& points, double tolerance, int repeats) {
  auto cloud = pcl::make_shared<pcl::PointCloud<pcl::PointXYZ>>();
  for (const Eigen::Vector3f& point : points) cloud->emplace_back(point.x(), point.y(), point.z());
  return least_milliseconds(repeats, [&] {
    auto tree = pcl::make_shared<pcl::search::KdTree<pcl::PointXYZ>>();
    tree->setInputCloud(cloud);
    pcl::EuclideanClusterExtraction<pcl::PointXYZ> extraction;
    extraction.setClusterTolerance(tolerance);
    extraction.setMinClusterSize(1);
    extraction.setSearchMethod(tree);
    extraction.setInputCloud(cloud);
    std::vector<pcl::PointIndices> clusters;
    extraction.extract(clusters);
  });
}

nlohmann::json measure(const PointBuffer& points, int repeats) {
  const perception::PipelineConfig config;
  const auto seed = static_cast<std::uint32_t>(config.seed);
  nlohmann::json row{{"points", points.size()}};
  std::optional<perception::GroundPlane> plane;
  PointBuffer level;
  row["level_ms"] = least_milliseconds(repeats, [&] {
    plane = perception::find_ground_plane(points, config.up, seed);
    if (!plane) throw std::runtime_error("the cloud shows no ground");
    const Eigen::Matrix3f axes = perception::scene_axes(points, plane->up);
    level.clear();
    for (const Eigen::Vector3f& point : points) level.emplace_back(axes * point);
  });
  perception::GroundSegmenter ground(config.ground);
  row["ground_ms"] =
      least_milliseconds(repeats, [&] { ground.assign(level, -plane->sensor_height); });
  PointBuffer standing;
  for (std::size_t i = 0; i < level.size(); ++i) {
    if (!ground.is_ground(ground.heights()[i])) standing.push_back(level[i]);
  }
  perception::VoxelGrid voxels;
  row["voxel_ms"] = least_milliseconds(
      repeats, [&] { voxels.assign(standing, static_cast<float>(config.voxel_size)); });
  perception::EuclideanClusterer clusterer;
  const auto tolerance = static_cast<float>(config.cluster.tolerance);
  row["cluster_ms"] =
      least_milliseconds(repeats, [&] { clusterer.assign(voxels.centroids(), tolerance); });
  row["cluster_points"] = voxels.centroids().size();
  row["pcl_cluster_ms"] =
      pcl_milliseconds(voxels.centroids(), config.cluster.tolerance, std::min(repeats, 2));
  perception::ObjectFinder finder(config);
  row["segment_ms"] =
      least_milliseconds(repeats, [&] { finder.assign(level, -plane->sensor_height); });
  row["objects"] = finder.objects().size();
  row["speedup_over_pcl"] = row["pcl_cluster_ms"].get<double>() / row["cluster_ms"].get<double>();
  return row;
}

void run(const BenchOptions& options) {
  const PointBuffer points = read_points(options.cloud);
  nlohmann::json rows = nlohmann::json::array();
  if (!options.json) {
    std::puts(fmt::format("{:>9}{:>9}{:>9}{:>9}{:>9}{:>10}{:>9}{:>9}{:>9}", "points", "level",
                          "ground", "voxel", "cluster", "segment", "objects", "PCL", "ratio")
                  .c_str());
  }
  std::vector<std::size_t> sizes = options.sizes;
  if (sizes.empty()) sizes = {points.size()};
  for (const std::size_t size : sizes) {
    const nlohmann::json row = measure(resize(points, size), options.repeats);
    rows.push_back(row);
    if (options.json) continue;
    std::puts(fmt::format("{:>9}{:>9.2f}{:>9.2f}{:>9.2f}{:>9.2f}{:>10.2f}{:>9}{:>9.1f}{:>9.1f}",
                          size, row["level_ms"].get<double>(), row["ground_ms"].get<double>(),
                          row["voxel_ms"].get<double>(), row["cluster_ms"].get<double>(),
                          row["segment_ms"].get<double>(), row["objects"].get<int>(),
                          row["pcl_cluster_ms"].get<double>(),
                          row["speedup_over_pcl"].get<double>())
                  .c_str());
  }
  if (options.json) std::puts(rows.dump(1).c_str());
}

}  // namespace

void add_bench_pipeline_command(CLI::App& app) {
  auto options = std::make_shared<BenchOptions>();
  CLI::App* command =
      bench_command(app).add_subcommand("pipeline",
                                        "Time of levelling, ground and clustering (ms of one core, "
                                        "least of N), beside PCL's clustering");
  command->add_option("cloud", options->cloud, "Cloud file to take")->required();
  command->add_option("--sizes", options->sizes,
                      "Numbers of points to thin or thicken it to; default: as it is");
  command->add_option("--repeats", options->repeats, "Measurements of each")
      ->check(CLI::PositiveNumber);
  command->add_flag("--json", options->json, "Print as JSON");
  command->callback([options] { run(*options); });
}

}  // namespace pointtree::cli
