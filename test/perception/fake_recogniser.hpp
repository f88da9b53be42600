// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <stdexcept>
#include <utility>
#include <vector>

#include "pointtree/geometry/pre_align.hpp"
#include "pointtree/geometry/relaxed_kd_tree.hpp"
#include "pointtree/perception/recogniser.hpp"

namespace pointtree::perception {

/// Stands in for a network: tells posts (tall) from cars (long) by their extent, or points by their
/// height.
class FakeRecogniser final : public Recogniser {
 public:
  explicit FakeRecogniser(bool segments = false) {
    info_.name = "fake";
    info_.segments = segments;
    info_.points = info_.least_points = segments ? 256 : 128;
    info_.classes = segments ? std::vector<std::string>{"low", "high"}
                             : std::vector<std::string>{"car", "post"};
    info_.colours = {{255, 0, 0}, {0, 0, 255}};
  }

  const inference::EngineInfo& info() const override { return info_; }

  /// Makes the model ask for these channels.
  void ask_for(std::vector<std::string> channels) { info_.channels = std::move(channels); }

  inference::Answers<inference::Classification> classify(
      const std::vector<inference::CloudInput>& clouds) const override {
    if (fails) throw std::runtime_error("the network is out of order");
    inference::Answers<inference::Classification> answers;
    batches.push_back(clouds.size());
    for (const inference::CloudInput& cloud : clouds) {
      check_rows(cloud);
      if (!info_.channels.empty()) sizes.push_back(cloud.channels(0, 0));
      const Eigen::RowVector3f extent =
          cloud.points.colwise().maxCoeff() - cloud.points.colwise().minCoeff();
      inference::Classification answer;
      answer.label = extent.z() > extent.head<2>().norm() ? 1 : 0;
      answer.probability = probability;
      answer.log_likelihoods.assign(2, std::log(1.0F - probability));
      answer.log_likelihoods[static_cast<std::size_t>(answer.label)] = std::log(probability);
      answers.clouds.push_back(answer);
    }
    return answers;
  }

  inference::Answers<inference::Segmentation> segment(
      const std::vector<inference::CloudInput>& clouds) const override {
    inference::Answers<inference::Segmentation> answers;
    batches.push_back(clouds.size());
    for (const inference::CloudInput& cloud : clouds) {
      check_rows(cloud);
      heights_and_channels.emplace_back(cloud.points.col(2), cloud.channels);
      geometry::PreAlignment pose =
          geometry::pre_align(cloud.points, geometry::PreAlignMode::canonical);
      geometry::RelaxedKdTree tree = geometry::build_tree(pose.points);
      inference::Segmentation answer{{}, {}, {}, std::move(pose), std::move(tree)};
      for (Eigen::Index row = 0; row < cloud.points.rows(); ++row) {
        answer.labels.push_back(cloud.points(row, 2) > split_height ? 1 : 0);
        answer.probabilities.push_back(probability);
        answer.entropies.push_back(0.3F);
      }
      answers.clouds.push_back(std::move(answer));
    }
    return answers;
  }

  float probability = 0.9F;
  float split_height = -1.0F;
  bool fails = false;
  mutable std::vector<std::size_t> batches;  ///< clouds in each call
  mutable std::vector<float> sizes;          ///< of the clouds, where the model asks for them
  /// Of segmented clouds: z of every row, and its channels.
  mutable std::vector<std::pair<Eigen::VectorXf, Eigen::MatrixXf>> heights_and_channels;

 private:
  void check_rows(const inference::CloudInput& cloud) const {
    if (cloud.points.rows() != info_.points) throw std::invalid_argument("wrong number of rows");
    if (!cloud.points.allFinite()) throw std::invalid_argument("non-finite point");
  }

  inference::EngineInfo info_;
};

}  // namespace pointtree::perception
