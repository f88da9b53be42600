// SPDX-License-Identifier: Apache-2.0
#include <spdlog/fmt/fmt.h>

#include <array>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "commands.hpp"
#include "geometry/parallel.hpp"
#include "one_of.hpp"
#include "pointtree/geometry/expected_angle_difference.hpp"
#include "pointtree/geometry/pre_align.hpp"
#include "pointtree/geometry/sampling.hpp"
#include "pointtree/geometry/transformation.hpp"
#include "pointtree/io/cloud_file.hpp"

namespace pointtree::cli {
namespace {

using geometry::Points;
using geometry::PreAlignMode;
using geometry::TransformationKind;

struct Options {
  std::vector<std::filesystem::path> clouds;
  std::string form = "authors";
  int draws = 300;
  int aggressive_draws = 30;
  int points = 2048;
  int triples = geometry::kDefaultTriples;
  std::uint64_t seed = 0;
  int threads = 0;
  bool json = false;
};

constexpr std::array<PreAlignMode, 4> kModes{PreAlignMode::none, PreAlignMode::plain,
                                             PreAlignMode::iterative, PreAlignMode::canonical};
constexpr std::array<TransformationKind, 4> kKinds{
    TransformationKind::similarity, TransformationKind::affine,
    TransformationKind::affine_aggressive, TransformationKind::projective};

/// The finite points of a file, resampled where there are more than wanted.
Points load(const std::filesystem::path& path, const Options& options) {
  const Points all = io::read_cloud(path).points;
  Points finite(all.rows(), 3);
  Eigen::Index kept = 0;
  for (Eigen::Index i = 0; i < all.rows(); ++i) {
    if (all.row(i).allFinite()) finite.row(kept++) = all.row(i);
  }
  finite.conservativeResize(kept, 3);
  if (kept < 4) {
    throw std::runtime_error(path.string() + ": expected at least 4 finite points, found " +
                             std::to_string(kept));
  }
  if (options.points == 0 || kept <= options.points) return finite;
  Points chosen(options.points, 3);
  const std::vector<std::int32_t> indices =
      geometry::resample(finite, options.points, options.seed);
  for (Eigen::Index i = 0; i < options.points; ++i) {
    chosen.row(i) = finite.row(indices[static_cast<std::size_t>(i)]);
  }
  return chosen;
}

using Row = std::array<double, kModes.size()>;

/// Mean EAD, per mode, between the pre-aligned cloud and its pre-aligned transformed copies.
Row measure(const Points& cloud, TransformationKind kind, int draws, const Options& options) {
  const auto n = static_cast<std::int32_t>(cloud.rows());
  const std::vector<geometry::Triple> triples =
      geometry::draw_triples(n, options.triples, options.seed);
  std::array<Points, kModes.size()> before;
  for (std::size_t m = 0; m < kModes.size(); ++m) {
    before[m] = geometry::pre_align(cloud, kModes[m]).points;
  }
  const geometry::TransformationSampler sampler(
      kind, from_string<geometry::TransformationForm>(options.form, "--form"));
  std::vector<Row> rows(static_cast<std::size_t>(draws));
  geometry::for_each_in_parallel(rows.size(), options.threads, [&](std::size_t draw) {
    // A generator per draw: the table is the same for any number of threads.
    geometry::Random random(options.seed * 1000003 + draw + 1);
    const Points moved = sampler.draw(cloud, random).apply(cloud);
    for (std::size_t m = 0; m < kModes.size(); ++m) {
      const Points after = geometry::pre_align(moved, kModes[m]).points;
      rows[draw][m] = geometry::expected_angle_difference(before[m], after, triples);
    }
  });
  Row mean{};
  for (const Row& row : rows) {
    for (std::size_t m = 0; m < mean.size(); ++m) mean[m] += row[m] / draws;
  }
  return mean;
}

nlohmann::json measure_all(const Options& options) {
  nlohmann::json report{
      {"form", options.form}, {"seed", options.seed}, {"triples", options.triples}};
  for (const std::filesystem::path& path : options.clouds) {
    const Points cloud = load(path, options);
    nlohmann::json table = nlohmann::json::array();
    for (const TransformationKind kind : kKinds) {
      const int draws =
          kind == TransformationKind::affine_aggressive ? options.aggressive_draws : options.draws;
      if (draws == 0) continue;
      const Row row = measure(cloud, kind, draws, options);
      table.push_back({{"transformation", geometry::to_string(kind)},
                       {"draws", draws},
                       {"raw", row[0]},
                       {"plain", row[1]},
                       {"iterative", row[2]},
                       {"canonical", row[3]}});
    }
    report["clouds"].push_back(
        {{"file", path.string()}, {"points", cloud.rows()}, {"table", table}});
  }
  return report;
}

void print(const nlohmann::json& report) {
  fmt::print("Expected angle difference in radians, mean over draws; {} form, {} triples\n",
             report["form"].get<std::string>(), report["triples"].get<int>());
  for (const nlohmann::json& cloud : report["clouds"]) {
    fmt::print("\n{}, {} points\n", cloud["file"].get<std::string>(), cloud["points"].get<int>());
    fmt::print("{:<18} {:>6} {:>10} {:>10} {:>10} {:>10}\n", "transformation", "draws", "raw",
               "plain", "iterative", "canonical");
    for (const nlohmann::json& row : cloud["table"]) {
      fmt::print("{:<18} {:>6} {:>10.3g} {:>10.3g} {:>10.3g} {:>10.3g}\n",
                 row["transformation"].get<std::string>(), row["draws"].get<int>(),
                 row["raw"].get<double>(), row["plain"].get<double>(),
                 row["iterative"].get<double>(), row["canonical"].get<double>());
    }
  }
}

}  // namespace

void add_ead_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "ead",
      "Prints how far transformations bend the angles of clouds, without and with each "
      "pre-alignment");
  const auto options = std::make_shared<Options>();
  command->add_option("clouds", options->clouds, "Cloud files: pcd, ply, bin, npy, npz, txt, xyz")
      ->required()
      ->check(CLI::ExistingFile);
  command->add_option("--draws", options->draws, "Transformations drawn per row")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000000));
  command
      ->add_option("--aggressive-draws", options->aggressive_draws,
                   "The same for affine_aggressive, each of which searches thousands; 0: no row")
      ->capture_default_str()
      ->check(CLI::Range(0, 1000000));
  command->add_option("--form", options->form, "Distributions of the transformations")
      ->capture_default_str()
      ->check(one_of<geometry::TransformationForm>());
  command->add_option("--points", options->points, "Sample down to so many points; 0: keep all")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber);
  command->add_option("--triples", options->triples, "Angles compared")
      ->capture_default_str()
      ->check(CLI::Range(1, 100000000));
  command->add_option("--seed", options->seed, "Of everything random")->capture_default_str();
  command->add_option("--threads", options->threads, "0: as many as cores")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber);
  command->add_flag("--json", options->json, "Print JSON");
  command->callback([options] {
    const nlohmann::json report = measure_all(*options);
    if (options->json) {
      fmt::print("{}\n", report.dump(2));
    } else {
      print(report);
    }
  });
}

}  // namespace pointtree::cli
