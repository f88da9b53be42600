// SPDX-License-Identifier: Apache-2.0
#include "pointtree/io/semantickitti.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <limits>
#include <set>

#include "temporary_folder.hpp"

namespace pointtree::io {
namespace {

namespace fs = std::filesystem;

template <typename T>
void write_numbers(const fs::path& path, const std::vector<T>& numbers) {
  fs::create_directories(path.parent_path());
  std::ofstream out(path, std::ios::binary);
  out.write(reinterpret_cast<const char*>(numbers.data()),
            static_cast<std::streamsize>(numbers.size() * sizeof(T)));
}

std::string error_of(const fs::path& scan) {
  return test::error_of<ReadError>([&] { read_semantickitti(scan); });
}

class SemanticKitti : public ::testing::Test {
 protected:
  SemanticKitti() {
    write_numbers<float>(scan_, {1, 2, 3, 0.5F, -4, 5, -6, 0.25F});
    write_numbers<std::uint32_t>(labels_, {(7U << 16) | 252U, 1U});
  }

  test::TemporaryFolder folder_;
  fs::path scan_ = folder_.path() / "00/velodyne/000003.bin";
  fs::path labels_ = folder_.path() / "00/labels/000003.label";
};

TEST_F(SemanticKitti, scan_has_points_intensity_class_and_instance) {
  const LabelledScan scan = read_semantickitti(scan_);
  ASSERT_EQ(scan.points.rows(), 2);
  EXPECT_EQ(scan.points.row(1), Eigen::RowVector3f(-4, 5, -6));
  EXPECT_EQ(scan.intensity, (std::vector<float>{0.5F, 0.25F}));
  EXPECT_EQ(scan.semantic, (std::vector<std::uint16_t>{252, 1}));
  EXPECT_EQ(scan.instance, (std::vector<std::uint16_t>{7, 0}));
  EXPECT_EQ(scan.class_labels(), (std::vector<std::int32_t>{0, -1}));
  EXPECT_EQ(semantickitti_scans(folder_.path() / "00"), std::vector<fs::path>{scan_});
}

TEST_F(SemanticKitti, errors_name_the_file_and_what_was_found) {
  write_numbers<std::uint32_t>(labels_, {10U});
  EXPECT_NE(error_of(scan_).find("000003.label': 2 labels of 4 bytes expected"), std::string::npos)
      << error_of(scan_);
  EXPECT_NE(error_of(scan_).find("found 4 bytes"), std::string::npos) << error_of(scan_);
  fs::remove(labels_);
  EXPECT_NE(error_of(scan_).find("000003.label"), std::string::npos) << error_of(scan_);
  write_numbers<float>(scan_, {1, 2, 3});
  EXPECT_NE(error_of(scan_).find("000003.bin"), std::string::npos) << error_of(scan_);
  write_numbers<float>(scan_, {1, std::numeric_limits<float>::quiet_NaN(), 3, 0});
  EXPECT_NE(error_of(scan_).find("finite"), std::string::npos) << error_of(scan_);
  EXPECT_THROW(semantickitti_scans(folder_.path() / "01"), ReadError);
}

TEST(SemanticKittiClasses, every_class_has_a_number_and_moving_things_keep_their_class) {
  std::set<int> found;
  for (std::uint32_t number = 0; number < 300; ++number) found.insert(semantickitti_class(number));
  ASSERT_EQ(semantickitti_classes().size(), 19U);
  EXPECT_EQ(found.size(), 20U);  // and none
  EXPECT_EQ(*found.begin(), -1);
  const auto name = [](std::uint32_t number) {
    return semantickitti_classes().at(static_cast<std::size_t>(semantickitti_class(number)));
  };
  EXPECT_EQ(name(10), "car");
  EXPECT_EQ(name(252), "car");
  EXPECT_EQ(name(254), "person");
  EXPECT_EQ(name(257), "other-vehicle");
  EXPECT_EQ(name(258), "truck");
  EXPECT_EQ(name(60), "road");
  EXPECT_EQ(name(50), "building");
  EXPECT_EQ(name(81), "traffic-sign");
  for (const std::uint32_t number : {0U, 1U, 52U, 99U, 65535U})
    EXPECT_EQ(semantickitti_class(number), -1) << number;
}

}  // namespace
}  // namespace pointtree::io
