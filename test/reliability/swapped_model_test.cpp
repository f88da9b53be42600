// SPDX-License-Identifier: Apache-2.0

// A model file that is replaced, cut or removed under a running engine changes nothing.
#include <gtest/gtest.h>

#include <fstream>

#include "pointtree/inference/engine.hpp"
#include "reliability/small_bundle.hpp"
#include "temporary_folder.hpp"

namespace pointtree::reliability {
namespace {

using test::TemporaryFolder;
namespace fs = std::filesystem;

std::vector<float> answer_of(const inference::Engine& engine) {
  geometry::Points points(16, 3);
  for (Eigen::Index i = 0; i < points.size(); ++i)
    points.data()[i] = static_cast<float>((i * 7) % 13);
  return engine.classify({inference::CloudInput{points}}).clouds.front().log_likelihoods;
}

class SwappedModel : public ::testing::Test {
 protected:
  SwappedModel() {
    write_numbered_bundle(bundle_, 1, small_model());
    inference::EngineOptions options;
    options.threads = 1;
    engine_ = std::make_unique<inference::Engine>(bundle_, options);
    before_ = answer_of(*engine_);
  }

  TemporaryFolder folder_;
  fs::path bundle_ = folder_ / "bundle";
  std::unique_ptr<inference::Engine> engine_;
  std::vector<float> before_;
};

TEST_F(SwappedModel, may_be_replaced) {
  write_numbered_bundle(bundle_, 2, small_model());
  EXPECT_EQ(before_, answer_of(*engine_));
  EXPECT_EQ("1", engine_->info().name);
  EXPECT_EQ("2", inference::Engine(bundle_).info().name);
}

TEST_F(SwappedModel, may_be_cut_in_place) {
  fs::resize_file(bundle_ / "weights.safetensors", 10);
  EXPECT_EQ(before_, answer_of(*engine_));
  EXPECT_THROW(inference::Engine{bundle_}, std::runtime_error);
}

TEST_F(SwappedModel, may_vanish) {
  fs::remove_all(bundle_);
  EXPECT_EQ(before_, answer_of(*engine_));
  try {
    inference::Engine again(bundle_);
    FAIL() << "a model that is gone was loaded";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("model.yaml"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace pointtree::reliability
