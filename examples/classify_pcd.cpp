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

  // Some models also take the size of the cloud in metres, at every point.
  const bool sized = !engine.info().channels.empty();
  const std::vector<float> sizes(rows.size(), geometry::cloud_size(sampled));
  const inference::ChannelsView size(sizes.data(), sized ? sampled.rows() : 0, sized ? 1 : 0,
                                     Eigen::OuterStride<>(1));

  const auto answer = engine.classify({{sampled, size, rows}}).clouds.front();
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
