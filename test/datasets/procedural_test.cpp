// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <set>

#include "pointtree/datasets/dataset.hpp"
#include "simulation/lidar_simulator.hpp"
#include "simulation/objects.hpp"
#include "simulation/scene.hpp"
#include "temporary_folder.hpp"

namespace pointtree::datasets {
namespace {

using test::error_of;

TEST(ProceduralObjects, every_kind_stands_on_the_ground_in_life_size) {
  ASSERT_EQ(simulation::modelnet40_classes().size(), 40U);
  EXPECT_TRUE(std::is_sorted(simulation::modelnet40_classes().begin(),
                             simulation::modelnet40_classes().end()));
  for (const std::string& kind : simulation::object_classes()) {
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      SCOPED_TRACE(kind + " " + std::to_string(seed));
      geometry::Random random(seed);
      const simulation::TriangleMesh mesh = simulation::make_object(kind, random);
      const Eigen::AlignedBox3f box = simulation::bounds(mesh);
      EXPECT_NEAR(box.min().z(), 0.0F, 1e-4F);
      EXPECT_NEAR(box.center().head<2>().norm(), 0.0F, 1e-3F);
      EXPECT_GT(box.sizes().minCoeff(), 0.0F);
      EXPECT_GT(box.diagonal().norm(), 0.08F);
      EXPECT_LT(box.diagonal().norm(), kind == "airplane" ? 70.0F : 14.0F);
      EXPECT_LT(mesh.triangles.size(), 20000U);
      for (const Eigen::Vector3f& vertex : mesh.vertices) ASSERT_TRUE(vertex.allFinite());
    }
  }
}

TEST(ProceduralObjects, seed_decides_the_shape) {
  for (const std::string& kind : simulation::object_classes()) {
    const auto size = [&](std::uint64_t seed) {
      geometry::Random random(seed);
      return simulation::bounds(simulation::make_object(kind, random)).sizes().eval();
    };
    EXPECT_EQ(size(1), size(1)) << kind;
    EXPECT_NE(size(1), size(2)) << kind;
  }
  geometry::Random random(1);
  EXPECT_THAT(error_of([&] { simulation::make_object("dragon", random); }),
              ::testing::HasSubstr("dragon"));
}

TEST(PartialScan, shows_one_side_of_a_ball) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    SCOPED_TRACE(seed);
    geometry::Random random(seed);
    const simulation::TriangleMesh ball = simulation::make_object("bowl", random);
    simulation::PartialScanConfig config;
    config.noise = 0.0;
    config.minimum_points = 200;
    const geometry::Points points = simulation::partial_scan(ball, config, random);
    ASSERT_GE(points.rows(), 200);
    const Eigen::AlignedBox3f box = simulation::bounds(ball);
    const Eigen::RowVector3f margin = Eigen::RowVector3f::Constant(1e-3F);
    EXPECT_TRUE(
        ((points.colwise().minCoeff() - box.min().transpose() + margin).array() > 0.0F).all());
    EXPECT_TRUE(
        ((box.max().transpose() - points.colwise().maxCoeff() + margin).array() > 0.0F).all());
  }
}

// A point must lie in the box of the object that it is said to belong to.
void expect_boxes_hold_their_objects(const simulation::Scene& scene) {
  std::set<std::int32_t> instances;
  for (const simulation::SceneObject& object : scene.objects) {
    ASSERT_GE(object.label, 0);
    ASSERT_LT(object.label, static_cast<std::int32_t>(scene.classes.size()));
    if (object.instance == 0) continue;
    EXPECT_TRUE(instances.insert(object.instance).second) << "instance used twice";
    const Eigen::Matrix3d turn =
        Eigen::AngleAxisd(-object.box.yaw, Eigen::Vector3d::UnitZ()).toRotationMatrix();
    double farthest = 0.0;
    for (const Eigen::Vector3f& vertex : object.mesh.vertices) {
      const Eigen::Vector3d local = turn * (vertex.cast<double>() - object.box.centre);
      farthest = std::max(farthest, (local.cwiseAbs() - object.box.size / 2).maxCoeff());
    }
    EXPECT_NEAR(farthest, 0.0, 1e-3) << object.kind;
  }
}

