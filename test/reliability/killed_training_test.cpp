// SPDX-License-Identifier: Apache-2.0

// A run that is killed again and again, wherever it is, ends as one that was left alone.
#include <gtest/gtest.h>

#include <cstdio>
#include <iostream>
#include <random>

#include "pointtree/io/cloud_file.hpp"
#include "reliability/killed_process.hpp"
#include "temporary_folder.hpp"
#include "training/checkpoint.hpp"
#include "training/trainer.hpp"

namespace pointtree::training {
namespace {

using test::content_of;
using test::TemporaryFolder;
namespace fs = std::filesystem;

constexpr int kKills = 200;
constexpr int kSteps = 12;
constexpr const char* kConfig = R"(
model: {alignment: none, pre_align: canonical, points: 16, classes: 2, leaf_hidden: 8, leaf_width: 4,
        max_width: 16, head_dropout: 0.3}
optimizer: {name: adamw, learning_rate: 0.003, ema_decay: 0.9}
augment: {transformation: affine}
data: {kind: labelled_folder}
run: {batch: 4, steps: 12, validate_every: 6, checkpoint_minutes: 0, log_every: 2, threads: 1}
)";

/// Two classes of a few clouds each, cubes and plates, for training and for validation.
void write_shapes(const fs::path& folder) {
  std::mt19937 random(3);
  std::uniform_real_distribution<float> place(-1.0F, 1.0F);
  for (const char* split : {"train", "validation"}) {
    for (const char* kind : {"cube", "plate"}) {
      fs::create_directories(folder / split / kind);
      for (int i = 0; i < 4; ++i) {
        io::Cloud cloud;
        cloud.points.resize(24, 3);
        for (Eigen::Index k = 0; k < cloud.points.size(); ++k)
          cloud.points.data()[k] = place(random);
        if (kind == std::string("plate")) cloud.points.col(2) *= 0.05F;
        cloud.width = 24;
        io::write_cloud(folder / split / kind / (std::to_string(i) + ".pcd"), cloud);
      }
    }
  }
}

/// Everything a finished run promises, apart from how long it took.
std::string outcome_of(const fs::path& run) {
  const auto last = "checkpoint-" + std::to_string(kSteps) + ".safetensors";
  return content_of(run / last) + content_of(run / "bundle" / "weights.safetensors") +
         content_of(run / "classes.csv");
}

class KilledTraining : public ::testing::Test {
 protected:
  KilledTraining() { write_shapes(folder_ / "shapes"); }

  /// Trains into the folder, and promises 1 at its end.
  reliability::Work training(const fs::path& run) const {
    const auto config = parse_train_config(
        kConfig, {"data.path=" + (folder_ / "shapes").string(), "run.folder=" + run.string()});
    return [config](const auto& promise) {
      if (std::freopen("/dev/null", "w", stderr) == nullptr) ::_exit(1);
      train(config);
      promise(1);
    };
  }

  TemporaryFolder folder_;
};

TEST_F(KilledTraining, ends_with_the_weights_of_one_left_alone) {
  const auto alone = folder_ / "alone" / "run";
  const auto start = std::chrono::steady_clock::now();
  ASSERT_EQ(1, reliability::kill_while(training(alone), std::chrono::minutes(2)));
  const auto whole_run = std::chrono::duration_cast<std::chrono::microseconds>(
      std::chrono::steady_clock::now() - start);
  const auto expected = outcome_of(alone);
  ASSERT_GT(expected.size(), 1000U);

  reliability::Moments moments(whole_run / 2);
  const auto run = folder_ / "killed" / "run";
  int kills = 0;
  int finished = 0;
  std::int64_t step = 0;
  while (kills < kKills || step > 0) {
    SCOPED_TRACE(kills);
    const auto time = kills < kKills ? moments.next() : std::chrono::microseconds(120'000'000);
    if (reliability::kill_while(training(run), time) == 1) {
      ASSERT_TRUE(expected == outcome_of(run)) << "other weights or results";
      ++finished;
      fs::remove_all(run);
      step = 0;
      continue;
    }
    ++kills;
    const auto newest = fs::exists(run) ? newest_checkpoint(run) : std::nullopt;
    const auto found = newest ? read_state(*newest).step : 0;
    ASSERT_GE(found, step) << "a checkpoint was lost";
    step = found;
  }
  EXPECT_GE(finished, 2);
  std::cout << kills << " kills, " << finished << " runs finished alike\n";
}

}  // namespace
}  // namespace pointtree::training
