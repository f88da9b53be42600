// SPDX-License-Identifier: Apache-2.0
#include "pointtree/io/point_cloud2.hpp"

#include <gtest/gtest.h>

#include "cloud_samples.hpp"
#include "io/cdr.hpp"
#include "io/transforms.hpp"

namespace pointtree::io {
namespace {

using test::sample_cloud;

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
    const PointCloud2Message sent = make_point_cloud2(cloud, {});
    EXPECT_EQ(Bytes(message.data.begin(), message.data.end()), *sent.storage);
    ASSERT_EQ(6U, message.fields.size()) << "x y z intensity label rgb";
    for (std::size_t i = 0; i < message.fields.size(); ++i) {
      EXPECT_EQ(sent.fields[i].name, message.fields[i].name);
      EXPECT_EQ(sent.fields[i].type, message.fields[i].type);
      EXPECT_EQ(sent.fields[i].offset, message.fields[i].offset);
    }
    const PointField& label = message.fields[4];
    for (std::size_t i = 0; i < cloud.labels.size(); ++i) {
      const std::uint8_t* point = message.data.data + i * message.point_step;
      EXPECT_EQ(cloud.labels[i], load_scalar(point + label.offset, label.type, false));
    }
  }
}

TEST(PointCloud2, is_safe_for_every_truncation) {
  const Bytes bytes =
      encode_point_cloud2(make_point_cloud2(sample_cloud(3, 14), make_header(5, "a")));
  test::expect_prefixes_are_safe(std::string(bytes.begin(), bytes.end()),
                                 [](const Bytes& prefix) { decode_point_cloud2(prefix); });
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
