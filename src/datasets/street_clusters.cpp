// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "cluster_finder.hpp"
#include "dataset_parameters.hpp"
#include "datasets/dataset_split.hpp"
#include "datasets/readers.hpp"
#include "datasets/semantickitti_splits.hpp"
#include "file_list_dataset.hpp"
#include "geometry/seed.hpp"
#include "held_dataset.hpp"
#include "io/name_list.hpp"
#include "pointtree/geometry/cloud_size.hpp"
#include "pointtree/io/semantickitti.hpp"
#include "simulation/simulation.hpp"

namespace pointtree::datasets {
namespace {

namespace fs = std::filesystem;

constexpr double kBeam = 0.4 * 3.14159265358979 / 180.0;  // spacing of a 64-beam lidar

struct Labelled {
  geometry::Points points;
  std::vector<std::int32_t> labels;
};

// Every second beam lost, told by elevation: files don't say which beam saw a point.
Labelled every_second_beam(const Labelled& scan) {
  std::vector<Eigen::Index> kept;
  Labelled thinned;
  for (Eigen::Index i = 0; i < scan.points.rows(); ++i) {
    const double level = scan.points.row(i).head<2>().norm();
    const double elevation = std::atan2(static_cast<double>(scan.points(i, 2)), level);
    if (static_cast<std::int64_t>(std::floor(elevation / kBeam)) % 2 != 0) continue;
    kept.push_back(i);
    thinned.labels.push_back(scan.labels[static_cast<std::size_t>(i)]);
  }
  thinned.points = scan.points(kept, Eigen::all);
  return thinned;
}

// Appends the clusters of a scan.
void add_clusters(const Labelled& scan, double tolerance, std::vector<Example>& clusters) {
  const auto classes = static_cast<int>(street_object_classes().size());
  for (Example& cluster :
       find_clusters(scan.points, scan.labels, {tolerance, classes, classes - 1}))
    clusters.push_back(std::move(cluster));
}

void add_varied_clusters(const Labelled& scan, std::vector<Example>& clusters) {
  add_clusters(scan, 0.4, clusters);
  add_clusters(scan, 0.3, clusters);
  Labelled thinned = every_second_beam(scan);
  thinned.points.col(1) *= -1.0F;
  add_clusters(thinned, 0.45, clusters);
}

std::unique_ptr<Dataset> data_set_of(std::vector<Example> clusters, const std::string& kind,
                                     const std::string& split) {
  DatasetInfo info{kind, split, street_object_classes()};
  info.extra_channels = {geometry::kHeightChannel};
  return std::make_unique<HeldDataset>(std::move(info), std::move(clusters));
}

Labelled read_scan(const fs::path& file) {
  io::LabelledScan scan = io::read_semantickitti(file);
  Labelled labelled;
  labelled.points = std::move(scan.points);
  for (const std::uint16_t semantic : scan.semantic)
    labelled.labels.push_back(street_object_class(std::uint32_t{semantic}));
  return labelled;
}

}  // namespace

std::unique_ptr<Dataset> open_street_clusters(const fs::path& place, const std::string& split) {
  std::vector<Example> clusters;
  for (const std::string& folder : io::split(place.string(), ':')) {
    for (const fs::path& sequence : sorted_entries(fs::path(folder) / "sequences")) {
      if (!sequence_in_split(sequence.filename().string(), split)) continue;
      for (const fs::path& file : io::semantickitti_scans(sequence)) {
        const Labelled scan = read_scan(file);
        if (is_training_split(split)) {
          add_varied_clusters(scan, clusters);
        } else {
          add_clusters(scan, 0.4, clusters);
        }
      }
    }
  }
  return data_set_of(std::move(clusters), "street_clusters", split);
}

std::unique_ptr<Dataset> open_simulated_clusters(const fs::path& parameters,
                                                 const std::string& split) {
  const DatasetParameters chosen = parse_parameters(parameters.string(), {60, 0, 0, View::scan});
  std::vector<Example> clusters;
  for (std::size_t i = 0; i < chosen.size_of(split); ++i) {
    geometry::Random random(
        geometry::mix_seed({chosen.seed, geometry::hash_name("clusters " + split), i}));
    const simulation::Scene street = simulation::make_street(random.below(~std::uint64_t{0}));
    simulation::LabelledPoints seen = simulation::scan_from_way(street, random);
    Labelled labelled;
    labelled.points = std::move(seen.points);
    for (const std::int32_t label : seen.labels)
      labelled.labels.push_back(
          street_object_class(street.classes[static_cast<std::size_t>(label)]));
    add_clusters(labelled, 0.4, clusters);
  }
  return data_set_of(std::move(clusters), "simulated_clusters", split);
}

}  // namespace pointtree::datasets
