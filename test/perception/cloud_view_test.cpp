// SPDX-License-Identifier: Apache-2.0
#include "pointtree/perception/cloud_view.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "perception/cloud_bytes.hpp"
#include "perception/ingest.hpp"

namespace pointtree::perception {
namespace {

constexpr std::size_t kManyPoints = 1'000'000;

CloudBytes two_points() { return to_cloud({{1.0F, 2.0F, 3.0F}, {4.0F, 5.0F, 6.0F}}); }

RejectKind kind_of(const io::PointCloud2Message& cloud, std::size_t max_points = kManyPoints) {
  const auto view = CloudView::make(cloud, max_points);
  EXPECT_FALSE(view.has_value());
  if (view) return RejectKind::no_points;
  EXPECT_FALSE(view.error().message.empty());
  return view.error().kind;
}

TEST(cloud_view, reads_any_field_order_padding_and_rows) {
  CloudBytes cloud(3, 2, 31, 5);
  cloud.add_field("ring", 0, io::ScalarType::uint16);
  cloud.add_field("z", 3, io::ScalarType::float32);
  cloud.add_field("x", 11, io::ScalarType::float64);
  cloud.add_field("y", 20, io::ScalarType::float32);
  for (std::uint32_t row = 0; row < 2; ++row) {
    for (std::uint32_t column = 0; column < 3; ++column) {
      const double index = row * 3 + column;
      cloud.put(row, column, 11, index);
      cloud.put(row, column, 20, static_cast<float>(10 + index));
      cloud.put(row, column, 3, static_cast<float>(20 + index));
    }
  }
  const auto view = CloudView::make(cloud.raw(), kManyPoints);
  ASSERT_TRUE(view) << view.error().message;
  ASSERT_EQ(view->size(), 6U);
  for (std::size_t i = 0; i < 6; ++i) {
    const auto value = static_cast<double>(i);
    EXPECT_EQ(view->position(i), Eigen::Vector3d(value, 10 + value, 20 + value)) << "point " << i;
  }
}

TEST(cloud_view, reads_the_other_byte_order) {
  CloudBytes cloud(1, 1, 24);
  cloud.raw().is_bigendian = true;
  cloud.add_field("x", 0, io::ScalarType::float32);
  cloud.add_field("y", 4, io::ScalarType::float64);
  cloud.add_field("z", 12, io::ScalarType::float32);
  cloud.add_field("intensity", 16, io::ScalarType::uint16);
  cloud.put(0, 0, 0, 1.5F);
  cloud.put(0, 0, 4, -2.25);
  cloud.put(0, 0, 12, 1e-3F);
  cloud.put(0, 0, 16, std::uint16_t{777});
  const auto view = CloudView::make(cloud.raw(), kManyPoints);
  ASSERT_TRUE(view) << view.error().message;
  EXPECT_EQ(view->position(0), Eigen::Vector3d(1.5, -2.25, 1e-3F));
  ASSERT_TRUE(view->field("intensity"));
  EXPECT_EQ(view->field("intensity")->read(view->address(0)), 777.0);
}

template <typename T>
void expect_field_reads(io::ScalarType type, T value) {
  CloudBytes cloud(1, 1, 20);
  for (const auto* name : {"x", "y", "z"}) cloud.add_field(name, 0, io::ScalarType::float32);
  cloud.add_field("intensity", 12, type);
  cloud.put(0, 0, 12, value);
  const auto view = CloudView::make(cloud.raw(), kManyPoints);
  ASSERT_TRUE(view) << view.error().message;
  EXPECT_EQ(view->field("intensity")->read(view->address(0)), static_cast<double>(value));
}

TEST(cloud_view, reads_intensity_of_every_type) {
  expect_field_reads<std::int8_t>(io::ScalarType::int8, -7);
  expect_field_reads<std::uint8_t>(io::ScalarType::uint8, 250);
  expect_field_reads<std::int16_t>(io::ScalarType::int16, -30000);
  expect_field_reads<std::uint16_t>(io::ScalarType::uint16, 60000);
  expect_field_reads<std::int32_t>(io::ScalarType::int32, -2'000'000'000);
  expect_field_reads<std::uint32_t>(io::ScalarType::uint32, 4'000'000'000U);
  expect_field_reads<float>(io::ScalarType::float32, 0.25F);
  expect_field_reads<double>(io::ScalarType::float64, 1.0 / 3.0);
}

TEST(cloud_view, tells_that_a_field_is_missing_or_does_not_fit) {
  CloudBytes cloud = two_points();
  cloud.add_field("intensity", 9, io::ScalarType::float32);
  const auto view = CloudView::make(cloud.raw(), kManyPoints);
  ASSERT_TRUE(view);
  EXPECT_FALSE(view->field("intensity"));
  EXPECT_FALSE(view->field("label"));
}

TEST(cloud_view, names_the_rule_that_a_cloud_broke) {
  const auto broken = [](auto&& change) {
    CloudBytes cloud = two_points();
    change(cloud.raw());
    return kind_of(cloud.raw());
  };
  EXPECT_EQ(broken([](io::PointCloud2Message& c) { c.width = 0; }), RejectKind::no_points);
  EXPECT_EQ(broken([](io::PointCloud2Message& c) { c.height = 0; }), RejectKind::no_points);
  EXPECT_EQ(broken([](io::PointCloud2Message& c) { c.fields[1].name = "Y"; }),
            RejectKind::missing_coordinates);
  EXPECT_EQ(broken([](io::PointCloud2Message& c) { c.fields.clear(); }),
            RejectKind::missing_coordinates);
  EXPECT_EQ(broken([](io::PointCloud2Message& c) { c.fields[2].type = io::ScalarType::int32; }),
            RejectKind::coordinate_type);
  EXPECT_EQ(broken([](io::PointCloud2Message& c) { c.fields[2].type = io::ScalarType{99}; }),
            RejectKind::coordinate_type);
  EXPECT_EQ(broken([](io::PointCloud2Message& c) { c.fields[2].offset = 9; }),
            RejectKind::field_layout);
  EXPECT_EQ(broken([](io::PointCloud2Message& c) { c.fields[2].offset = 0xFFFFFFFF; }),
            RejectKind::field_layout);
  EXPECT_EQ(broken([](io::PointCloud2Message& c) { c.fields[2].count = 0; }),
            RejectKind::field_layout);
  EXPECT_EQ(broken([](io::PointCloud2Message& c) { c.fields[0].count = 0x40000000; }),
            RejectKind::field_layout);
  EXPECT_EQ(broken([](io::PointCloud2Message& c) { c.point_step = 0; }), RejectKind::field_layout);
  EXPECT_EQ(broken([](io::PointCloud2Message& c) { c.width = 3; }), RejectKind::short_data);
}

TEST(cloud_view, refuses_buffers_that_end_too_early) {
  CloudBytes cloud(4, 4, 12, 8);
  for (const auto* name : {"x", "y", "z"}) cloud.add_field(name, 0, io::ScalarType::float32);
  io::PointCloud2Message raw = cloud.raw();
  // The last row needs no padding behind it.
  raw.data.size = 3 * raw.row_step + 4 * 12;
  EXPECT_TRUE(CloudView::make(raw, kManyPoints));
  --raw.data.size;
  EXPECT_EQ(kind_of(raw), RejectKind::short_data);
  raw.data.data = nullptr;
  EXPECT_EQ(kind_of(raw), RejectKind::short_data);
  raw = cloud.raw();
  raw.row_step = 4 * 12 - 1;
  EXPECT_EQ(kind_of(raw), RejectKind::row_layout);
}

TEST(cloud_view, refuses_absurd_sizes_without_wrapping_around) {
  io::PointCloud2Message raw = two_points().raw();
  raw.width = 0xFFFFFFFF;
  raw.height = 0xFFFFFFFF;
  raw.row_step = 0xFFFFFFFF;
  EXPECT_EQ(kind_of(raw), RejectKind::too_many_points);
  constexpr std::size_t kNoCeiling = std::numeric_limits<std::size_t>::max();
  raw.width = 0x10000000;
  EXPECT_EQ(kind_of(raw, kNoCeiling), RejectKind::short_data);
  // 2^32 points of 2^32 - 1 bytes: the product doesn't fit in 64 bits together with the last row.
  raw.point_step = 0xFFFFFFFF;
  raw.width = 1;
  EXPECT_EQ(kind_of(raw, kNoCeiling), RejectKind::short_data);
}

TEST(cloud_view, survives_random_descriptions) {
  std::mt19937 random(20240611);
  std::vector<std::uint8_t> bytes(64);
  const auto draw = [&](std::uint32_t bound) {
    return random() % 8 == 0 ? static_cast<std::uint32_t>(random())
                             : static_cast<std::uint32_t>(random() % bound);
  };
  int accepted = 0;
  for (int trial = 0; trial < 20'000; ++trial) {
    SCOPED_TRACE(trial);
    io::PointCloud2Message raw;
    raw.height = draw(3);
    raw.width = draw(6);
    raw.point_step = draw(40);
    raw.row_step = draw(80);
    raw.is_bigendian = draw(2) == 1;
    for (const auto* name : {"x", "y", "z", "label"}) {
      raw.fields.push_back({name, draw(24), io::ScalarType(7 + random() % 2), 1 + draw(2)});
    }
    raw.data = {bytes.data(), random() % (bytes.size() + 1)};
    const auto view = CloudView::make(raw, 100);
    if (!view) continue;
    ++accepted;
    for (std::size_t i = 0; i < view->size(); ++i) {
      const std::uint8_t* point = view->address(i);
      ASSERT_GE(point, raw.data.begin());
      ASSERT_LE(point + raw.point_step, raw.data.end());
    }
  }
  EXPECT_GT(accepted, 50) << "the random descriptions no longer reach the readers";
}

TEST(ingest, drops_invalid_points_and_keeps_original_indices) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float inf = std::numeric_limits<float>::infinity();
  CloudBytes cloud = to_cloud({{nan, 0, 0},
                               {3, 0, 0},
                               {0, inf, 0},
                               {0, 0, 0},
                               {0, 0, -inf},
                               {0, 99, 0},
                               {0, 0, 5},
                               {3e38F, 3e38F, 3e38F}});
  const auto view = CloudView::make(cloud.raw(), kManyPoints);
  ASSERT_TRUE(view);
  FramePoints frame;
  ingest(*view, 0.5, 50.0, frame);
  EXPECT_EQ(frame.source, (std::vector<std::uint32_t>{1, 6}));
  ASSERT_EQ(frame.points.size(), 2U);
  EXPECT_EQ(frame.points[0], Eigen::Vector3f(3, 0, 0));
  EXPECT_EQ(frame.points[1], Eigen::Vector3f(0, 0, 5));
}

}  // namespace
}  // namespace pointtree::perception
