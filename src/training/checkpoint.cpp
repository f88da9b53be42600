// SPDX-License-Identifier: Apache-2.0
#include "training/checkpoint.hpp"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

#include "io/checksum.hpp"
#include "io/file_bytes.hpp"
#include "io/safetensors.hpp"

namespace pointtree::training {

namespace {

using nlohmann::json;

constexpr int kFormat = 1;
constexpr std::size_t kKept = 2;
const std::string kPrefix = "checkpoint-";

std::filesystem::path tensors_of(std::filesystem::path state_file) {
  return state_file.replace_extension(".safetensors");
}

// State files with their steps, newest first. A checkpoint exists once its state file does.
std::vector<std::pair<std::int64_t, std::filesystem::path>> checkpoints(
    const std::filesystem::path& folder, const std::string& extension) {
  std::vector<std::pair<std::int64_t, std::filesystem::path>> found;
  if (!std::filesystem::is_directory(folder)) return found;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const auto stem = entry.path().stem().string();
    if (entry.path().extension() != extension || stem.rfind(kPrefix, 0) != 0) continue;
    const auto digits = stem.substr(kPrefix.size());
    if (digits.empty() || digits.size() > 18 ||
        digits.find_first_not_of("0123456789") != std::string::npos)
      continue;
    found.emplace_back(std::stoll(digits), entry.path());
  }
  std::sort(found.rbegin(), found.rend());
  return found;
}

// Whether a folder is one that a writer was killed over: a checkpoint's name and ".part-" after it.
bool is_unfinished(const std::filesystem::path& folder) {
  return folder.filename().string().rfind(kPrefix, 0) == 0 &&
         folder.extension().string().rfind(".part-", 0) == 0;
}

// Removes what is not among the newest checkpoints, tensors without a state included.
void remove_old(const std::filesystem::path& folder) {
  auto present = checkpoints(folder, ".json");
  std::set<std::int64_t> kept;
  for (std::size_t i = 0; i < present.size(); ++i) {
    if (i < kKept) kept.insert(present[i].first);
    // The state goes first, so that no state is left without its tensors.
    if (i >= kKept) std::filesystem::remove(present[i].second);
  }
  for (const auto& [step, file] : checkpoints(folder, ".safetensors")) {
    if (kept.count(step) == 0) std::filesystem::remove(file);
  }
  std::vector<std::filesystem::path> unfinished;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (is_unfinished(entry.path())) unfinished.push_back(entry.path());
  }
  for (const auto& staging : unfinished) std::filesystem::remove_all(staging);
}

json read_json(const std::filesystem::path& file) {
  std::ifstream stream(file);
  const auto text = json::parse(stream, nullptr, /*allow_exceptions=*/false);
  if (!text.is_object()) throw std::runtime_error(file.string() + ": expected a JSON object");
  return text;
}

template <typename T>
T value_of(const json& text, const char* key, const std::filesystem::path& file) {
  try {
    return text.at(key).get<T>();
  } catch (const json::exception& error) {
    throw std::runtime_error(file.string() + ": key " + key + " is missing or of another type (" +
                             error.what() + ")");
  }
}

void verify(const std::filesystem::path& state_file) {
  const auto text = read_json(state_file);
  if (const auto format = value_of<int>(text, "format", state_file); format != kFormat) {
    throw std::runtime_error(state_file.string() + ": expected format " + std::to_string(kFormat) +
                             ", found " + std::to_string(format));
  }
  const io::MappedFile tensors(tensors_of(state_file));
  const auto expected = value_of<std::string>(text, "sha256", state_file);
  const auto found = io::sha256(tensors.data(), tensors.size());
  if (found != expected) {
    throw std::runtime_error(tensors_of(state_file).string() + ": damaged, expected SHA-256 " +
                             expected + ", found " + found);
  }
}

io::DType stored_type(const at::Tensor& tensor, const std::string& name) {
  switch (tensor.scalar_type()) {
    case at::kFloat:
      return io::DType::f32;
    case at::kLong:
      return io::DType::i64;
    default:
      throw std::invalid_argument("checkpoint: tensor " + name + " is neither float32 nor int64");
  }
}

}  // namespace

void write_checkpoint(const std::filesystem::path& folder, const RunState& state,
                      const NamedTensors& tensors) {
  std::vector<at::Tensor> packed;
  std::vector<io::TensorView> views;
  for (const auto& [name, value] : tensors) {
    packed.push_back(value.detach().cpu().contiguous());
    const auto& last = packed.back();
    views.push_back({name, stored_type(last, name), last.sizes().vec(),
                     static_cast<const std::byte*>(last.const_data_ptr()), last.nbytes()});
  }
  const auto state_file = folder / (kPrefix + std::to_string(state.step) + ".json");
  const auto written = io::write_safetensors(tensors_of(state_file), std::move(views));
  nlohmann::ordered_json text;
  text["format"] = kFormat;
  text["step"] = state.step;
  text["seconds"] = state.seconds;
  text["best_score"] = state.best_score;
  text["best_step"] = state.best_step;
  text["sha256"] = written.sha256;
  text["config"] = state.config;
  io::write_file(state_file, text.dump(1) + "\n");
  remove_old(folder);
}

std::optional<std::filesystem::path> newest_checkpoint(const std::filesystem::path& folder) {
  const auto present = checkpoints(folder, ".json");
  for (const auto& [step, path] : present) {
    try {
      verify(path);
      return path;
    } catch (const std::runtime_error& error) {
      std::fprintf(stderr, "%s; trying the checkpoint before\n", error.what());
    }
  }
  if (!present.empty())
    throw std::runtime_error("no checkpoint in " + folder.string() + " is whole");
  return std::nullopt;
}

RunState read_state(const std::filesystem::path& checkpoint) {
  const auto text = read_json(checkpoint);
  RunState state;
  state.step = value_of<std::int64_t>(text, "step", checkpoint);
  state.seconds = value_of<double>(text, "seconds", checkpoint);
  state.best_score = value_of<double>(text, "best_score", checkpoint);
  state.best_step = value_of<std::int64_t>(text, "best_step", checkpoint);
  state.config = value_of<std::string>(text, "config", checkpoint);
  return state;
}

void read_tensors(const std::filesystem::path& checkpoint, const NamedTensors& tensors) {
  const at::NoGradGuard no_grad;
  const io::SafetensorsFile file(tensors_of(checkpoint));
  if (file.tensors().size() != tensors.size()) {
    throw std::runtime_error(file.path().string() + ": expected the " +
                             std::to_string(tensors.size()) + " tensors of this run, found " +
                             std::to_string(file.tensors().size()));
  }
  for (const auto& [name, value] : tensors) {
    const auto* stored = file.find(name);
    if (stored == nullptr)
      throw std::runtime_error(file.path().string() + ": expected a tensor " + name);
    if (stored->dtype != stored_type(value, name) || stored->shape != value.sizes().vec()) {
      throw std::runtime_error(file.path().string() + ": tensor " + name + ": expected " +
                               io::to_string(value.sizes().vec()) + ", found " +
                               io::to_string(stored->shape) + " of " +
                               std::string(io::to_string(stored->dtype)));
    }
    const auto staging = at::empty(value.sizes(), value.options().device(at::kCPU));
    std::memcpy(staging.mutable_data_ptr(), stored->data, stored->bytes);
    at::Tensor(value).copy_(staging);
  }
}

}  // namespace pointtree::training
