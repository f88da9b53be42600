// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "inference/engine/device_implementation.hpp"
#include "network/cuda/capture.hpp"
#include "pointtree/inference/device.hpp"
#include "pointtree/inference/engine.hpp"

// What an engine does around a device, with a device that only pretends.
namespace pointtree::inference::engine {
namespace {

constexpr std::int32_t kPoints = 16;

EngineInfo make_info() {
  EngineInfo info;
  info.name = "model";
  info.points = info.least_points = kPoints;
  info.classes = {"low", "high"};
  info.device = "cuda:0";
  return info;
}

/// What all pretending devices of a test share.
struct Script {
  std::size_t memory = 100;       ///< clouds that fit
  int failures = 0;               ///< runs that will fail from now on
  std::vector<std::size_t> runs;  ///< sizes that were answered
};

/// Calls a cloud high where its first point's x is positive.
class PretendedDevice final : public DeviceBackend {
 public:
  explicit PretendedDevice(Script& script) : script_(script) {}

  DeviceAnswer run(const CloudInput* clouds, std::size_t count) override {
    if (count > script_.memory) throw OutOfDeviceMemory("tried to allocate too much");
    if (script_.failures > 0) {
      --script_.failures;
      throw DeviceFailure("an illegal memory access was encountered");
    }
    script_.runs.push_back(count);
    DeviceAnswer answer;
    for (std::size_t i = 0; i < count; ++i) {
      const bool high = clouds[i].points(0, 0) > 0.0F;
      answer.logits.insert(answer.logits.end(), {high ? 0.0F : 9.0F, high ? 9.0F : 0.0F});
    }
    answer.times = {1.0, 2.0};
    return answer;
  }

 private:
  Script& script_;
};

class DevicePolicy : public testing::Test {
 protected:
  DevicePolicy() {
    std::mt19937 random(1);
    std::normal_distribution<float> normal;
    for (int i = 0; i < 11; ++i) {
      clouds_.emplace_back(
          geometry::Points::NullaryExpr(kPoints, 3, [&] { return normal(random); }));
      clouds_.back()(0, 0) = i % 3 == 0 ? 1.0F : -1.0F;
    }
    for (const geometry::Points& cloud : clouds_) inputs_.push_back({cloud});
  }

  std::unique_ptr<DeviceImplementation> make(int max_batch) {
    auto engine = std::make_unique<DeviceImplementation>(
        make_info(), std::make_unique<PretendedDevice>(script_), max_batch,
        [this](const std::string& text) { notices_.push_back(text); });
    script_.runs.clear();
    return engine;
  }

  void expect_right(const Answers<Classification>& answers) const {
    ASSERT_EQ(answers.clouds.size(), clouds_.size());
    for (std::size_t i = 0; i < clouds_.size(); ++i) {
      EXPECT_EQ(answers.clouds[i].label, i % 3 == 0 ? 1 : 0) << "cloud " << i;
    }
  }

  Script script_;
  std::vector<std::string> notices_;
  std::vector<geometry::Points> clouds_;
  std::vector<CloudInput> inputs_;
};

TEST_F(DevicePolicy, large_requests_run_in_passes_and_keep_their_order) {
  const auto engine = make(4);
  const auto answers = engine->classify(inputs_);
  expect_right(answers);
  EXPECT_EQ(script_.runs, (std::vector<std::size_t>{4, 4, 3}));
  EXPECT_DOUBLE_EQ(answers.times.tree, 3.0);
  EXPECT_DOUBLE_EQ(answers.times.network, 6.0);
  EXPECT_TRUE(notices_.empty());
}

TEST_F(DevicePolicy, a_batch_that_does_not_fit_is_halved_and_said_so) {
  const auto engine = make(8);
  script_.memory = 3;
  expect_right(engine->classify(inputs_));
  EXPECT_EQ(script_.runs, (std::vector<std::size_t>{2, 2, 2, 2, 2, 1}));
  EXPECT_EQ(engine->batch(), 2U);
  ASSERT_EQ(notices_.size(), 2U);
  EXPECT_THAT(notices_[0], testing::HasSubstr("8 clouds at a time do not fit"));
  EXPECT_THAT(notices_[1], testing::HasSubstr("going on with 2"));
  expect_right(engine->classify(inputs_));
  EXPECT_EQ(notices_.size(), 2U) << "what was learned is kept";
}

TEST_F(DevicePolicy, too_little_memory_shows_when_the_engine_is_made) {
  script_.memory = 5;
  const auto engine = make(16);
  EXPECT_EQ(engine->batch(), 4U);
  EXPECT_EQ(notices_.size(), 2U);
}

TEST_F(DevicePolicy, no_memory_for_a_single_cloud_is_an_error_that_names_the_device) {
  script_.memory = 0;
  try {
    make(4);
    FAIL() << "nothing fits, yet an engine was made";
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("cuda:0"));
    EXPECT_THAT(error.what(), testing::HasSubstr("not even one cloud fits"));
  }
}

TEST_F(DevicePolicy, a_failure_costs_the_frame_but_not_the_next) {
  const auto engine = make(4);
  script_.failures = 1;
  try {
    engine->classify(inputs_);
    FAIL() << "the device failed, yet the frame was answered";
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(),
                testing::HasSubstr("model on cuda:0 failed: an illegal memory access"));
  }
  expect_right(engine->classify(inputs_));
}