TEST(Street, holds_the_things_of_a_street_in_their_boxes) {
  std::map<std::string, int> kinds;
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    SCOPED_TRACE(seed);
    const simulation::Scene street = simulation::make_street(seed);
    expect_boxes_hold_their_objects(street);
    for (const simulation::SceneObject& object : street.objects) ++kinds[object.kind];
    EXPECT_GT(street.way.size(), 50U);
  }
  for (const std::string& kind : simulation::street_classes()) EXPECT_GT(kinds[kind], 0) << kind;
}

TEST(Street, is_the_same_for_the_same_seed_only) {
  const simulation::Scene a = simulation::make_street(3);
  const simulation::Scene b = simulation::make_street(3);
  const simulation::Scene c = simulation::make_street(4);
  ASSERT_EQ(a.objects.size(), b.objects.size());
  for (std::size_t i = 0; i < a.objects.size(); ++i)
    EXPECT_EQ(a.objects[i].mesh.vertices, b.objects[i].mesh.vertices);
  EXPECT_NE(a.objects[0].mesh.vertices, c.objects[0].mesh.vertices);
}

TEST(Street, objects_keep_apart) {
  const simulation::Scene street = simulation::make_street(1);
  std::vector<Eigen::AlignedBox3f> boxes;
  for (const simulation::SceneObject& object : street.objects) {
    if (object.instance > 0) boxes.push_back(simulation::bounds(object.mesh));
  }
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j)
      EXPECT_FALSE(boxes[i].intersects(boxes[j])) << i << " " << j;
  }
}

TEST(Room, has_all_classes_over_some_seeds_and_everything_inside) {
  std::map<std::int32_t, int> labels;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE(seed);
    const simulation::Scene room = simulation::make_room(seed);
    expect_boxes_hold_their_objects(room);
    Eigen::AlignedBox3f walls;
    for (const simulation::SceneObject& object : room.objects) {
      ++labels[object.label];
      if (object.instance == 0) walls.extend(simulation::bounds(object.mesh));
    }
    // Panes and doors are set back into the wall.
    const Eigen::Vector3f margin = Eigen::Vector3f::Constant(0.25F);
    const Eigen::AlignedBox3f allowed(walls.min() - margin, walls.max() + margin);
    for (const simulation::SceneObject& object : room.objects) {
      EXPECT_TRUE(allowed.contains(simulation::bounds(object.mesh))) << object.kind;
    }
  }
  EXPECT_EQ(labels.size(), simulation::room_classes().size());
}

TEST(ProceduralDatasets, examples_are_the_same_at_every_call_and_differ_between_splits) {
  for (const auto& [kind, text] : {std::pair{"procedural_objects", "size=80,points=500"},
                                   std::pair{"procedural_rooms", "size=4,points=700"},
                                   std::pair{"procedural_streets", "size=2"}}) {
    SCOPED_TRACE(kind);
    const auto train = open_dataset(text, kind, "train");
    const auto test = open_dataset(text, kind, "test");
    EXPECT_EQ(train->at(1).points, train->at(1).points);
    const auto seen = train->at(1).points;
    const auto held_out = test->at(1).points;
    EXPECT_FALSE(seen.rows() == held_out.rows() && seen == held_out);
    EXPECT_EQ(train->at(1).label, train->label(1));
    EXPECT_THROW(train->at(train->size()), std::out_of_range);
    const Example example = train->at(0);
    EXPECT_TRUE(example.points.allFinite());
    EXPECT_GE(example.points.rows(), 16);
    if (train->info().point_classes.empty()) continue;
    ASSERT_EQ(static_cast<Eigen::Index>(example.point_labels.size()), example.points.rows());
    for (const std::int32_t label : example.point_labels) {
      EXPECT_GE(label, 0);
      EXPECT_LT(label, static_cast<std::int32_t>(train->info().point_classes.size()));
    }
  }
}

