// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <vector>

#include "cloud_batch.hpp"
#include "folding.hpp"

namespace pointtree::inference::engine {

/// A batch that does not fit into a device's memory; a smaller one may.
class OutOfDeviceMemory : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A device that failed while it ran; the error may be that of earlier work.
class DeviceFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What a device answers for one batch.
struct DeviceAnswer {
  std::vector<float> logits;      ///< [clouds, classes], or [clouds, 2^d, classes] in leaf order
  std::vector<PosedCloud> posed;  ///< of models that segment, else empty
  EngineTimes times;
};

/// Poses, trees and the network on a device other than the CPU.
class DeviceBackend {
 public:
  DeviceBackend() = default;
  virtual ~DeviceBackend() = default;
  DeviceBackend(const DeviceBackend&) = delete;
  DeviceBackend& operator=(const DeviceBackend&) = delete;

  /// Answers `count` clouds, which have been checked. Throws OutOfDeviceMemory or DeviceFailure.
  virtual DeviceAnswer run(const CloudInput* clouds, std::size_t count) = 0;
};

/// What a backend is made from.
struct BackendRequest {
  const NetworkPlan& plan;
  const TensorReader& read;
  const EngineInfo& info;
  int device;     ///< index of the CUDA device
  bool exact;     ///< float32 throughout rather than half where the CPU engine has bfloat16
  int max_batch;  ///< clouds of a run
};

}  // namespace pointtree::inference::engine
