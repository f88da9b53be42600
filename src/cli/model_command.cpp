// SPDX-License-Identifier: Apache-2.0
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "commands.hpp"
#include "exit_code.hpp"
#include "inference/bundle.hpp"
#include "inference/description.hpp"
#include "io/fields.hpp"
#include "io/outputs.hpp"
#include "one_of.hpp"

namespace pointtree::cli {
namespace {

namespace fs = std::filesystem;

/// A configuration from a file: the keys themselves, or a map of them under `model`.
YAML::Node load_config(const fs::path& path) {
  if (!fs::exists(path)) throw std::runtime_error(path.string() + ": no such file or bundle");
  try {
    YAML::Node node = YAML::LoadFile(path.string());
    return node.IsMap() && node["model"] ? node["model"] : node;
  } catch (const YAML::Exception& error) {
    throw std::runtime_error(path.string() + ": expected YAML, found " + error.what());
  }
}

inference::ModelConfig read_config(YAML::Node node, const fs::path& path,
                                   const std::vector<std::string>& settings) {
  try {
    for (const auto& setting : settings) io::override_key(node, setting, "key=value");
    return inference::model_config(node);
  } catch (const std::invalid_argument& error) {
    throw std::runtime_error((path.empty() ? std::string() : path.string() + ": ") + error.what());
  }
}

void print_bundle(const inference::Bundle& bundle) {
  const inference::Manifest& manifest = bundle.manifest();
  std::cout << manifest.name << ": " << manifest.description
            << "\n  weights: " << bundle.weights().tensors().size() << " tensors, "
            << to_string(manifest.precision) << ", " << manifest.weights_bytes << " bytes, sha256 "
            << manifest.weights_sha256 << "\n  trained on: " << manifest.training_data << " ("
            << manifest.training_terms << ")\n";
  for (const auto& name : manifest.ensemble) std::cout << "  ensemble with: " << name << '\n';
  for (const inference::Score& score : manifest.scores) {
    std::cout << "  " << score.metric << ": " << score.value << " on " << score.data << '\n';
  }
}

struct DescribeOptions {
  fs::path path;
  std::vector<std::string> settings;
  bool json = false;
  bool keys = false;
};

void describe(const DescribeOptions& options) {
  if (options.keys) {
    inference::ModelConfig defaults;
    std::cout << io::key_list(fields_of(defaults));
    return;
  }
  YAML::Node node(YAML::NodeType::Map);
  if (fs::is_directory(options.path)) {
    const inference::Bundle bundle(options.path);
    if (!options.json) print_bundle(bundle);
    auto model = bundle.manifest().model;
    node = YAML::Load(io::to_yaml(fields_of(model)));
  } else if (!options.path.empty()) {
    node = load_config(options.path);
  }
  const auto plan = inference::plan_network(read_config(node, options.path, options.settings));
  std::cout << (options.json ? inference::describe_as_json(plan)
                             : inference::describe_as_text(plan))
            << '\n';
}

void add_describe(CLI::App& parent) {
  auto options = std::make_shared<DescribeOptions>();
  CLI::App* command =
      parent.add_subcommand("describe", "Print layers, shapes, parameters and multiply-adds");
  command->add_option(
      "path", options->path,
      "A bundle, or a YAML file with a model configuration; default: the paper's def");
  command->add_option("--set", options->settings, "Change one key of the configuration: key=value")
      ->take_all();
  command->add_flag("--json", options->json,
                    "Print JSON, with the names and shapes of all tensors");
  command->add_flag("--keys", options->keys, "List the keys of a model configuration and stop");
  command->callback([options] { describe(*options); });
}

void add_check(CLI::App& parent) {
  auto paths = std::make_shared<std::vector<fs::path>>();
  CLI::App* command =
      parent.add_subcommand("check", "Read bundles and refuse those that do not fit");
  command->add_option("bundles", *paths, "Bundle folders")->required();
  command->callback([paths] {
    // All of them, whatever the first ones are like.
    bool sound = true;
    for (const fs::path& path : *paths) {
      try {
        print_bundle(inference::Bundle(path));
      } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
        sound = false;
      }
    }
    if (!sound) throw CLI::RuntimeError(kFailure);
  });
}

void add_convert(CLI::App& parent) {
  struct Options {
    fs::path source;
    fs::path target;
    std::string precision;
    bool overwrite = false;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command =
      parent.add_subcommand("convert", "Store a float32 bundle's weights in another precision");
  command->add_option("source", options->source, "Bundle to read")->required();
  command->add_option("target", options->target, "Bundle to write")->required();
  command->add_option("--precision", options->precision, "Of the target's weights")
      ->required()
      ->check(one_of<inference::Precision>());
  command->add_flag("--overwrite", options->overwrite, "Replace the target if it exists");
  command->callback([options] {
    const auto precision = from_string<inference::Precision>(options->precision, "precision");
    io::Outputs outputs(options->overwrite, {options->source});
    const inference::Bundle source(options->source);
    const auto& ensemble = source.manifest().ensemble;
    const fs::path place = outputs.folder(options->target, [&](const fs::path& name) {
      return name == "model.yaml" || name == "weights.safetensors" ||
             std::find(ensemble.begin(), ensemble.end(), name) != ensemble.end();
    });
    inference::convert_bundle(source, place, precision);
    outputs.commit();
    print_bundle(inference::Bundle(options->target));
  });
}

}  // namespace

void add_model_command(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("model", "Describe networks; check and convert model bundles");
  command->require_subcommand(1);
  add_describe(*command);
  add_check(*command);
  add_convert(*command);
}

}  // namespace pointtree::cli