TEST(ProceduralDatasets, room_blocks_are_one_metre_wide) {
  const auto rooms = open_dataset("size=12,points=500,view=mixed", "procedural_rooms", "train");
  for (std::size_t i = 0; i < rooms->size(); ++i) {
    const Example example = rooms->at(i);
    EXPECT_LE(example.points.leftCols<2>().cwiseAbs().maxCoeff(), 0.53F) << i;
    EXPECT_GE(example.points.col(2).minCoeff(), -0.1F);
    EXPECT_LE(example.points.col(2).maxCoeff(), 3.6F);
  }
}

TEST(ProceduralDatasets, parameters_that_make_no_sense_are_refused) {
  const auto open = [](const char* text) {
    return error_of([&] { open_dataset(text, "procedural_objects", "train"); });
  };
  EXPECT_THAT(open("sice=3"), ::testing::HasSubstr("sice=3"));
  EXPECT_THAT(open("size=-1"), ::testing::HasSubstr("size=-1"));
  EXPECT_THAT(open("view=half"), ::testing::HasSubstr("full, scan or mixed"));
}

TEST(GeneratedDatasets, held_out_splits_have_a_size_of_their_own) {
  const char* const parameters = "size=90,held_out=7,kinds=all";
  EXPECT_EQ(open_dataset(parameters, "procedural_objects", "train")->size(), 90U);
  const auto held_out = open_dataset(parameters, "procedural_objects", "validation");
  EXPECT_EQ(held_out->size(), 7U);
  EXPECT_EQ(held_out->info().classes, simulation::object_classes());
}

TEST(ScannedObjects, are_single_things_of_several_classes_seen_from_one_side) {
  const auto objects = open_dataset("size=3,seed=2", "scanned_objects", "train");
  EXPECT_EQ(objects->info().classes, simulation::object_classes());
  std::set<std::int32_t> labels;
  for (std::size_t i = 0; i < objects->size(); ++i) {
    const Example example = objects->at(i);
    labels.insert(example.label);
    EXPECT_GE(example.points.rows(), 20);
    const Eigen::Vector3f extent =
        example.points.colwise().maxCoeff() - example.points.colwise().minCoeff();
    EXPECT_LT(extent.maxCoeff(), 16.0F) << objects->info().classes.at(example.label);
  }
  EXPECT_GT(labels.size(), 5U);
  const auto again = open_dataset("size=3,seed=2", "scanned_objects", "train");
  ASSERT_EQ(again->size(), objects->size());
  EXPECT_EQ(again->at(7).points, objects->at(7).points);
}

TEST(MixedDataset, follows_its_members_and_takes_the_longer_list_of_classes) {
  const auto first = open_dataset("size=5,points=64", "procedural_objects", "train");
  const auto second = open_dataset("size=44,kinds=all,points=64", "procedural_objects", "train");
  const auto mixed = open_dataset("size=5,points=64+size=44,kinds=all,points=64",
                                  "procedural_objects+procedural_objects", "train");
  EXPECT_EQ(mixed->info().classes, simulation::object_classes());
  ASSERT_EQ(mixed->size(), 49U);
  EXPECT_EQ(mixed->at(3).points, first->at(3).points);
  EXPECT_EQ(mixed->at(5).points, second->at(0).points);
  EXPECT_EQ(mixed->label(48), 43);
  EXPECT_THROW(mixed->at(49), std::out_of_range);
}

TEST(MixedDataset, refuses_what_does_not_go_together) {
  EXPECT_THAT(
      error_of([] { open_dataset("size=5", "procedural_objects+procedural_objects", "train"); }),
      ::testing::HasSubstr("2 kinds"));
  EXPECT_THAT(error_of([] {
                open_dataset("size=5+size=5", "procedural_objects+procedural_rooms", "train");
              }),
              ::testing::HasSubstr("can not be mixed"));
}

}  // namespace
}  // namespace pointtree::datasets
