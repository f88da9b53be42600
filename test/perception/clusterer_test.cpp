// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <pcl/kdtree/kdtree_flann.h>
#include <pcl/point_types.h>
#include <pcl/search/kdtree.h>
#include <pcl/segmentation/extract_clusters.h>

#include <random>

#include "perception/euclidean_clusterer.hpp"
#include "perception/voxel_grid.hpp"

namespace pointtree::perception {
namespace {

/// Clumps of points of random size and spread, and some loose ones.
PointBuffer random_scene(std::uint32_t seed, int clumps) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> place(-20.0F, 20.0F);
  std::normal_distribution<float> normal;
  PointBuffer points;
  for (int clump = 0; clump < clumps; ++clump) {
    const Eigen::Vector3f center(place(random), place(random), 0.1F * place(random));
    const float spread = 0.1F + 0.5F * std::abs(normal(random));
    for (int i = 0; i < 60; ++i) {
      points.emplace_back(center +
                          spread * Eigen::Vector3f(normal(random), normal(random), normal(random)));
    }
  }
  return points;
}

/// PCL's answer, numbered in the order of each cluster's first point.
std::vector<std::int32_t> cluster_with_pcl(const PointBuffer& points, float tolerance) {
  auto cloud = pcl::make_shared<pcl::PointCloud<pcl::PointXYZ>>();
  for (const Eigen::Vector3f& point : points) cloud->emplace_back(point.x(), point.y(), point.z());
  auto tree = pcl::make_shared<pcl::search::KdTree<pcl::PointXYZ>>();
  tree->setInputCloud(cloud);
  pcl::EuclideanClusterExtraction<pcl::PointXYZ> extraction;
  extraction.setClusterTolerance(tolerance);
  extraction.setMinClusterSize(1);
  extraction.setSearchMethod(tree);
  extraction.setInputCloud(cloud);
  std::vector<pcl::PointIndices> clusters;
  extraction.extract(clusters);
  std::vector<std::int32_t> cluster_of(points.size());
  for (std::size_t k = 0; k < clusters.size(); ++k) {
    for (const int index : clusters[k].indices)
      cluster_of[static_cast<std::size_t>(index)] = static_cast<std::int32_t>(k);
  }
  std::vector<std::int32_t> number(clusters.size(), -1);
  std::int32_t next = 0;
  for (std::int32_t& cluster : cluster_of) {
    std::int32_t& own = number[static_cast<std::size_t>(cluster)];
    if (own < 0) own = next++;
    cluster = own;
  }
  return cluster_of;
}

TEST(euclidean_clusterer, agrees_with_pcl_on_random_scenes) {
  EuclideanClusterer clusterer;
  for (std::uint32_t seed = 1; seed <= 12; ++seed) {
    for (const float tolerance : {0.15F, 0.4F, 1.3F}) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", tolerance " + std::to_string(tolerance));
      const PointBuffer points = random_scene(seed, 40);
      clusterer.assign(points, tolerance);
      EXPECT_EQ(clusterer.labels(), cluster_with_pcl(points, tolerance));
    }
  }
}

TEST(euclidean_clusterer, joins_at_the_tolerance_and_not_beyond) {
  EuclideanClusterer clusterer;
  for (const Eigen::Vector3f& direction : {Eigen::Vector3f(1, 0, 0), Eigen::Vector3f(0, 1, 0),
                                           Eigen::Vector3f(0, 0, 1), Eigen::Vector3f(1, -1, 1)}) {
    const Eigen::Vector3f step = direction.normalized();
    clusterer.assign({Eigen::Vector3f::Zero(), 0.499F * step, 0.998F * step}, 0.5F);
    EXPECT_EQ(clusterer.count(), 1);
    clusterer.assign({Eigen::Vector3f::Zero(), 0.501F * step, 1.002F * step}, 0.5F);
    EXPECT_EQ(clusterer.count(), 3);
  }
}

TEST(euclidean_clusterer, takes_empty_and_coincident_points) {
  EuclideanClusterer clusterer;
  clusterer.assign({}, 0.5F);
  EXPECT_EQ(clusterer.count(), 0);
  clusterer.assign(PointBuffer(1000, Eigen::Vector3f(7, 8, 9)), 0.5F);
  EXPECT_EQ(clusterer.count(), 1);
}

TEST(cell_index, refuses_more_cells_than_it_can_number) {
  CellIndex index;
  EXPECT_THROW(index.assign({{-1e6F, 0, 0}, {1e6F, 0, 0}}, 0.1F), std::invalid_argument);
}

TEST(voxel_grid, keeps_the_mean_of_each_voxel) {
  VoxelGrid grid;
  grid.assign({{0.1F, 0.1F, 0.1F}, {5.0F, 0, 0}, {0.3F, 0.1F, 0.1F}}, 1.0F);
  ASSERT_EQ(grid.centroids().size(), 2U);
  EXPECT_EQ(grid.voxel_of(), (std::vector<std::uint32_t>{0, 1, 0}));
  EXPECT_LT((grid.centroids()[0] - Eigen::Vector3f(0.2F, 0.1F, 0.1F)).norm(), 1e-6F);
}

TEST(voxel_grid, preserves_the_overall_mean_weighted_by_points) {
  const PointBuffer points = random_scene(5, 30);
  VoxelGrid grid;
  grid.assign(points, 0.3F);
  Eigen::Vector3d mean = Eigen::Vector3d::Zero();
  Eigen::Vector3d voxel_mean = Eigen::Vector3d::Zero();
  for (std::size_t i = 0; i < points.size(); ++i) {
    mean += points[i].cast<double>();
    voxel_mean += grid.centroids()[grid.voxel_of()[i]].cast<double>();
    EXPECT_LE((points[i] - grid.centroids()[grid.voxel_of()[i]]).cwiseAbs().maxCoeff(), 0.3F);
  }
  EXPECT_LT((mean - voxel_mean).norm() / static_cast<double>(points.size()), 1e-5);
  EXPECT_LT(grid.centroids().size(), points.size());
}

}  // namespace
}  // namespace pointtree::perception
