// SPDX-License-Identifier: Apache-2.0
#include "training/train_config.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <stdexcept>
#include <string>

#include "io/fields.hpp"

namespace pointtree::training {
namespace {

// The message of the refusal; empty where nothing was refused.
std::string refusal(const std::string& yaml, const std::vector<std::string>& overrides = {}) {
  try {
    parse_train_config(yaml, overrides);
    return {};
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

TEST(TrainConfig, text_reads_back_as_the_same_configuration) {
  const auto config = parse_train_config(
      "{model: {points: 64, pre_align: canonical}, optimizer: {learning_rate: 0.0017}, augment: "
      "{transformation: "
      "projective, jitter: 0.01}, run: {seed: 18446744073709551615}}");
  const auto again = parse_train_config(to_yaml_text(config));
  EXPECT_EQ(to_yaml_text(again), to_yaml_text(config));
  EXPECT_EQ(again.model.points, 64);
  EXPECT_EQ(again.optimizer.learning_rate, 0.0017);
  EXPECT_EQ(again.augment.transformation, geometry::TransformationKind::projective);
  EXPECT_EQ(again.run.seed, 18446744073709551615ULL);
}

TEST(TrainConfig, command_line_replaces_values_of_the_file) {
  const auto config = parse_train_config("run: {batch: 8, epochs: 3}",
                                         {"run.batch=16", "model.points=128", "data.path=a=b,c=d"});
  EXPECT_EQ(config.run.batch, 16);
  EXPECT_EQ(config.run.epochs, 3.0);
  EXPECT_EQ(config.model.points, 128);
  EXPECT_EQ(config.data.path, "a=b,c=d");
}

TEST(TrainConfig, refusals_name_the_key_and_what_was_found) {
  EXPECT_NE(refusal("run: {batsh: 8}").find("run.batsh"), std::string::npos);
  EXPECT_NE(refusal("runs: {batch: 8}").find("runs"), std::string::npos);
  EXPECT_NE(refusal("run: {batch: many}")
                .find("line 1: run.batch: expected an integer from 2 up, found 'many'"),
            std::string::npos);
  EXPECT_NE(refusal("run: {batch: 1}").find("run.batch"), std::string::npos);
  EXPECT_NE(refusal("optimizer: {name: sgd}").find("adam | adamw"), std::string::npos);
  EXPECT_NE(refusal("augment: {transformation: bent}").find("augment.transformation"),
            std::string::npos);
  EXPECT_NE(refusal("model: {points: 100}").find("model.points"), std::string::npos);
  EXPECT_NE(refusal("run: [1, 2]").find("run"), std::string::npos);
  EXPECT_NE(refusal("run: {batch: {a: 1}}").find("run.batch"), std::string::npos);
  EXPECT_NE(refusal("", {"batch=3"}).find("section.key=value"), std::string::npos);
  EXPECT_FALSE(refusal("{run: [").empty());
  EXPECT_FALSE(refusal("just text").empty());
}

TEST(TrainConfig, help_lists_every_key_once_with_a_meaning) {
  std::set<std::string> names;
  TrainConfig defaults;
  for (const io::Field& key : fields_of(defaults)) {
    EXPECT_TRUE(names.insert(key.name).second) << key.name;
    EXPECT_FALSE(key.help.empty()) << key.name;
  }
  for (const char* name :
       {"model.points", "data.path", "augment.transformation", "optimizer.learning_rate",
        "schedule.name", "loss.label_smoothing", "run.batch"}) {
    EXPECT_EQ(names.count(name), 1U) << name;
  }
}

}  // namespace
}  // namespace pointtree::training
