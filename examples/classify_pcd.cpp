// SPDX-License-Identifier: Apache-2.0

// Classifies the whole of a cloud file (.pcd, .ply, .bin, .npy, ...) as one object.
#include <cstdio>
#include <exception>
#include <pointtree/geometry/cloud_size.hpp>
#include <pointtree/geometry/sampling.hpp>
#include <pointtree/inference/engine.hpp>
#include <pointtree/io/cloud_file.hpp>
#include <stdexcept>
#include <vector>

using namespace pointtree;

namespace {

/// An organised cloud has NaN where there was no return.
geometry::Points finite_points(const io::Cloud& cloud) {
  std::vector<Eigen::Index> rows;
  for (Eigen::Index row = 0; row < cloud.points.rows(); ++row) {
    if (cloud.points.row(row).allFinite()) rows.push_back(row);
  }
  if (rows.empty()) throw std::runtime_error("the cloud has no finite point");
  return cloud.points(rows, Eigen::all);
}

void classify(const char* model, const char* file) {
  const inference::Engine engine(model);
  const geometry::Points points = finite_points(io::read_cloud(file));

  // The network takes a fixed number of points; `rows` tells which point each of them is.
  const std::vector<std::int32_t> rows = geometry::resample(points, engine.info().points, 1);
  const geometry::Points sampled = points(rows, Eigen::all);

  // Some models also take channels at every point: the cloud's size and heights, in metres.
  const std::vector<std::string>& names = engine.info().channels;
  const auto columns = static_cast<Eigen::Index>(names.size());
  Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> values(sampled.rows(),
                                                                               columns);
  const float lowest = points.col(2).minCoeff();
  for (Eigen::Index k = 0; k < columns; ++k) {
    const bool height = names[static_cast<std::size_t>(k)] == geometry::kHeightChannel;
    if (height) values.col(k) = sampled.col(2).array() - lowest;
    if (!height) values.col(k).setConstant(geometry::cloud_size(sampled));
  }
  const inference::ChannelsView channels(values.data(), columns > 0 ? values.rows() : 0, columns,
                                         Eigen::OuterStride<>(columns));

  const auto answer = engine.classify({{sampled, channels, rows}}).clouds.front();
  const std::string& name = engine.info().classes[static_cast<std::size_t>(answer.label)];
  std::printf("%s: %s, %.0f %%\n", file, name.c_str(), 100.0 * answer.probability);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: classify_pcd MODEL CLOUD\n");
    return 2;
  }
  try {
    classify(argv[1], argv[2]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "classify_pcd: %s\n", error.what());
    return 1;
  }
  return 0;
}
