// SPDX-License-Identifier: Apache-2.0
#include "pointtree/perception/cloud_view.hpp"

#include <array>
#include <cmath>
#include <cstdlib>

#include "perception/ingest.hpp"
#include "pointtree/perception/segmentation_cloud.hpp"
#include "raw_values.hpp"

namespace {

using namespace pointtree;  // NOLINT(google-build-using-namespace)

constexpr std::array kNames{"x", "y", "z", "intensity", "label", "ring", "x", ""};
constexpr std::size_t kMaxPoints = 1 << 16;

/// A description made of the input's first bytes over the bytes that follow.
io::PointCloud2Message describe(fuzz::RawValues values) {
  io::PointCloud2Message cloud;
  const auto shape = values.take<std::uint8_t>();
  cloud.is_bigendian = (shape & 0x80U) != 0;
  cloud.height = values.take<std::uint32_t>();
  cloud.width = values.take<std::uint32_t>();
  cloud.point_step = values.take<std::uint32_t>();
  cloud.row_step = values.take<std::uint32_t>();
  for (unsigned i = 0; i < (shape & 0x0FU); ++i) {
    io::PointField field;
    field.name = kNames[values.take<std::uint8_t>() % kNames.size()];
    field.offset = values.take<std::uint32_t>();
    field.type = static_cast<io::ScalarType>(values.take<std::uint8_t>());
    field.count = values.take<std::uint32_t>();
    cloud.fields.push_back(field);
  }
  cloud.data = {values.rest(), values.left()};
  return cloud;
}

}  // namespace

/// A described cloud is refused with a reason, or every one of its values lies within its bytes.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto raw = describe({data, size});
  const auto view = perception::CloudView::make(raw, kMaxPoints);
  if (!view) {
    if (view.error().message.empty()) std::abort();
    return 0;
  }
  double sum = 0.0;
  for (const char* name : kNames) {
    const auto field = view->field(name);
    for (std::size_t i = 0; field && i < view->size(); ++i) sum += field->read(view->address(i));
  }
  perception::FramePoints frame;
  perception::ingest(*view, std::isnan(sum) ? 0.0 : 0.5, 80.0, frame);
  if (frame.points.size() != frame.source.size()) std::abort();
  for (std::size_t i = 0; i < frame.points.size(); ++i) {
    if (!frame.points[i].allFinite() || frame.source[i] >= view->size()) std::abort();
    if (i > 0 && frame.source[i] <= frame.source[i - 1]) std::abort();
  }
  perception::FrameResult result;
  result.labels.resize(view->size());
  if (perception::encode_segmentation(*view, result).size() !=
      view->size() * perception::kSegmentationPointStep)
    std::abort();
  return 0;
}
