// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>

#include "dataset_parameters.hpp"
#include "datasets/readers.hpp"
#include "geometry/seed.hpp"
#include "held_dataset.hpp"
#include "simulation/objects.hpp"
#include "simulation/simulation.hpp"

namespace pointtree::datasets {
namespace {

constexpr std::size_t kFewestPoints = 20;
constexpr double kStreetShare = 0.7;

struct Piece {
  std::int32_t label = kNoLabel;
  float foot = 0.0F;  // height of the ground under it
  std::vector<Eigen::RowVector3f> points;
};

std::int32_t label_of(const std::string& kind) {
  const auto& names = simulation::object_classes();
  const auto found = std::find(names.begin(), names.end(), kind);
  return found == names.end() ? kNoLabel : static_cast<std::int32_t>(found - names.begin());
}

// The scene's single objects by instance, as far as they have a class.
std::map<std::int32_t, Piece> empty_pieces(const simulation::Scene& scene) {
  std::map<std::int32_t, Piece> pieces;
  for (const simulation::SceneObject& object : scene.objects) {
    if (object.instance == 0) continue;
    Piece& piece = pieces[object.instance];
    piece.label = label_of(object.kind);
    piece.foot = static_cast<float>(object.box.centre.z() - object.box.size.z() / 2.0);
  }
  return pieces;
}

// Fronts go on for ever; what a robot clusters is a stretch of them. Negative, unlike instances.
std::int32_t stretch_of(const Eigen::RowVector3f& point, float length) {
  return -1 - 2 * std::abs(static_cast<std::int32_t>(std::floor(point.x() / length))) -
         static_cast<std::int32_t>(point.y() > 0.0F);
}

// Ground removal takes the lowest part of an object along.
void add_example(const Piece& piece, float cut, std::vector<Example>& examples) {
  std::vector<Eigen::RowVector3f> kept;
  for (const auto& point : piece.points) {
    if (point.z() >= piece.foot + cut) kept.push_back(point);
  }
  if (piece.label == kNoLabel || kept.size() < kFewestPoints) return;
  Example example;
  example.label = piece.label;
  example.metres = 1.0;
  example.points.resize(static_cast<Eigen::Index>(kept.size()), 3);
  for (std::size_t i = 0; i < kept.size(); ++i)
    example.points.row(static_cast<Eigen::Index>(i)) = kept[i];
  examples.push_back(std::move(example));
}

void add_scan(geometry::Random& random, std::vector<Example>& examples) {
  const bool street = geometry::chance(random, kStreetShare);
  simulation::SimulationConfig config =
      street ? simulation::SimulationConfig{} : simulation::indoor_simulation();
  config.frames = 0;
  const std::uint64_t seed = random.below(~std::uint64_t{0});
  const simulation::Scene scene = street ? simulation::simulate_street(seed, config).scene
                                         : simulation::simulate_room(seed, config).scene;
  const simulation::SceneCaster caster(scene);
  const Eigen::Isometry3d pose =
      simulation::pose_on_way(scene, random.uniform(0.0, street ? 76.0 : 4.0));
  const simulation::LabelledPoints seen =
      simulation::merge_scans({simulation::scan_scene(scene, caster, config.lidar, pose, seed)});
  const std::int32_t building = label_of("building");
  const float stretch = static_cast<float>(random.uniform(2.0, 9.0));
  std::map<std::int32_t, Piece> pieces = empty_pieces(scene);
  for (std::size_t i = 0; i < seen.instances.size(); ++i) {
    const Eigen::RowVector3f point = seen.points.row(static_cast<Eigen::Index>(i));
    if (seen.instances[i] > 0) {
      pieces[seen.instances[i]].points.push_back(point);
    } else if (scene.classes[static_cast<std::size_t>(seen.labels[i])] == "building") {
      Piece& piece = pieces[stretch_of(point, stretch)];
      piece.label = building;
      piece.foot = -1e9F;
      piece.points.push_back(point);
    }
  }
  for (const auto& [instance, piece] : pieces) {
    add_example(piece, static_cast<float>(random.uniform(0.0, 0.2)), examples);
  }
}

}  // namespace

std::unique_ptr<Dataset> open_scanned_objects(const std::filesystem::path& parameters,
                                              const std::string& split) {
  const DatasetParameters chosen = parse_parameters(parameters.string(), {100, 0, 0, View::scan});
  // Everything is made here: one scan shows dozens of objects.
  std::vector<Example> examples;
  for (std::size_t i = 0; i < chosen.size_of(split); ++i) {
    geometry::Random random(geometry::mix_seed({chosen.seed, geometry::hash_name(split), i}));
    add_scan(random, examples);
  }
  return std::make_unique<HeldDataset>(
      DatasetInfo{"scanned_objects", split, simulation::object_classes()}, std::move(examples));
}

}  // namespace pointtree::datasets
