// SPDX-License-Identifier: Apache-2.0

// Cloud files against PCL's reader, and bags by compression. POINTTREE_DATA names the folder with
// the real files.
#include <benchmark/benchmark.h>
#include <pcl/io/pcd_io.h>
#include <pcl/point_types.h>

#include <cstdlib>
#include <filesystem>

#include "pointtree/io/bag.hpp"
#include "pointtree/io/bag_writer.hpp"
#include "pointtree/io/cloud_file.hpp"
#include "pointtree/io/point_cloud2.hpp"

namespace {

using namespace pointtree::io;  // NOLINT(google-build-using-namespace): a program of one file

/// A real file, or an empty path, which skips the benchmark.
std::filesystem::path real_file(benchmark::State& state, const char* name) {
  const char* root = std::getenv("POINTTREE_DATA");
  if (root != nullptr) return std::filesystem::path(root) / name;
  state.SkipWithError("POINTTREE_DATA is not set");
  return {};
}

void read_pcd(benchmark::State& state, const char* name) {
  const auto path = real_file(state, name);
  for (auto _ : state) benchmark::DoNotOptimize(read_cloud(path).points.data());
}

void read_pcd_with_pcl(benchmark::State& state, const char* name) {
  const auto path = real_file(state, name);
  for (auto _ : state) {
    pcl::PointCloud<pcl::PointXYZ> cloud;
    pcl::io::loadPCDFile(path.string(), cloud);
    benchmark::DoNotOptimize(cloud.data());
  }
}

BENCHMARK_CAPTURE(read_pcd, ascii, "pcl/min_cut_segmentation_tutorial.pcd")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_pcd_with_pcl, ascii, "pcl/min_cut_segmentation_tutorial.pcd")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_pcd, compressed, "pcl/room_scan1.pcd")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_pcd_with_pcl, compressed, "pcl/room_scan1.pcd")
    ->Unit(benchmark::kMillisecond);

/// A KITTI scan as a serialized message.
Bytes scan_message(benchmark::State& state) {
  const auto path = real_file(state, "kitti_odometry/000000.bin");
  if (path.empty()) return {};
  return encode_point_cloud2(make_point_cloud2(read_cloud(path), make_header(1, "velodyne")));
}

constexpr int kMessages = 10;

void write_scans(const std::filesystem::path& path, ByteView message, BagCompression compression) {
  BagWriter writer(path, {compression, 1 << 20});
  BagTopic topic;
  topic.name = "/points";
  topic.type = kPointCloud2Type;
  writer.add_topic(topic);
  for (int i = 0; i < kMessages; ++i) writer.write(0, i * 100'000'000LL, message);
  writer.close();
}

void write_bag(benchmark::State& state) {
  const Bytes message = scan_message(state);
  const auto path = std::filesystem::temp_directory_path() / "pointtree_benchmark.mcap";
  for (auto _ : state) write_scans(path, message, static_cast<BagCompression>(state.range(0)));
  state.SetBytesProcessed(
      static_cast<std::int64_t>(state.iterations() * kMessages * message.size()));
  state.counters["file_share"] = static_cast<double>(std::filesystem::file_size(path)) /
                                 static_cast<double>(kMessages * message.size());
  std::filesystem::remove(path);
}

void read_bag(benchmark::State& state) {
  const Bytes message = scan_message(state);
  const auto path = std::filesystem::temp_directory_path() / "pointtree_benchmark.mcap";
  write_scans(path, message, static_cast<BagCompression>(state.range(0)));
  for (auto _ : state) {
    const auto bag = open_bag(path);
    while (const auto found = bag->next()) benchmark::DoNotOptimize(found->data.data);
  }
  state.SetBytesProcessed(
      static_cast<std::int64_t>(state.iterations() * kMessages * message.size()));
  std::filesystem::remove(path);
}

BENCHMARK(write_bag)->ArgName("none_lz4_zstd")->DenseRange(0, 2)->Unit(benchmark::kMillisecond);
BENCHMARK(read_bag)->ArgName("none_lz4_zstd")->DenseRange(0, 2)->Unit(benchmark::kMillisecond);

}  // namespace
