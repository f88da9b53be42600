// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>

#include <vector>

#include "nanoflann_reference.hpp"
#include "pointtree/geometry/pre_align.hpp"
#include "pointtree/geometry/random.hpp"
#include "pointtree/geometry/relaxed_kd_tree.hpp"
#include "pointtree/geometry/sampling.hpp"

namespace pointtree::geometry {
namespace {

Points surface(std::int64_t count) {
  Random random(1);
  Points points(count, 3);
  for (std::int64_t i = 0; i < count; ++i) {
    points.row(i) =
        random.direction().cast<float>().cwiseProduct(Eigen::RowVector3f(1, 0.7F, 0.4F));
  }
  return points;
}

void build_relaxed_tree(benchmark::State& state) {
  const Points cloud = surface(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(build_tree(cloud));
  state.SetComplexityN(state.range(0));
}
BENCHMARK(build_relaxed_tree)->RangeMultiplier(4)->Range(1 << 10, 1 << 20)->Complexity();

void build_nanoflann_tree(benchmark::State& state) {
  const Points cloud = surface(state.range(0));
  const cli::NanoflannCloud reference{cloud};
  for (auto _ : state) benchmark::DoNotOptimize(cli::build_nanoflann(reference));
}
BENCHMARK(build_nanoflann_tree)->Arg(2048)->Arg(131072);

void build_batch(benchmark::State& state) {
  const Points cloud = surface(2048);
  const std::vector<PointsView> views(64, PointsView(cloud));
  for (auto _ : state) {
    benchmark::DoNotOptimize(build_trees(views, static_cast<int>(state.range(0))));
  }
}
BENCHMARK(build_batch)->Arg(1)->Arg(2)->UseRealTime();

void build_one_tree_on_threads(benchmark::State& state) {
  const Points cloud = surface(131072);
  TreeOptions options;
  options.threads = static_cast<int>(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(build_tree(cloud, options));
}
BENCHMARK(build_one_tree_on_threads)->Arg(1)->Arg(2)->UseRealTime();

void pre_align_cloud(benchmark::State& state) {
  const Points cloud = surface(2048);
  const auto mode = static_cast<PreAlignMode>(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(pre_align(cloud, mode));
  state.SetLabel(std::string(to_string(mode)));
}
BENCHMARK(pre_align_cloud)->DenseRange(0, 3);

void locate_points(benchmark::State& state) {
  const Points cloud = surface(4096);
  const RelaxedKdTree tree = build_tree(cloud);
  const PointsOf<double> queries = cloud.cast<double>();
  for (auto _ : state) {
    for (Eigen::Index i = 0; i < queries.rows(); ++i) {
      benchmark::DoNotOptimize(tree.locate(queries.row(i).transpose()));
    }
  }
  state.SetItemsProcessed(state.iterations() * queries.rows());
}
BENCHMARK(locate_points);

void resample_down(benchmark::State& state) {
  const Points cloud = surface(8192);
  for (auto _ : state) benchmark::DoNotOptimize(resample(cloud, 2048, 1));
}
BENCHMARK(resample_down);

}  // namespace
}  // namespace pointtree::geometry
