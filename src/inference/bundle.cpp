// SPDX-License-Identifier: Apache-2.0
#include "inference/bundle.hpp"

#include <set>
#include <stdexcept>

#include "io/atomic_file.hpp"
#include "io/checksum.hpp"

namespace pointtree::inference {
namespace {

constexpr const char* kManifestFile = "model.yaml";
constexpr const char* kWeightsFile = "weights.safetensors";
constexpr const char* kScaleSuffix = "_scale";
constexpr const char* kWeightSuffix = ".linear.weight";

[[noreturn]] void refuse(const std::filesystem::path& file, const std::string& key,
                         const std::string& expected, const std::string& found) {
  throw std::runtime_error(file.string() + ": " + key + ": expected " + expected + ", found " +
                           found);
}

bool ends_with(const std::string& text, const std::string& suffix) {
  return text.size() >= suffix.size() &&
         text.compare(text.size() - suffix.size(), suffix.size(), suffix) == 0;
}

void check_shape(const io::SafetensorsFile& weights, const io::TensorView& found,
                 const std::vector<std::int64_t>& shape) {
  if (found.shape != shape) {
    refuse(weights.path(), found.name, "shape " + io::to_string(shape), io::to_string(found.shape));
  }
}

void check_f32(const io::SafetensorsFile& weights, const io::TensorView& found) {
  if (found.dtype != io::DType::f32) {
    refuse(weights.path(), found.name, "F32", std::string(to_string(found.dtype)));
  }
}

/// What a linear weight may be stored as, besides F32.
io::DType narrow_format(Precision precision) {
  switch (precision) {
    case Precision::bfloat16:
      return io::DType::bf16;
    case Precision::int8:
      return io::DType::i8;
    case Precision::float32:
      break;
  }
  return io::DType::f32;
}

/// Checks one planned tensor and notes the names of the stored tensors that it accounts for.
void check_tensor(const io::SafetensorsFile& weights, const TensorPlan& plan, Precision precision,
                  std::set<std::string>& known) {
  const io::TensorView* found = weights.find(plan.name);
  if (found == nullptr) {
    refuse(weights.path(), plan.name, "a tensor " + io::to_string(plan.shape), "none");
  }
  known.insert(plan.name);
  check_shape(weights, *found, plan.shape);
  const bool narrow =
      ends_with(plan.name, kWeightSuffix) && found->dtype == narrow_format(precision);
  if (!narrow) check_f32(weights, *found);
  if (found->dtype != io::DType::i8) return;
  const std::string scale_name = plan.name + kScaleSuffix;
  const io::TensorView* scale = weights.find(scale_name);
  if (scale == nullptr) refuse(weights.path(), scale_name, "the scales of an I8 weight", "none");
  known.insert(scale_name);
  check_shape(weights, *scale, {plan.shape.front()});
  check_f32(weights, *scale);
}

/// Every tensor of the plan must be there, and nothing else.
void check_tensors(const io::SafetensorsFile& weights, const NetworkPlan& plan,
                   Precision precision) {
  std::set<std::string> known;
  for (const PlacedDense& layer : dense_layers(plan)) {
    if (layer.training_only && weights.find(layer.name + kWeightSuffix) == nullptr) continue;
    for (const TensorPlan& tensor : tensors(layer)) check_tensor(weights, tensor, precision, known);
  }
  for (const io::TensorView& tensor : weights.tensors()) {
    if (known.count(tensor.name) == 0) {
      refuse(weights.path(), tensor.name, "only tensors of the configured network", "this one");
    }
  }
}

}  // namespace

Bundle::Bundle(const std::filesystem::path& folder)
    : manifest_(read_manifest(folder / kManifestFile)),
      plan_(plan_network(manifest_.model)),
      weights_(folder / kWeightsFile) {
  const auto& file = weights_.file();
  if (file.size() != manifest_.weights_bytes) {
    refuse(weights_.path(), "size",
           std::to_string(manifest_.weights_bytes) + " bytes as in model.yaml",
           std::to_string(file.size()));
  }
  check_tensors(weights_, plan_, manifest_.precision);
  const std::string sum = io::sha256(file.data(), file.size());
  if (sum != manifest_.weights_sha256) {
    refuse(weights_.path(), "sha256", manifest_.weights_sha256 + " as in model.yaml", sum);
  }
}

std::vector<float> Bundle::values(const std::string& name) const {
  const io::TensorView* tensor = weights_.find(name);
  if (tensor == nullptr) refuse(weights_.path(), name, "a tensor", "none");
  std::vector<float> values = io::to_float32(*tensor);
  if (tensor->dtype == io::DType::i8) {
    const auto scales = io::to_float32(*weights_.find(name + kScaleSuffix));
    const std::size_t columns = values.size() / scales.size();
    for (std::size_t i = 0; i < values.size(); ++i) values[i] *= scales[i / columns];
  }
  return values;
}

namespace {

/// Whether the folder is a bundle and nothing else, so that it can be replaced as a whole.
bool holds_only_a_bundle(const std::filesystem::path& folder) {
  if (!std::filesystem::exists(folder / kManifestFile)) return false;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const auto name = entry.path().filename();
    if (name != kManifestFile && name != kWeightsFile) return false;
  }
  return true;
}

void write_files(const std::filesystem::path& folder, Manifest manifest,
                 const std::vector<io::TensorView>& tensors) {
  const auto written = io::write_safetensors(folder / kWeightsFile, tensors,
                                             {{"format", "pt"}, {"model", manifest.name}});
  manifest.weights_bytes = written.bytes;
  manifest.weights_sha256 = written.sha256;
  write_manifest(folder / kManifestFile, manifest);
}

}  // namespace

std::vector<std::filesystem::path> ensemble_folders(const Bundle& bundle) {
  std::vector<std::filesystem::path> folders;
  for (const auto& name : bundle.manifest().ensemble) {
    folders.push_back(bundle.weights().path().parent_path() / name);
  }
  return folders;
}

void write_bundle(const std::filesystem::path& folder, Manifest manifest,
                  const std::vector<io::TensorView>& tensors) {
  std::filesystem::create_directories(folder);
  if (holds_only_a_bundle(folder)) {
    io::StagedPath staged(std::filesystem::canonical(folder));
    std::filesystem::create_directory(staged.staging());
    write_files(staged.staging(), std::move(manifest), tensors);
    return staged.commit(true);
  }
  write_files(folder, std::move(manifest), tensors);
}

}  // namespace pointtree::inference
