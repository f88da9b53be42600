// SPDX-License-Identifier: Apache-2.0
#include "ros/node_config.hpp"

#include <dlfcn.h>
#include <spdlog/fmt/fmt.h>

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <vector>

#include "io/name_list.hpp"

namespace pointtree::ros {
namespace {

namespace fs = std::filesystem;

/// Where plain names of models are looked for.
std::vector<fs::path> model_folders() {
  std::vector<fs::path> folders;
  if (const char* listed = std::getenv("POINTTREE_MODELS")) {
    for (const std::string& folder : io::split(listed, ':')) folders.emplace_back(folder);
  }
  // An installed library knows its prefix, wherever that was moved.
  Dl_info here{};
  if (dladdr(reinterpret_cast<const void*>(&find_model), &here) != 0) {
    const fs::path library = fs::absolute(here.dli_fname);
    for (fs::path folder = library.parent_path(); folder != folder.root_path();
         folder = folder.parent_path()) {
      if (fs::is_directory(folder / "share/pointtree/models")) {
        folders.push_back(folder / "share/pointtree/models");
        break;
      }
    }
  }
  folders.emplace_back("models");
  return folders;
}

}  // namespace

inference::EngineOptions engine_options(const NodeConfig& config) {
  inference::EngineOptions options;
  options.device = config.device;
  options.threads = config.threads;
  options.max_batch = config.max_batch;
  if (config.precision != "bundle")
    options.precision = from_string<inference::Precision>(config.precision, "precision");
  return options;
}

std::string find_model(const std::string& model) {
  if (model.find('/') != std::string::npos || fs::exists(fs::path(model) / "model.yaml")) {
    return model;
  }
  std::string searched;
  for (const fs::path& folder : model_folders()) {
    if (fs::exists(folder / model / "model.yaml")) return (folder / model).string();
    searched += (searched.empty() ? "" : ", ") + folder.string();
  }
  throw std::runtime_error(fmt::format("there is no model '{}' in {}", model, searched));
}

}  // namespace pointtree::ros
