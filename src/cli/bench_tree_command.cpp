// SPDX-License-Identifier: Apache-2.0
#include <malloc.h>
#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "bench_clock.hpp"
#include "commands.hpp"
#include "geometry/tree/kernel_name.hpp"
#include "nanoflann_reference.hpp"
#include "pointtree/geometry/pre_align.hpp"
#include "pointtree/geometry/random.hpp"
#include "pointtree/geometry/relaxed_kd_tree.hpp"

namespace pointtree::cli {
namespace {

struct Options {
  int points = 2048;
  int clouds = 16;
  int repeats = 0;  // 0: about two seconds
  int batch = 64;
  int threads = 2;
  bool scaling = false;
  bool json = false;
};

/// Points on an ellipsoid: a smooth surface, as scanners see it.
geometry::Points surface(int count, std::uint64_t seed) {
  geometry::Random random(seed);
  geometry::Points points(count, 3);
  for (int i = 0; i < count; ++i) {
    const Eigen::RowVector3d d = random.direction();
    points.row(i) << static_cast<float>(d.x()), static_cast<float>(0.7 * d.y()),
        static_cast<float>(0.4 * d.z());
  }
  return points;
}

std::vector<geometry::Points> surfaces(int count, int points) {
  std::vector<geometry::Points> clouds;
  for (int i = 0; i < count; ++i) clouds.push_back(surface(points, i + 1U));
  return clouds;
}

/// Mean over the clouds of the least time of each, in microseconds.
double mean(const std::vector<Least>& times) {
  double sum = 0;
  for (const Least& time : times) sum += time.seconds();
  return 1e6 * sum / static_cast<double>(times.size());
}

struct SingleTimes {
  double tree, nanoflann, pre_align;
};

/// In turn on different clouds, as they come from a sensor: a processor that builds the same small
/// tree again and again learns all its branches by heart.
SingleTimes time_single_clouds(const Options& options, int repeats) {
  const std::vector<geometry::Points> clouds = surfaces(options.clouds, options.points);
  std::vector<Least> tree(clouds.size());
  std::vector<Least> nanoflann(clouds.size());
  std::vector<Least> pre_align(clouds.size());
  // Side by side, so that whatever else the machine does meets all three alike.
  for (int r = 0; r < repeats; ++r) {
    for (std::size_t i = 0; i < clouds.size(); ++i) {
      const NanoflannCloud reference{clouds[i]};
      nanoflann[i].measure(thread_seconds, [&] { build_nanoflann(reference); });
      tree[i].measure(thread_seconds, [&] { geometry::build_tree(clouds[i]); });
      pre_align[i].measure(thread_seconds, [&] {
        geometry::pre_align(clouds[i], geometry::PreAlignMode::canonical);
      });
    }
  }
  return {mean(tree), mean(nanoflann), mean(pre_align)};
}

/// Wall time of a batch on one thread over that on several.
double batch_speedup(const Options& options, int repeats) {
  const std::vector<geometry::Points> clouds = surfaces(options.batch, options.points);
  const std::vector<geometry::PointsView> views(clouds.begin(), clouds.end());
  Least one;
  Least several;
  for (int r = 0; r < repeats; ++r) {
    one.measure(wall_seconds, [&] { geometry::build_trees(views, 1); });
    several.measure(wall_seconds, [&] { geometry::build_trees(views, options.threads); });
  }
  return one.seconds() / several.seconds();
}

int automatic_repeats(int points, double microseconds_per_point) {
  return std::clamp(static_cast<int>(2e6 / (points * microseconds_per_point)), 3, 5000);
}

nlohmann::json scaling_curve() {
  nlohmann::json curve = nlohmann::json::array();
  for (int d = 10; d <= 20; ++d) {
    const int n = 1 << d;
    const geometry::Points cloud = surface(n, 1);
    Least least;
    for (int r = 0; r < automatic_repeats(n, 0.5); ++r) {
      least.measure(thread_seconds, [&] { geometry::build_tree(cloud); });
    }
    curve.push_back({{"points", n},
                     {"tree_us", 1e6 * least.seconds()},
                     {"ns_per_point_and_level", 1e9 * least.seconds() / n / d}});
  }
  return curve;
}

/// As in a node, where freeing the first large message makes glibc keep freed memory: otherwise
/// every batch of trees gets its pages anew, which two threads do no faster than one.
void keep_freed_memory() {
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  mallopt(M_TOP_PAD, 64 << 20);
}

nlohmann::json measure(const Options& options) {
  keep_freed_memory();
  const int automatic = automatic_repeats(options.points, 0.25);
  const int repeats =
      options.repeats > 0 ? options.repeats : std::max(3, automatic / options.clouds);
  const SingleTimes times = time_single_clouds(options, repeats);
  nlohmann::json report{
      {"points", options.points},
      {"clouds", options.clouds},
      {"kernels", geometry::tree::kernel_name()},
      {"repeats", repeats},
      {"tree_us", times.tree},
      {"nanoflann_us", times.nanoflann},
      {"ratio_to_nanoflann", times.tree / times.nanoflann},
      {"pre_align_us", times.pre_align},
      {"pre_align_share_of_tree", times.pre_align / times.tree},
  };
  if (options.batch > 0) {
    report["batch"] = options.batch;
    report["threads"] = options.threads;
    report["batch_speedup"] = batch_speedup(options, std::max(3, automatic / options.batch / 2));
  }
  if (options.scaling) report["scaling"] = scaling_curve();
  return report;
}

void print(const nlohmann::json& report) {
  fmt::print("points                   {:>10}\n", report["points"].get<int>());
  fmt::print("different clouds         {:>10}\n", report["clouds"].get<int>());
  fmt::print("kernels                  {:>10}\n", report["kernels"].get<std::string>());
  fmt::print("tree, planes included    {:>10.1f} us\n", report["tree_us"].get<double>());
  fmt::print("nanoflann, leaf size 1   {:>10.1f} us\n", report["nanoflann_us"].get<double>());
  fmt::print("ratio to nanoflann       {:>10.2f}\n", report["ratio_to_nanoflann"].get<double>());
  fmt::print("canonical pre-alignment  {:>10.1f} us, {:.1f} % of the tree\n",
             report["pre_align_us"].get<double>(),
             100 * report["pre_align_share_of_tree"].get<double>());
  if (report.contains("batch_speedup")) {
    fmt::print("{} trees on {} threads {:>10.2f} times as fast as on one\n",
               report["batch"].get<int>(), report["threads"].get<int>(),
               report["batch_speedup"].get<double>());
  }
  if (!report.contains("scaling")) return;
  fmt::print("\n{:>10} {:>12} {:>24}\n", "points", "tree, us", "ns per point and level");
  for (const nlohmann::json& row : report["scaling"]) {
    fmt::print("{:>10} {:>12.1f} {:>24.2f}\n", row["points"].get<int>(),
               row["tree_us"].get<double>(), row["ns_per_point_and_level"].get<double>());
  }
}

}  // namespace

void add_bench_tree_command(CLI::App& app) {
  CLI::App* command = bench_command(app).add_subcommand(
      "tree",
      "Times the relaxed k-d tree and pre-alignment beside nanoflann: processor time of one "
      "thread, least of many interleaved runs");
  const auto options = std::make_shared<Options>();
  const auto power_of_two = [](const std::string& text) {
    const long n = std::atol(text.c_str());
    return n >= 4 && n <= (1L << 24) && (n & (n - 1)) == 0
               ? std::string()
               : "expected a power of two from 4 to 2^24, found " + text;
  };
  command->add_option("--points", options->points, "Points of the cloud, a power of two")
      ->capture_default_str()
      ->check(CLI::Validator(power_of_two, "POWER_OF_TWO"));
  command
      ->add_option("--clouds", options->clouds,
                   "Different clouds built in turn; of one alone the processor learns the branches")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  command
      ->add_option("--repeats", options->repeats,
                   "Runs of each cloud; 0: about two seconds of each")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber);
  command->add_option("--batch", options->batch, "Clouds for the parallel run; 0: none")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber);
  command->add_option("--threads", options->threads, "Threads for the parallel run")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  command->add_flag("--scaling", options->scaling, "Also time trees of 2^10 to 2^20 points");
  command->add_flag("--json", options->json, "Print JSON");
  command->callback([options] {
    const nlohmann::json report = measure(*options);
    if (options->json) {
      fmt::print("{}\n", report.dump(2));
    } else {
      print(report);
    }
  });
}

}  // namespace pointtree::cli
