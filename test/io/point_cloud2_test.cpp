// SPDX-License-Identifier: Apache-2.0
#include "pointtree/io/point_cloud2.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cloud_samples.hpp"
#include "io/cdr.hpp"
#include "io/transforms.hpp"

namespace pointtree::io {
namespace {

using test::read_error_of;
using test::sample_cloud;
using ::testing::HasSubstr;

TEST(Cdr, aligns_numbers_to_their_size_behind_the_header) {
  CdrWriter writer;
  writer.u8(7);
  writer.u32(0x01020304);
  writer.u8(9);
  writer.f64(1.0);
  const Bytes bytes = writer.finish();
  const Bytes expected = {0, 1, 0, 0, 7, 0, 0, 0, 4, 3, 2, 1, 9,    0,
                          0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xF0, 0x3F};
  EXPECT_EQ(expected, bytes);
}

TEST(Cdr, reads_both_byte_orders) {
  for (const bool big_endian : {false, true}) {
    CdrWriter writer(big_endian);
    writer.u16(0xABCD);
    writer.text("lidar");
    writer.f32(-2.5F);
    writer.u64(1ULL << 40);
    const Bytes bytes = writer.finish();
    CdrReader reader(bytes);
    EXPECT_EQ(0xABCD, reader.u16());
    EXPECT_EQ("lidar", reader.text());
    EXPECT_EQ(-2.5F, reader.f32());
    EXPECT_EQ(1ULL << 40, reader.u64());
    EXPECT_EQ(0U, reader.remaining());
  }
}

TEST(Cdr, believes_no_length) {
  const Bytes huge = {0, 1, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 'a'};
  EXPECT_THROW(CdrReader(huge).text(), ReadError);
  EXPECT_THROW(CdrReader(huge).sequence(1), ReadError);
  EXPECT_THROW(CdrReader(huge).byte_sequence(), ReadError);
  EXPECT_THROW(CdrReader(Bytes{0, 1, 0}), ReadError);
  EXPECT_THROW(CdrReader(Bytes{0, 7, 0, 0}), ReadError);
  const Bytes unterminated = {0, 1, 0, 0, 1, 0, 0, 0, 'a'};
  EXPECT_THROW(CdrReader(unterminated).text(), ReadError);
}

TEST(PointCloud2, gives_back_the_cloud_in_both_byte_orders) {
  Cloud cloud = sample_cloud(60, 11);
  cloud.width = 20;
  cloud.height = 3;
  for (const bool big_endian : {false, true}) {
    const Bytes bytes =
        encode_point_cloud2(make_point_cloud2(cloud, make_header(-1, "map")), big_endian);
    const PointCloud2Message message = decode_point_cloud2(bytes);
    EXPECT_EQ(-1, message.header.nanoseconds());
    EXPECT_EQ("map", message.header.frame_id);
    EXPECT_GE(message.data.data, bytes.data());
    EXPECT_LT(message.data.data, bytes.data() + bytes.size());
    const Cloud found = cloud_from(message);
    test::expect_same_points(cloud, found);
    EXPECT_EQ(cloud.intensity, found.intensity);
    EXPECT_EQ(cloud.labels, found.labels);
    EXPECT_EQ(cloud.colours, found.colours);
  }
}

TEST(PointCloud2, reads_rows_with_padding) {
  const Cloud cloud = sample_cloud(4, 12);
  PointCloud2Message message = make_point_cloud2(cloud, {});
  const std::size_t step = message.point_step;
  Bytes padded;
  for (int row = 0; row < 2; ++row) {
    padded.insert(padded.end(), message.data.data + row * 2 * step,
                  message.data.data + (row + 1) * 2 * step);
    if (row == 0) padded.resize(padded.size() + 5, 0xEE);
  }
  message.width = message.height = 2;
  message.row_step = static_cast<std::uint32_t>(2 * step + 5);
  message.data = padded;
  EXPECT_EQ(cloud.points, cloud_from(message).points);
}

TEST(PointCloud2, refuses_layouts_that_leave_the_data) {
  const Cloud cloud = sample_cloud(4, 13);
  const PointCloud2Message good = make_point_cloud2(cloud, {});
  const auto error_of = [&](auto change) {
    PointCloud2Message bad = good;
    change(bad);
    return read_error_of([&] { cloud_from(bad); });
  };
  EXPECT_THAT(error_of([](auto& m) { m.width = 5; }), HasSubstr("row_step"));
  EXPECT_THAT(error_of([](auto& m) { m.height = 2; }), HasSubstr("bytes of points"));
  EXPECT_THAT(error_of([](auto& m) { m.width = m.height = UINT32_MAX; }), HasSubstr("ceiling"));
  EXPECT_THAT(error_of([](auto& m) { m.point_step = 0; }), HasSubstr("row_step"));
  EXPECT_THAT(error_of([](auto& m) { m.fields[0].offset = UINT32_MAX; }), HasSubstr("'x'"));
  EXPECT_THAT(error_of([](auto& m) { m.fields[0].datatype = 9; }), HasSubstr("datatype"));
  EXPECT_THAT(error_of([](auto& m) { m.fields[1].name = "w"; }), HasSubstr("'y'"));
  EXPECT_THAT(error_of([](auto& m) { m.data.size -= 1; }), HasSubstr("bytes of points"));
}

TEST(PointCloud2, is_safe_for_every_truncation) {
  const Bytes bytes =
      encode_point_cloud2(make_point_cloud2(sample_cloud(3, 14), make_header(5, "a")));
  test::expect_prefixes_are_safe(std::string(bytes.begin(), bytes.end()), [](const Bytes& prefix) {
    cloud_from(decode_point_cloud2(prefix));
  });
}

TEST(Transforms, are_given_back) {
  TransformMessage transform;
  transform.header = make_header(1'500'000'000, "odom");
  transform.child_frame_id = "base";
  transform.translation << 1.0, -2.0, 3.5;
  transform.rotation = Eigen::Quaterniond(0.5, 0.5, -0.5, 0.5);
  for (const bool big_endian : {false, true}) {
    const auto found = decode_transforms(encode_transforms({transform, transform}, big_endian));
    ASSERT_EQ(2U, found.size());
    EXPECT_EQ("base", found[1].child_frame_id);
    EXPECT_EQ(1'500'000'000, found[1].header.nanoseconds());
    EXPECT_EQ(transform.translation, found[1].translation);
    EXPECT_EQ(transform.rotation.coeffs(), found[1].rotation.coeffs());
  }
}

}  // namespace
}  // namespace pointtree::io
