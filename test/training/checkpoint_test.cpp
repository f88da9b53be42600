// SPDX-License-Identifier: Apache-2.0
#include "training/checkpoint.hpp"

#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <fstream>
#include <stdexcept>
#include <string>

#include "temporary_folder.hpp"

namespace pointtree::training {
namespace {

class CheckpointTest : public ::testing::Test {
 protected:
  void write(std::int64_t step) {
    RunState state;
    state.step = step;
    state.best_score = 0.25;
    state.config = "run: {batch: 8}\n";
    write_checkpoint(folder_.path(), state, tensors(static_cast<float>(step)));
  }

  static NamedTensors tensors(float value) {
    return {{"weights", at::full({3, 5}, value)}, {"count", at::full({}, 7, at::kLong)}};
  }

  test::TemporaryFolder folder_;
};

TEST_F(CheckpointTest, state_and_tensors_come_back) {
  write(12);
  const auto newest = newest_checkpoint(folder_.path());
  ASSERT_TRUE(newest.has_value());
  const auto state = read_state(*newest);
  EXPECT_EQ(state.step, 12);
  EXPECT_EQ(state.best_score, 0.25);
  EXPECT_EQ(state.config, "run: {batch: 8}\n");
  const NamedTensors read{{"weights", at::zeros({3, 5})}, {"count", at::zeros({}, at::kLong)}};
  read_tensors(*newest, read);
  EXPECT_TRUE(at::equal(read[0].second, tensors(12.0F)[0].second));
  EXPECT_EQ(read[1].second.item<std::int64_t>(), 7);
}

TEST_F(CheckpointTest, the_newest_two_are_kept) {
  for (const std::int64_t step : {5, 10, 100, 20}) write(step);
  EXPECT_EQ(read_state(*newest_checkpoint(folder_.path())).step, 100);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "checkpoint-5.safetensors"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "checkpoint-10.json"));
}

TEST_F(CheckpointTest, an_empty_folder_has_none) {
  EXPECT_FALSE(newest_checkpoint(folder_.path()).has_value());
  EXPECT_FALSE(newest_checkpoint(folder_ / "missing").has_value());
}

TEST_F(CheckpointTest, any_flipped_byte_sends_back_to_the_one_before) {
  write(1);
  write(2);
  const auto file = folder_ / "checkpoint-2.safetensors";
  const auto size = std::filesystem::file_size(file);
  for (std::uintmax_t place = 0; place < size; place += 7) {
    SCOPED_TRACE(place);
    std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
    stream.seekg(static_cast<std::streamoff>(place));
    const auto byte = static_cast<char>(stream.get());
    const auto put = [&](char value) {
      stream.seekp(static_cast<std::streamoff>(place));
      stream.put(value);
      stream.flush();
    };
    put(static_cast<char>(byte ^ 1));
    EXPECT_EQ(newest_checkpoint(folder_.path())->filename(), "checkpoint-1.json");
    put(byte);
    EXPECT_EQ(newest_checkpoint(folder_.path())->filename(), "checkpoint-2.json");
  }
}

TEST_F(CheckpointTest, tensors_without_a_state_do_not_count) {
  write(3);
  std::filesystem::copy_file(folder_ / "checkpoint-3.safetensors",
                             folder_ / "checkpoint-9.safetensors");
  EXPECT_EQ(newest_checkpoint(folder_.path())->filename(), "checkpoint-3.json");
  write(4);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "checkpoint-9.safetensors"));
}

TEST_F(CheckpointTest, only_damaged_ones_are_an_error) {
  write(3);
  std::filesystem::resize_file(folder_ / "checkpoint-3.safetensors", 10);
  EXPECT_THROW(newest_checkpoint(folder_.path()), std::runtime_error);
}

TEST_F(CheckpointTest, tensors_that_do_not_fit_are_named) {
  write(3);
  const auto newest = *newest_checkpoint(folder_.path());
  const auto message = [&](const NamedTensors& wanted) -> std::string {
    try {
      read_tensors(newest, wanted);
      return {};
    } catch (const std::runtime_error& error) {
      return error.what();
    }
  };
  EXPECT_NE(message({{"weights", at::zeros({3, 4})}, {"count", at::zeros({}, at::kLong)}})
                .find("weights"),
            std::string::npos);
  EXPECT_NE(
      message({{"bias", at::zeros({3, 5})}, {"count", at::zeros({}, at::kLong)}}).find("bias"),
      std::string::npos);
  EXPECT_NE(message({{"weights", at::zeros({3, 5})}}).find("found 2"), std::string::npos);
}

}  // namespace
}  // namespace pointtree::training
