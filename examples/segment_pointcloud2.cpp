// SPDX-License-Identifier: Apache-2.0

// From the bytes of a PointCloud2 to a class for every point, without ROS.
#include <cstdint>
#include <cstdio>
#include <exception>
#include <map>
#include <memory>
#include <pointtree/io/cloud_file.hpp>
#include <pointtree/io/point_cloud2.hpp>
#include <pointtree/perception/engine_recogniser.hpp>
#include <pointtree/perception/pipeline.hpp>
#include <stdexcept>
#include <string>

using namespace pointtree;

namespace {

void segment(const char* model, const char* file) {
  const auto engine = std::make_shared<const inference::Engine>(model);
  const auto mode = engine->info().segments ? perception::Mode::blocks : perception::Mode::objects;
  perception::Pipeline pipeline(perception::default_config(mode),
                                std::make_shared<perception::EngineRecogniser>(engine));

  // What a driver, a bag or a socket hands over: the description of the points and their bytes.
  const auto message = io::make_point_cloud2(io::read_cloud(file), io::make_header(0, "lidar"));
  const auto max_points = static_cast<std::size_t>(pipeline.config().max_points);
  // The view checks every size before anything is read, and copies nothing.
  const auto view = perception::CloudView::make(message, max_points);
  if (!view) throw std::runtime_error(view.error().message);
  const auto result = pipeline.process(*view, message.header.nanoseconds());
  if (!result) throw std::runtime_error(result.error().message);

  std::map<std::string, int> counts;
  for (const perception::PointLabel& label : result->labels) {
    const bool known = label.class_id != perception::kUnknownClass;
    ++counts[known ? pipeline.info().classes[label.class_id] : "unknown"];
  }
  for (const auto& [name, count] : counts) std::printf("%8d %s\n", count, name.c_str());
  std::printf("%.1f ms\n", result->times.total);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: segment_pointcloud2 MODEL CLOUD\n");
    return 2;
  }
  try {
    segment(argv[1], argv[2]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "segment_pointcloud2: %s\n", error.what());
    return 1;
  }
  return 0;
}
