// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "io/atomic_file.hpp"
#include "io/checksum.hpp"
#include "io/safetensors.hpp"

namespace pointtree::io {
namespace {

constexpr std::size_t kAlignment = 8;

void check_size(const TensorView& tensor) {
  std::size_t bytes = size_of(tensor.dtype);
  for (const std::int64_t size : tensor.shape) bytes *= static_cast<std::size_t>(size);
  if (bytes != tensor.bytes) {
    throw std::invalid_argument(tensor.name + ": expected " + std::to_string(bytes) +
                                " bytes for " + to_string(tensor.shape) + ", found " +
                                std::to_string(tensor.bytes));
  }
}

std::string header_of(const std::vector<TensorView>& tensors,
                      const std::map<std::string, std::string>& metadata) {
  nlohmann::ordered_json header = nlohmann::ordered_json::object();
  if (!metadata.empty()) header["__metadata__"] = metadata;
  std::size_t offset = 0;
  for (const TensorView& tensor : tensors) {
    check_size(tensor);
    if (header.contains(tensor.name)) throw std::invalid_argument(tensor.name + ": given twice");
    header[tensor.name] = {{"dtype", to_string(tensor.dtype)},
                           {"shape", tensor.shape},
                           {"data_offsets", {offset, offset + tensor.bytes}}};
    offset += tensor.bytes;
  }
  std::string text = header.dump();
  text.resize((text.size() + kAlignment - 1) / kAlignment * kAlignment, ' ');
  return text;
}

}  // namespace

WrittenFile write_safetensors(const std::filesystem::path& path, std::vector<TensorView> tensors,
                              const std::map<std::string, std::string>& metadata) {
  std::sort(tensors.begin(), tensors.end(), [](const TensorView& a, const TensorView& b) {
    const auto widest_first = [](const TensorView& t) { return kAlignment - size_of(t.dtype); };
    return std::pair(widest_first(a), std::string_view(a.name)) <
           std::pair(widest_first(b), std::string_view(b.name));
  });
  const std::string header = header_of(tensors, metadata);
  std::array<unsigned char, 8> length{};
  for (std::size_t i = 0; i < length.size(); ++i) {
    length[i] = static_cast<unsigned char>(std::uint64_t{header.size()} >> (8 * i));
  }

  AtomicFile file(path);
  Sha256 sum;
  WrittenFile written;
  const auto append = [&](const void* data, std::size_t size) {
    file.write(data, size);
    sum.update(data, size);
    written.bytes += size;
  };
  append(length.data(), length.size());
  append(header.data(), header.size());
  for (const TensorView& tensor : tensors) append(tensor.data, tensor.bytes);
  file.commit();
  written.sha256 = sum.finish();
  return written;
}

}  // namespace pointtree::io
