// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "pointtree/inference/device.hpp"
#include "training/compute_device.hpp"

namespace pointtree::training {
namespace {

RunConfig on(const std::string& device) {
  RunConfig config;
  config.device = device;
  return config;
}

TEST(TrainingDevice, the_cpu_is_always_there) {
  EXPECT_EQ(compute_device(on("cpu"), 1), c10::Device(c10::kCPU));
  EXPECT_EQ(compute_device(on("cpu"), 4), c10::Device(c10::kCPU));
}

TEST(TrainingDevice, automatic_is_the_cpu_for_several_processes) {
  EXPECT_EQ(compute_device(on("auto"), 4), c10::Device(c10::kCPU));
}

TEST(TrainingDevice, automatic_is_the_cpu_where_there_is_no_other) {
  if (inference::count_cuda_devices() > 0) GTEST_SKIP() << "this machine has a CUDA device";
  EXPECT_EQ(compute_device(on("auto"), 1), c10::Device(c10::kCPU));
}

TEST(TrainingDevice, what_cannot_be_had_is_refused) {
  EXPECT_THROW(compute_device(on("gpu"), 1), std::invalid_argument);
  EXPECT_THROW(compute_device(on("cuda:0"), 2), std::invalid_argument) << "both on one device";
  EXPECT_THROW(compute_device(on("cuda:99"), 1), std::runtime_error) << "no such device";
}

TEST(TrainingDevice, several_processes_take_the_devices_of_their_numbers) {
  ::unsetenv("LOCAL_RANK");
  EXPECT_THROW(compute_device(on("cuda"), 2), std::invalid_argument) << "without LOCAL_RANK";
  ::setenv("LOCAL_RANK", "99", 1);
  // No computer has a hundred: the message tells which device was looked for.
  try {
    compute_device(on("cuda"), 2);
    FAIL() << "device 99 was found";
  } catch (const std::runtime_error& error) {
    if (inference::count_cuda_devices() > 0) {
      EXPECT_NE(std::string(error.what()).find("device 99"), std::string::npos) << error.what();
    }
  }
  ::unsetenv("LOCAL_RANK");
}

TEST(TrainingDevice, undefined_tensors_stay_undefined) {
  EXPECT_FALSE(on_device({}, c10::kCPU).defined());
}

}  // namespace
}  // namespace pointtree::training
