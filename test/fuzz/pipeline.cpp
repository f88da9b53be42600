// SPDX-License-Identifier: Apache-2.0
#include "pointtree/perception/pipeline.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>

#include "perception/fake_recogniser.hpp"
#include "raw_values.hpp"

namespace {

using namespace pointtree;  // NOLINT(google-build-using-namespace)
using perception::PipelineConfig;

constexpr std::size_t kPointBytes = 3 * sizeof(float);
constexpr std::size_t kFramePoints = 256;

PipelineConfig config_of(std::uint8_t choice) {
  auto config = perception::default_config((choice & 1U) != 0 ? perception::Mode::blocks
                                                              : perception::Mode::objects);
  if ((choice & 2U) != 0) config.up = perception::UpDirection::z;
  if ((choice & 4U) != 0) config.crop.min_range = 0.0;
  if ((choice & 8U) != 0) config.ground.remove = false;
  if ((choice & 16U) != 0) config.voxel_size = 0.0;
  if ((choice & 32U) != 0) config.sensor_height = 1.8;
  config.cluster.min_points = 2;
  config.cluster.min_height = 0.0;
  config.blocks.min_points = 1;
  return config;
}

io::PointCloud2Message cloud_of(const std::uint8_t* bytes, std::size_t points) {
  io::PointCloud2Message cloud;
  cloud.height = 1;
  cloud.width = static_cast<std::uint32_t>(points);
  cloud.point_step = kPointBytes;
  cloud.row_step = static_cast<std::uint32_t>(points * kPointBytes);
  cloud.fields = {{"x", 0}, {"y", 4}, {"z", 8}};
  cloud.data = {bytes, points * kPointBytes};
  return cloud;
}

bool is_share(float value) { return value >= 0.0F && value <= 1.0F; }

void check(const perception::FrameResult& result, std::size_t points) {
  if (result.labels.size() != points || result.valid_points > points) std::abort();
  const auto objects = static_cast<std::int32_t>(result.objects.size());
  for (const auto& label : result.labels) {
    if (label.object < -1 || label.object >= objects || !is_share(label.probability)) std::abort();
  }
  std::set<std::uint32_t> ids;
  for (const auto& object : result.objects) {
    if (!ids.insert(object.id).second || object.point_count == 0) std::abort();
    if (!object.box.center.allFinite() || !object.box.size.allFinite()) std::abort();
    if (!object.box.orientation.coeffs().allFinite() || !object.centroid.allFinite()) std::abort();
    if (object.box.size.minCoeff() < 0.0F || !is_share(object.confidence)) std::abort();
  }
}

}  // namespace

/// Raw floats as successive frames: each is rejected with a reason or answered consistently, and
/// nothing is thrown, whatever the stamps.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::RawValues values(data, size);
  const auto config = config_of(values.take<std::uint8_t>());
  const bool segments = config.mode == perception::Mode::blocks;
  perception::Pipeline pipeline(config, std::make_shared<perception::FakeRecogniser>(segments));
  for (int frame = 0; frame < 3 && values.left() > 0; ++frame) {
    const auto stamp = values.take<std::int64_t>();
    const std::size_t points = std::min(values.left() / kPointBytes, kFramePoints);
    const auto result = pipeline.process(cloud_of(values.rest(), points), stamp);
    if (result) {
      check(*result, points);
    } else if (result.error().message.empty() ||
               result.error().kind == perception::RejectKind::processing_failed) {
      std::fprintf(stderr, "refused with '%s'\n", result.error().message.c_str());
      std::abort();
    }
    for (std::size_t i = 0; i < points * 3; ++i) values.take<float>();
  }
  return 0;
}
