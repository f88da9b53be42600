// SPDX-License-Identifier: Apache-2.0
#include "inference/bundle.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "inference/small_configs.hpp"
#include "network/network_weights.hpp"
#include "temporary_folder.hpp"

namespace pointtree::network {
namespace {

using test::content_of;
using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

inference::Manifest small_manifest() {
  inference::Manifest manifest;
  manifest.name = "small";
  manifest.training_data = "random numbers";
  manifest.training_terms = "none";
  manifest.scores = {{"overall accuracy", 0.2, "random numbers", "pointtree evaluate"}};
  return manifest;
}

/// A network whose running statistics are not the initial ones, so that losing them would show.
PointTreeNet random_network(const inference::ModelConfig& config) {
  torch::manual_seed(3);
  PointTreeNet net(config);
  const torch::NoGradGuard no_grad;
  for (int step = 0; step < 3; ++step) net(torch::randn({4, config.points, config.channels()}));
  net->eval();
  return net;
}

void replace_in(const std::filesystem::path& path, const std::string& from, const std::string& to) {
  std::string text = content_of(path);
  const auto position = text.find(from);
  ASSERT_NE(position, std::string::npos) << from;
  text.replace(position, from.size(), to);
  std::ofstream(path, std::ios::binary) << text;
}

TEST(Bundle, a_loaded_network_answers_as_the_saved_one) {
  for (const auto& [name, config] : inference::small_configs()) {
    SCOPED_TRACE(name);
    const test::TemporaryFolder folder;
    PointTreeNet saved = random_network(config);
    save_network(saved, folder.path(), small_manifest());
    PointTreeNet loaded = load_network(inference::Bundle(folder.path()));
    const auto points = torch::randn({2, config.points, config.channels()});
    EXPECT_TRUE(torch::equal(loaded(points).logits, saved(points).logits));
  }
}

TEST(Bundle, keeps_what_its_manifest_says) {
  const test::TemporaryFolder folder;
  inference::Manifest manifest = small_manifest();
  manifest.description = "a few words: and a colon";
  manifest.classes = {{"chair", {1, 2, 3}}, {"table", {255, 0, 128}}};
  inference::ModelConfig config = inference::small_configs().at("intensity");
  config.classes = 2;
  config.pre_align = geometry::PreAlignMode::canonical;
  manifest.channels = {"intensity"};
  manifest.ensemble = {"other", "third one"};
  save_network(random_network(config), folder.path(), manifest);
  const inference::Manifest read = inference::Bundle(folder.path()).manifest();
  EXPECT_EQ(read.name, "small");
  EXPECT_EQ(read.description, manifest.description);
  EXPECT_EQ(read.classes[1].name, "table");
  EXPECT_EQ(read.classes[1].colour, (std::array<std::uint8_t, 3>{255, 0, 128}));
  EXPECT_EQ(read.channels, manifest.channels);
  EXPECT_EQ(read.units, "metre");
  EXPECT_EQ(read.ensemble, manifest.ensemble);
  EXPECT_EQ(read.training_terms, "none");
  EXPECT_EQ(read.scores.at(0).value, 0.2);
  EXPECT_EQ(read.model.pre_align, geometry::PreAlignMode::canonical);
  EXPECT_EQ(read.weights_bytes, std::filesystem::file_size(folder.path() / "weights.safetensors"));
}

TEST(Bundle, refuses_weights_that_were_changed_or_cut) {
  const test::TemporaryFolder folder;
  save_network(random_network(inference::small_config()), folder.path(), small_manifest());
  const auto weights = folder.path() / "weights.safetensors";
  const std::string whole = content_of(weights);
  std::string changed = whole;
  changed.back() = static_cast<char>(changed.back() ^ 1);
  std::ofstream(weights, std::ios::binary) << changed;
  EXPECT_THAT([&] { inference::Bundle bundle(folder.path()); },
              ThrowsMessage<std::runtime_error>(
                  AllOf(HasSubstr("weights.safetensors"), HasSubstr("sha256"))));
  std::ofstream(weights, std::ios::binary) << whole.substr(0, whole.size() - 4);
  EXPECT_THROW(inference::Bundle bundle(folder.path()), std::runtime_error);
}

TEST(Bundle, refuses_a_manifest_that_does_not_fit_naming_file_key_expected_and_found) {
  struct Case {
    std::string from, to;
    std::vector<std::string> message;
  };
  const std::vector<Case> cases{
      {"version: 1", "version: 2", {"model.yaml", "version: expected 1, found 2"}},
      {"format: pointtree-model", "format: onnx", {"format", "pointtree-model", "onnx"}},
      {"points: 16", "points: 17", {"model.points", "power of two", "17"}},
      {"leaf_width: 64",
       "leaf_width: 80",
       {"weights.safetensors", "encoder.leaf.1.linear.weight", "[5, 8]", "[4, 8]"}},
      {"variant: def", "variant: rns", {"blocks.0.encoder.leaf.0.linear.weight", "none"}},
      {"alignment: tnet",
       "alignment: none",
       {"alignment.", "only tensors of the configured network"}},
      {"classes: 5", "classes: 6", {"classes: expected 6 entries", "5"}},
      {"extra_channels: 0", "extra_channels: 1", {"channels: expected 1", "0"}},
      {"colour: [", "colour: [-", {"classes[0].colour", "0 to 255"}},
      {"precision: float32", "precision: int4", {"weights.precision", "int8", "int4"}},
      {"sha256: ", "sha256: X", {"weights.sha256", "64"}},
      {"bytes: ", "bytes: 1", {"size", "as in model.yaml"}},
      {"units: metre", "unit: metre", {"there is no parameter 'unit'; did you mean 'units'?"}},
      {"units: ", "ensemble: [../other]\nunits: ", {"ensemble: expected", "'../other'"}},
      {"name: small", "name: [small]", {"name: expected a text", "a list"}},
      {"name: small", "name: \"small", {"model.yaml", "expected YAML"}}};
  const test::TemporaryFolder folder;
  const auto manifest = folder.path() / "model.yaml";
  for (const auto& [from, to, message] : cases) {
    SCOPED_TRACE(to);
    save_network(random_network(inference::small_config()), folder.path(), small_manifest());
    replace_in(manifest, from, to);
    try {
      const inference::Bundle bundle(folder.path());
      ADD_FAILURE() << "accepted";
    } catch (const std::runtime_error& error) {
      for (const auto& part : message) EXPECT_THAT(error.what(), HasSubstr(part));
    }
  }
  std::ofstream(manifest) << std::string(2 << 20, '#');
  EXPECT_THAT([&] { inference::Bundle bundle(folder.path()); },
              ThrowsMessage<std::runtime_error>(HasSubstr("1 MiB")));
  EXPECT_THAT([&] { inference::Bundle bundle(folder.path() / "absent"); },
              ThrowsMessage<std::runtime_error>(HasSubstr("absent/model.yaml")));
}

TEST(Bundle, conversion_rounds_weights_no_further_than_their_format_allows) {
  const test::TemporaryFolder folder;
  inference::ModelConfig config = inference::small_configs().at("rns");
  config.leaf_hidden = 512;
  inference::Manifest manifest = small_manifest();
  save_network(random_network(config), folder.path() / "float32", manifest);
  const inference::Bundle source(folder.path() / "float32");
  for (const inference::Precision precision :
       {inference::Precision::bfloat16, inference::Precision::int8}) {
    const auto target = folder.path() / std::string(to_string(precision));
    inference::convert_bundle(source, target, precision);
    const inference::Bundle converted(target);
    EXPECT_EQ(converted.manifest().precision, precision);
    EXPECT_TRUE(converted.manifest().scores.empty());
    std::size_t narrowed = 0;
    for (const auto& tensor : source.weights().tensors()) {
      SCOPED_TRACE(tensor.name);
      const auto before = source.values(tensor.name);
      const auto after = converted.values(tensor.name);
      ASSERT_EQ(before.size(), after.size());
      const bool narrow = converted.weights().find(tensor.name)->dtype != io::DType::f32;
      narrowed += narrow ? 1 : 0;
      const std::size_t columns =
          tensor.shape.size() == 2 ? static_cast<std::size_t>(tensor.shape[1]) : 1;
      for (std::size_t i = 0; i < before.size(); ++i) {
        float largest = 0.0F;
        for (std::size_t c = 0; c < columns; ++c) {
          largest = std::max(largest, std::abs(before[i / columns * columns + c]));
        }
        const float step = precision == inference::Precision::int8 ? largest / 254.0F
                                                                   : std::abs(before[i]) / 256.0F;
        EXPECT_LE(std::abs(before[i] - after[i]), narrow ? step * 1.0001F : 0.0F);
      }
    }
    EXPECT_GT(narrowed, 10U);
    EXPECT_THROW(inference::convert_bundle(converted, folder.path() / "again",
                                           inference::Precision::float32),
                 std::runtime_error);
  }
}

TEST(Bundle, refuses_a_stored_format_that_its_precision_does_not_allow) {
  const test::TemporaryFolder folder;
  inference::ModelConfig config = inference::small_config();
  config.leaf_hidden = 512;
  save_network(random_network(config), folder.path() / "float32", small_manifest());
  inference::convert_bundle(inference::Bundle(folder.path() / "float32"), folder.path() / "int8",
                            inference::Precision::int8);
  replace_in(folder.path() / "int8" / "model.yaml", "precision: int8", "precision: bfloat16");
  EXPECT_THAT([&] { inference::Bundle bundle(folder.path() / "int8"); },
              ThrowsMessage<std::runtime_error>(
                  AllOf(HasSubstr(".linear.weight"), HasSubstr("F32"), HasSubstr("I8"))));
}

TEST(Colours, of_neighbouring_labels_differ) {
  const auto colours = inference::distinct_colours(50);
  for (std::size_t i = 1; i < colours.size(); ++i) {
    int distance = 0;
    for (std::size_t part = 0; part < 3; ++part) {
      distance += std::abs(int{colours[i][part]} - int{colours[i - 1][part]});
    }
    EXPECT_GT(distance, 100);
  }
}

}  // namespace
}  // namespace pointtree::network
