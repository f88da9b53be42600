// SPDX-License-Identifier: Apache-2.0
#include "io/outputs.hpp"

#include <algorithm>
#include <fstream>
#include <stdexcept>
#include <system_error>
#include <variant>

#include "io/atomic_file.hpp"

namespace pointtree::io {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const fs::path& path, const std::string& reason) {
  throw std::runtime_error(path.string() + ": " + reason);
}

/// The path without links, as far as it exists, and without a slash at its end.
fs::path resolve(const fs::path& path) {
  const fs::path full = fs::absolute(path).lexically_normal();
  const fs::path named = full.has_filename() ? full : full.parent_path();
  // A link to nothing yet is followed too: the file is to appear where it points.
  const fs::path followed = fs::is_symlink(named) && !fs::exists(named)
                                ? named.parent_path() / fs::read_symlink(named)
                                : named;
  return fs::weakly_canonical(followed);
}

bool lies_within(const fs::path& path, const fs::path& folder) {
  const auto [end, ignored] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return end == folder.end();
}

/// Pipes and devices can't be replaced, only written to.
bool is_stream(const fs::path& path) {
  const fs::file_status status = fs::status(path);
  return fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

void pour(const fs::path& from, const fs::path& to) {
  std::ifstream source(from, std::ios::binary);
  std::ofstream target(to, std::ios::binary | std::ios::app);
  target << source.rdbuf();
  if (!target.flush()) refuse(to, "cannot be written");
}

}  // namespace

/// A claimed output: a place that is taken at the end, or a stream that gets the bytes then.
struct Outputs::Claim {
  explicit Claim(const fs::path& resolved) : place(std::make_unique<StagedPath>(resolved)) {}
  explicit Claim(fs::path pipe, const fs::path& name)
      : stream(std::move(pipe)),
        scratch(std::make_unique<ScratchFolder>()),
        content(scratch->path() / name) {}

  std::unique_ptr<StagedPath> place;
  fs::path stream;
  std::unique_ptr<ScratchFolder> scratch;
  fs::path content;
};

Outputs::Outputs(bool overwrite, const std::vector<fs::path>& inputs) : overwrite_(overwrite) {
  for (const fs::path& input : inputs) {
    std::error_code missing;
    if (!input.empty() && fs::exists(input, missing)) inputs_.push_back(fs::canonical(input));
  }
}

Outputs::~Outputs() = default;

void Outputs::refuse_inputs(const fs::path& path, const fs::path& resolved) const {
  for (const fs::path& input : inputs_) {
    const bool same =
        input == resolved || (fs::exists(resolved) && fs::equivalent(input, resolved));
    if (same) refuse(path, "is an input of this command; write the output elsewhere");
    if (lies_within(input, resolved)) {
      refuse(path,
             "holds an input of this command, " + input.string() + "; write the output elsewhere");
    }
    if (fs::exists(resolved) && lies_within(resolved, input)) {
      refuse(path, "is part of an input of this command, " + input.string() +
                       "; write the output elsewhere");
    }
  }
}

fs::path Outputs::claim(const fs::path& path) {
  const fs::path resolved = resolve(path);
  refuse_inputs(path, resolved);
  for (const auto& claim : claims_) {
    if (claim->place && claim->place->path() == resolved)
      refuse(path, "is asked for twice; give each output a name of its own");
  }
  std::error_code error;
  fs::create_directories(resolved.parent_path(), error);
  if (error) refuse(path, "cannot create its folder: " + error.message());
  claims_.push_back(std::make_unique<Claim>(resolved));
  return claims_.back()->place->staging();
}

fs::path Outputs::file(const fs::path& path) {
  if (path.empty()) return path;
  if (is_stream(path)) {
    claims_.push_back(std::make_unique<Claim>(path, path.filename()));
    return claims_.back()->content;
  }
  if (fs::is_directory(path)) refuse(path, "expected the name of a file, found a folder");
  // Before the question of overwriting: --overwrite is no way out for an input.
  refuse_inputs(path, resolve(path));
  if (fs::exists(path) && !overwrite_)
    refuse(path, "exists already; choose another name, or replace it with --overwrite");
  return claim(path);
}

fs::path Outputs::folder(const fs::path& path,
                         const std::function<bool(const fs::path& name)>& ours) {
  if (path.empty()) return path;
  const fs::path resolved = resolve(path);
  refuse_inputs(path, resolved);
  if (fs::exists(resolved)) {
    if (!fs::is_directory(resolved)) refuse(path, "expected the name of a folder, found a file");
    for (const auto& entry : fs::directory_iterator(resolved)) {
      const fs::path name = entry.path().filename();
      if (!overwrite_)
        refuse(path, "is not empty; choose another name, or replace it with --overwrite");
      if (!ours(name) || entry.is_directory()) {
        refuse(path, "holds " + name.string() +
                         ", which this command does not write; choose another folder");
      }
    }
  }
  const fs::path staging = claim(path);
  fs::create_directory(staging);
  return staging;
}

void Outputs::commit() {
  for (const auto& claim : claims_) {
    if (!claim->place) {
      pour(claim->content, claim->stream);
      continue;
    }
    const fs::path& path = claim->place->path();
    if (!fs::exists(claim->place->staging())) continue;  // claimed, but nothing came to be written
    // An empty folder was no obstacle when it was claimed.
    const bool empty_folder = fs::is_directory(path) && fs::is_empty(path);
    claim->place->commit(overwrite_ || empty_folder);
  }
  claims_.clear();
}

}  // namespace pointtree::io