TEST_F(DevicePolicy, bad_clouds_are_refused_before_the_device_sees_them) {
  const auto engine = make(4);
  const geometry::Points few = geometry::Points::Zero(kPoints / 2, 3);
  EXPECT_THROW(engine->classify({{few}}), std::invalid_argument);
  EXPECT_THROW(engine->segment(inputs_), std::invalid_argument);
  EXPECT_TRUE(script_.runs.empty());
}

TEST_F(DevicePolicy, an_engine_that_can_not_be_made_on_the_device_is_made_on_the_cpu) {
  struct LibTorchError : std::exception {  // which no std::runtime_error is
    const char* what() const noexcept override { return "CUDA out of memory"; }
  };
  std::vector<std::string> reasons;
  const auto engine = device_or_cpu(
      []() -> std::unique_ptr<Engine::Implementation> { throw LibTorchError(); },
      [this] { return make(4); }, [&](const std::string& reason) { reasons.push_back(reason); });
  EXPECT_NE(engine, nullptr);
  EXPECT_EQ(reasons, (std::vector<std::string>{"CUDA out of memory"}));
}

TEST(GraphCapture, is_ended_whichever_step_fails) {
  for (const std::string failing : {"", "begin", "work", "end", "work end", "begin end abandon"}) {
    SCOPED_TRACE(failing);
    std::vector<std::string> steps;
    const auto step = [&](const std::string& name) {
      return [&steps, &failing, name] {
        steps.push_back(name);
        if (failing.find(name) != std::string::npos) throw std::runtime_error(name);
      };
    };
    EXPECT_EQ(network::cuda::capture(step("begin"), step("work"), step("end"), step("abandon")),
              failing.empty());
    const bool end_fails = failing.find("end") != std::string::npos;
    EXPECT_EQ(steps.back(), end_fails ? "abandon" : "end");
  }
}

TEST(Device, texts_are_read_as_meant) {
  using Kind = DeviceChoice::Kind;
  EXPECT_EQ(parse_device("auto").kind, Kind::automatic);
  EXPECT_EQ(parse_device("cpu").kind, Kind::cpu);
  EXPECT_EQ(parse_device("cuda").kind, Kind::cuda);
  EXPECT_EQ(parse_device("cuda").index, 0);
  EXPECT_EQ(parse_device("cuda:3").kind, Kind::cuda);
  EXPECT_EQ(parse_device("cuda:3").index, 3);
}

TEST(Device, other_texts_are_refused_and_named) {
  for (const std::string text :
       {"", "gpu", "cuda:", "cuda:-1", "cuda:1x", "cuda: 1", "CPU", "cuda:99999"}) {
    try {
      parse_device(text);
      FAIL() << text;
    } catch (const std::invalid_argument& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("'" + text + "'"));
    }
  }
}

TEST(Device, without_a_device_the_reason_is_said) {
  std::string reason;
  if (count_cuda_devices(&reason) > 0) GTEST_SKIP() << "this machine has a CUDA device";
  EXPECT_FALSE(reason.empty());
}

}  // namespace
}  // namespace pointtree::inference::engine
