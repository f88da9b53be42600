// SPDX-License-Identifier: Apache-2.0
#include <ATen/ops/full.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include "reliability/bad_disk.hpp"
#include "reliability/killed_process.hpp"
#include "temporary_folder.hpp"
#include "training/checkpoint.hpp"

namespace pointtree::training {
namespace {

using test::TemporaryFolder;

constexpr int kKills = 200;

void write(const std::filesystem::path& folder, std::int64_t step, std::int64_t size = 1000) {
  RunState state;
  state.step = step;
  write_checkpoint(folder, state, {{"weights", at::full({size}, static_cast<float>(step))}});
}

/// The newest whole checkpoint's step, which all its numbers must say too; 0: there is none.
std::int64_t newest_step(const std::filesystem::path& folder) {
  const auto newest = newest_checkpoint(folder);
  if (!newest) return 0;
  const auto step = read_state(*newest).step;
  const auto weights = at::zeros({1000});
  read_tensors(*newest, {{"weights", weights}});
  EXPECT_EQ(weights.min().item<float>(), static_cast<float>(step));
  EXPECT_EQ(weights.max().item<float>(), static_cast<float>(step));
  return step;
}

TEST(KilledCheckpointWriter, leaves_the_last_checkpoint_it_had_finished) {
  const TemporaryFolder folder;
  const auto writer = [&](std::int64_t before) {
    return [&folder, before](const auto& promise) {
      for (std::int64_t step = before + 1;; ++step) {
        write(folder.path(), step);
        promise(step);
      }
    };
  };
  reliability::Moments moments(reliability::time_until(writer(0), 4));
  std::int64_t kept = 0;
  for (int round = 0; round < kKills; ++round) {
    SCOPED_TRACE(round);
    const auto before = newest_step(folder.path());
    const auto promised = reliability::kill_while(writer(before), moments.next());
    const auto found = newest_step(folder.path());
    const auto expected = std::max(before, promised);
    EXPECT_TRUE(found == expected || found == expected + 1) << found << " after " << expected;
    kept = found;
  }
  EXPECT_GT(kept, 0);
  write(folder.path(), kept + 1);
  // Two checkpoints of two files; nothing that a killed writer left unfinished.
  EXPECT_EQ(4, std::distance(std::filesystem::directory_iterator(folder.path()), {}));
}

TEST(CheckpointOnFullDisk, keeps_the_one_before) {
  const auto outcome = reliability::on_small_disk(64 << 10, [](const auto& folder) -> std::string {
    write(folder, 1);
    try {
      write(folder, 2, 100'000);
      return "a checkpoint of 400 kB fitted on a disk of 64 kB";
    } catch (const std::runtime_error& error) {
      const std::string text = error.what();
      if (text.find("checkpoint-2") == std::string::npos) return text;
      if (text.find("No space left") == std::string::npos) return text;
    }
    return newest_step(folder) == 1 ? "" : "the checkpoint before was lost";
  });
  if (outcome.skipped) GTEST_SKIP() << outcome.message;
  EXPECT_EQ("", outcome.message);
}

}  // namespace
}  // namespace pointtree::training
