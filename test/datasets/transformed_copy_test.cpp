// SPDX-License-Identifier: Apache-2.0
#include "datasets/transformed_copy.hpp"

#include <gmock/gmock.h>

#include <Eigen/QR>
#include <algorithm>

#include "datasets/hdf5_file.hpp"
#include "temporary_folder.hpp"

namespace pointtree::datasets {
namespace {

using test::error_of;
using test::TemporaryFolder;
using ::testing::HasSubstr;

TEST(TransformedCopy, every_copy_is_an_affine_image_of_its_cloud) {
  const TemporaryFolder folder;
  const auto source = open_dataset("size=6,points=200,view=full", "procedural_objects", "train");
  CopyConfig config;
  config.copies = 3;
  config.seed = 5;
  std::size_t told = 0;
  write_transformed_copy(*source, config, folder.path(),
                         [&](std::size_t stored) { told = stored; });
  EXPECT_EQ(told, 18U);
  const auto copy = open_dataset(folder.path(), "auto", "train");
  ASSERT_EQ(copy->size(), 18U);
  EXPECT_EQ(copy->info().classes, source->info().classes);
  for (std::size_t i = 0; i < copy->size(); ++i) {
    SCOPED_TRACE(i);
    const Example image = copy->at(i);
    EXPECT_EQ(image.label, source->label(i / 3));
    ASSERT_EQ(image.points.rows(), 200);
    // The order of the points has changed, but an affine map keeps the distances from the mean in
    // units of the cloud's own spread.
    const auto spread = [](const geometry::Points& points) {
      const Eigen::MatrixXd centred =
          points.cast<double>().rowwise() - points.cast<double>().colwise().mean();
      const Eigen::MatrixXd q =
          centred.householderQr().householderQ() * Eigen::MatrixXd::Identity(centred.rows(), 3);
      Eigen::VectorXd distances = q.rowwise().norm();
      std::sort(distances.data(), distances.data() + distances.size());
      return distances;
    };
    EXPECT_LT((spread(image.points) - spread(source->at(i / 3).points)).cwiseAbs().maxCoeff(),
              1e-3);
    if (i % 3 > 0) {
      EXPECT_NE(image.points, copy->at(i - 1).points);
    }
  }
}

TEST(TransformedCopy, is_the_same_for_the_same_seed_only) {
  const TemporaryFolder folder;
  const auto source = open_dataset("size=4,points=64", "procedural_objects", "test");
  CopyConfig config;
  config.transformation = geometry::TransformationKind::projective;
  write_transformed_copy(*source, config, folder / "a");
  write_transformed_copy(*source, config, folder / "b");
  config.seed = 1;
  write_transformed_copy(*source, config, folder / "c");
  const auto points = [&](const char* name) {
    return open_dataset(folder / name, "auto", "test")->at(2).points;
  };
  EXPECT_EQ(points("a"), points("b"));
  EXPECT_NE(points("a"), points("c"));
}

TEST(TransformedCopy, copies_of_one_shape_never_fall_into_two_splits) {
  const TemporaryFolder folder;
  const auto source = open_dataset("size=80,points=16", "procedural_objects", "train");
  write_transformed_copy(*source, {}, folder.path());
  EXPECT_EQ(open_dataset(folder.path(), "auto", "train")->size(), 80U) << "train isn't cut again";
  EXPECT_THAT(error_of([&] { open_dataset(folder.path(), "auto", "validation"); }),
              HasSubstr("validation"));
  write_transformed_copy(*open_dataset("size=40,points=16", "procedural_objects", "validation"), {},
                         folder.path());
  EXPECT_EQ(open_dataset(folder.path(), "auto", "validation")->size(), 40U);
  EXPECT_EQ(open_dataset(folder.path(), "auto", "train")->size(), 80U);
}

TEST(TransformedCopy, blocks_keep_their_point_labels) {
  const TemporaryFolder folder;
  const auto source = open_dataset("size=5,points=128,view=full", "procedural_rooms", "test");
  CopyConfig config;
  config.transformation = geometry::TransformationKind::none;
  write_transformed_copy(*source, config, folder.path());
  const auto copy = open_dataset(folder.path(), "auto", "test");
  EXPECT_EQ(copy->info().kind, "blocks");
  EXPECT_EQ(copy->info().point_classes, source->info().point_classes);
  for (std::size_t i = 0; i < copy->size(); ++i) {
    const Example before = source->at(i);
    const Example after = copy->at(i);
    ASSERT_EQ(before.points.rows(), after.points.rows());
    for (Eigen::Index k = 0; k < after.points.rows(); ++k) {
      Eigen::Index same = 0;
      const float distance =
          (before.points.rowwise() - after.points.row(k)).rowwise().squaredNorm().minCoeff(&same);
      EXPECT_EQ(distance, 0.0F);
      EXPECT_EQ(after.point_labels[static_cast<std::size_t>(k)],
                before.point_labels[static_cast<std::size_t>(same)]);
    }
  }
}

TEST(TransformedCopy, of_shapes_with_parts_is_read_as_shapenet_part) {
  const TemporaryFolder folder;
  folder.write("shapes/all_object_categories.txt", "Airplane 02691156\n");
  folder.write("shapes/test_files.txt", "shapes.h5\n");
  const std::vector<float> values{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
  const std::vector<std::int32_t> parts{0, 1, 2, 3};
  const std::int32_t airplane = 0;
  Hdf5File file = Hdf5File::create(folder / "shapes" / "shapes.h5");
  file.write_floats("data", {1, 4, 3}, values.data());
  file.write_ints("label", {1, 1}, &airplane);
  file.write_ints("pid", {1, 4}, parts.data());
  const auto source = open_dataset(folder / "shapes", "auto", "test");
  write_transformed_copy(*source, {}, folder / "copy");
  const auto copy = open_dataset(folder / "copy", "auto", "test");
  EXPECT_EQ(copy->info().kind, "shapenet_part");
  EXPECT_EQ(copy->at(0).label, airplane);
  EXPECT_EQ(copy->at(0).point_labels, parts);
}

}  // namespace
}  // namespace pointtree::datasets
