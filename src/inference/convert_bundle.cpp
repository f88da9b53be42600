// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstring>
#include <deque>
#include <stdexcept>

#include "inference/bundle.hpp"

namespace pointtree::inference {
namespace {

// Maps from coordinates and colours hold a tiny share of the weights, but every feature depends on
// them.
constexpr std::int64_t kLeastInputs = 16;

/// Tensors made here, with the memory behind their views.
class ConvertedTensors {
 public:
  void keep(const io::TensorView& tensor) { views_.push_back(tensor); }

  template <typename T>
  void add(const std::string& name, io::DType dtype, std::vector<std::int64_t> shape,
           const std::vector<T>& numbers) {
    auto& bytes = storage_.emplace_back(numbers.size() * sizeof(T));
    if (!bytes.empty()) std::memcpy(bytes.data(), numbers.data(), bytes.size());
    views_.push_back({name, dtype, std::move(shape), bytes.data(), bytes.size()});
  }

  const std::vector<io::TensorView>& views() const { return views_; }

 private:
  std::deque<std::vector<std::byte>> storage_;
  std::vector<io::TensorView> views_;
};

void add_bfloat16(const io::TensorView& weight, ConvertedTensors& converted) {
  const auto values = io::to_float32(weight);
  std::vector<std::uint16_t> numbers(values.size());
  std::transform(values.begin(), values.end(), numbers.begin(), io::to_bfloat16);
  converted.add(weight.name, io::DType::bf16, weight.shape, numbers);
}

/// Symmetric 8 bits per output row: the row's largest |weight| becomes 127.
void add_int8(const io::TensorView& weight, ConvertedTensors& converted) {
  const auto values = io::to_float32(weight);
  const auto rows = static_cast<std::size_t>(weight.shape[0]);
  const auto columns = static_cast<std::size_t>(weight.shape[1]);
  std::vector<std::int8_t> numbers(values.size());
  std::vector<float> scales(rows);
  for (std::size_t r = 0; r < rows; ++r) {
    const float* row = values.data() + r * columns;
    float largest = 0.0F;
    for (std::size_t c = 0; c < columns; ++c) largest = std::max(largest, std::abs(row[c]));
    scales[r] = largest > 0.0F ? largest / 127.0F : 1.0F;
    for (std::size_t c = 0; c < columns; ++c) {
      const long rounded = std::lround(row[c] / scales[r]);
      numbers[r * columns + c] = static_cast<std::int8_t>(std::clamp(rounded, -127L, 127L));
    }
  }
  converted.add(weight.name, io::DType::i8, weight.shape, numbers);
  converted.add(weight.name + "_scale", io::DType::f32, {weight.shape[0]}, scales);
}

}  // namespace

void convert_bundle(const Bundle& source, const std::filesystem::path& folder,
                    Precision precision) {
  Manifest manifest = source.manifest();
  if (manifest.precision != Precision::float32) {
    throw std::runtime_error(source.weights().path().string() +
                             ": precision: expected float32 weights to convert, found " +
                             std::string(to_string(manifest.precision)));
  }
  ConvertedTensors converted;
  for (const PlacedDense& layer : dense_layers(source.plan())) {
    if (layer.training_only) continue;
    for (const TensorPlan& plan : tensors(layer)) {
      const io::TensorView& tensor = *source.weights().find(plan.name);
      const bool narrows = plan.shape.size() == 2 && plan.shape[1] >= kLeastInputs;
      if (narrows && precision == Precision::bfloat16) {
        add_bfloat16(tensor, converted);
      } else if (narrows && precision == Precision::int8) {
        add_int8(tensor, converted);
      } else {
        converted.keep(tensor);
      }
    }
  }
  manifest.precision = precision;
  manifest.scores.clear();  // they belong to the weights they were measured with
  write_bundle(folder, manifest, converted.views());
  for (const auto& member : ensemble_folders(source)) {
    convert_bundle(Bundle(member), folder / member.filename(), precision);
  }
}

}  // namespace pointtree::inference
