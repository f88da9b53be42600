// SPDX-License-Identifier: Apache-2.0

// Full and read-only disks: an error that names the file, and what was there before stays.
#include "reliability/bad_disk.hpp"

#include <gtest/gtest.h>

#include "pointtree/io/bag.hpp"
#include "pointtree/io/bag_writer.hpp"
#include "pointtree/io/cloud_file.hpp"
#include "reliability/small_bundle.hpp"

namespace pointtree::reliability {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kDiskBytes = 256 << 10;

/// Runs a writer that must fail; returns what is wrong with how it did.
template <typename Writer>
std::string fault_of(Writer write, const std::string& file, const std::string& reason) {
  try {
    write();
  } catch (const std::runtime_error& error) {
    const std::string text = error.what();
    const bool named = text.find(file) != std::string::npos;
    return named && text.find(reason) != std::string::npos ? "" : "the error says only: " + text;
  }
  return "no error writing " + file;
}

std::size_t files_in(const fs::path& folder) {
  std::size_t count = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    count += entry.is_regular_file() ? 1 : 0;
  }
  return count;
}

io::Cloud cloud_of(Eigen::Index points) {
  io::Cloud cloud;
  cloud.points = geometry::Points::Ones(points, 3);
  cloud.width = static_cast<std::uint32_t>(points);
  return cloud;
}

void expect_well(const DiskOutcome& outcome) {
  if (outcome.skipped) GTEST_SKIP() << outcome.message;
  EXPECT_EQ("", outcome.message);
}

TEST(FullDisk, keeps_the_bundle_that_was_to_be_replaced) {
  expect_well(on_small_disk(kDiskBytes, [](const fs::path& folder) -> std::string {
    write_numbered_bundle(folder / "bundle", 1, small_model(4));
    const auto fault =
        fault_of([&] { write_numbered_bundle(folder / "bundle", 2, small_model(256)); },
                 "weights.safetensors", "No space left");
    if (!fault.empty()) return fault;
    if (number_of(folder / "bundle") != 1) return "the bundle before was lost";
    return files_in(folder) == 2 ? "" : "something unfinished was left";
  }));
}

TEST(FullDisk, leaves_no_half_cloud) {
  expect_well(on_small_disk(kDiskBytes, [](const fs::path& folder) -> std::string {
    for (const char* name : {"cloud.pcd", "cloud.ply", "cloud.npy"}) {
      const auto fault = fault_of([&] { io::write_cloud(folder / name, cloud_of(100'000)); }, name,
                                  "No space left");
      if (!fault.empty()) return fault;
    }
    return files_in(folder) == 0 ? "" : "something unfinished was left";
  }));
}

TEST(FullDisk, ends_a_recording_whose_messages_can_be_read) {
  expect_well(on_small_disk(kDiskBytes, [](const fs::path& folder) -> std::string {
    const io::Bytes message(1000, 7);
    std::uint64_t flushed = 0;
    const auto fault = fault_of(
        [&] {
          io::BagWriter writer(folder / "bag.mcap", {io::BagCompression::none, 4096});
          writer.add_topic({});
          for (std::int64_t i = 0; i < 1000; ++i) {
            writer.write(0, i, message);
            writer.flush();
            ++flushed;
          }
        },
        "bag.mcap", "No space left");
    if (!fault.empty()) return fault;
    const auto bag = io::open_bag(folder / "bag.mcap");
    std::uint64_t found = 0;
    while (bag->next()) ++found;
    if (found < flushed || found != bag->report().recovered || !bag->report().truncated)
      return std::to_string(flushed) + " messages were kept, " + std::to_string(found) + " found";
    return flushed > 100 ? "" : "the disk was full too early";
  }));
}

TEST(ReadOnlyDisk, is_named_by_every_writer) {
  expect_well(on_read_only_disk(
      [](const fs::path& folder) { write_numbered_bundle(folder / "bundle", 1, small_model()); },
      [](const fs::path& folder) -> std::string {
        const std::string reason = "Read-only";
        auto fault = fault_of([&] { write_numbered_bundle(folder / "bundle", 2, small_model()); },
                              "bundle", reason);
        if (fault.empty())
          fault = fault_of([&] { write_numbered_bundle(folder / "other", 2, small_model()); },
                           "other", reason);
        if (fault.empty())
          fault =
              fault_of([&] { io::write_cloud(folder / "c.pcd", cloud_of(3)); }, "c.pcd", reason);
        if (fault.empty())
          fault = fault_of([&] { io::BagWriter(folder / "b.mcap"); }, "b.mcap", reason);
        if (fault.empty() && number_of(folder / "bundle") != 1) fault = "the bundle was lost";
        return fault;
      }));
}

}  // namespace
}  // namespace pointtree::reliability
