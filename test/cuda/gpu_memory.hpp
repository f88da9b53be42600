// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "pointtree/geometry/points.hpp"

namespace pointtree::geometry::cuda::test {

inline void check(cudaError_t error) {
  if (error != cudaSuccess) throw std::runtime_error(cudaGetErrorString(error));
}

/// Why kernels can't run here; empty where they can.
inline std::string obstacle() {
  int devices = 0;
  const cudaError_t error = cudaGetDeviceCount(&devices);
  if (error != cudaSuccess) return std::string("no CUDA device: ") + cudaGetErrorString(error);
  return devices > 0 ? "" : "no CUDA device";
}

/// An array on the device.
template <typename T>
class GpuArray {
 public:
  explicit GpuArray(std::size_t count) : count_(count) {
    check(cudaMalloc(reinterpret_cast<void**>(&data_), count * sizeof(T)));
  }
  explicit GpuArray(const std::vector<T>& values) : GpuArray(values.size()) {
    check(cudaMemcpy(data_, values.data(), count_ * sizeof(T), cudaMemcpyHostToDevice));
  }
  ~GpuArray() { cudaFree(data_); }
  GpuArray(const GpuArray&) = delete;
  GpuArray& operator=(const GpuArray&) = delete;

  T* data() const { return data_; }

  /// Waits for the device and copies the array.
  std::vector<T> values() const {
    std::vector<T> values(count_);
    check(cudaMemcpy(values.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
  }

 private:
  std::size_t count_;
  T* data_ = nullptr;
};

/// Skips tests with the reason where kernels can't run.
class OnGpu : public testing::Test {
 protected:
  void SetUp() override {
    const std::string reason = obstacle();
    if (!reason.empty()) GTEST_SKIP() << reason;
  }
};

/// The rows of clouds one behind the other.
inline std::vector<float> joined(const std::vector<Points>& clouds) {
  std::vector<float> rows;
  for (const Points& cloud : clouds) {
    rows.insert(rows.end(), cloud.data(), cloud.data() + cloud.size());
  }
  return rows;
}

}  // namespace pointtree::geometry::cuda::test
