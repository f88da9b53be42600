// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>
#include <stdexcept>

#include "dataset_parameters.hpp"
#include "datasets/readers.hpp"
#include "geometry/seed.hpp"
#include "room_block.hpp"
#include "simulation/lidar_simulator.hpp"
#include "simulation/objects.hpp"
#include "simulation/scene.hpp"
#include "simulation/simulation.hpp"

namespace pointtree::datasets {
namespace {

// Examples made on demand from their index.
class GeneratedDataset : public Dataset {
 public:
  using Make = std::function<Example(std::size_t index, geometry::Random& random)>;

  GeneratedDataset(DatasetInfo info, const DatasetParameters& parameters, Make make)
      : info_(std::move(info)),
        seed_(parameters.seed),
        size_(parameters.size_of(info_.split)),
        make_(std::move(make)) {}

  const DatasetInfo& info() const override { return info_; }
  std::size_t size() const override { return size_; }

  Example at(std::size_t index) const override {
    if (index >= size_) throw std::out_of_range("example past the end of a generated data set");
    geometry::Random random(geometry::mix_seed({seed_, geometry::hash_name(info_.split), index}));
    return make_(index, random);
  }

  // Classes take turns; examples without a class keep none.
  std::int32_t label(std::size_t index) const override {
    return info_.classes.empty() ? kNoLabel
                                 : static_cast<std::int32_t>(index % info_.classes.size());
  }

 private:
  DatasetInfo info_;
  std::uint64_t seed_;
  std::size_t size_;
  Make make_;
};

bool sees_all(View view, geometry::Random& random) {
  return view == View::full || (view == View::mixed && geometry::chance(random, 0.5));
}

// A lidar's noise is in metres, so small things look rougher; far ones have few beams.
simulation::PartialScanConfig lidar_view(const simulation::TriangleMesh& mesh,
                                         geometry::Random& random) {
  simulation::PartialScanConfig config;
  const double radius = simulation::bounds(mesh).diagonal().norm() / 2.0;
  config.noise = std::min(random.uniform(0.003, 0.025) / radius, 0.04);
  config.rows_low = 5;
  config.minimum_points = 24;
  return config;
}

}  // namespace

std::unique_ptr<Dataset> open_procedural_objects(const std::filesystem::path& parameters,
                                                 const std::string& split) {
  const DatasetParameters chosen =
      parse_parameters(parameters.string(), {4000, 0, 2048, View::mixed});
  DatasetInfo info{"procedural_objects", split};
  info.classes = chosen.street ? simulation::object_classes() : simulation::modelnet40_classes();
  return std::make_unique<GeneratedDataset>(
      info, chosen, [chosen, classes = info.classes](std::size_t index, geometry::Random& random) {
        const auto label = index % classes.size();
        const simulation::TriangleMesh mesh = simulation::make_object(classes[label], random);
        Example example;
        example.label = static_cast<std::int32_t>(label);
        example.metres = 1.0;
        if (!sees_all(chosen.view, random))
          example.points = simulation::partial_scan(mesh, lidar_view(mesh, random), random);
        // An object that a lidar would hardly notice is shown whole.
        if (example.points.rows() < 16)
          example.points = simulation::sample_surface(mesh, chosen.points, random).points;
        return example;
      });
}

std::unique_ptr<Dataset> open_procedural_rooms(const std::filesystem::path& parameters,
                                               const std::string& split) {
  const DatasetParameters chosen =
      parse_parameters(parameters.string(), {4000, 0, 4096, View::mixed});
  DatasetInfo info{"procedural_rooms", split};
  info.point_classes = simulation::room_classes();
  info.extra_channels = room_channels();
  return std::make_unique<GeneratedDataset>(
      info, chosen, [chosen](std::size_t, geometry::Random& random) {
        const simulation::Scene room = simulation::make_room(random.below(~std::uint64_t{0}));
        Example example =
            cut_block(room, {chosen.points, chosen.block}, !sees_all(chosen.view, random), random);
        example.metres = 1.0;
        example.extra = Channels::Zero(example.points.rows(), 4);
        example.extra.col(0) = example.points.col(2);
        return example;
      });
}

std::unique_ptr<Dataset> open_procedural_streets(const std::filesystem::path& parameters,
                                                 const std::string& split) {
  const DatasetParameters chosen = parse_parameters(parameters.string(), {100, 0, 0, View::scan});
  DatasetInfo info{"procedural_streets", split};
  info.point_classes = simulation::street_classes();
  return std::make_unique<GeneratedDataset>(
      info, chosen, [](std::size_t, geometry::Random& random) {
        const simulation::Scene street = simulation::make_street(random.below(~std::uint64_t{0}));
        simulation::LabelledPoints seen = simulation::scan_from_way(street, random);
        Example example;
        example.points = std::move(seen.points);
        example.point_labels = std::move(seen.labels);
        return example;
      });
}

}  // namespace pointtree::datasets
