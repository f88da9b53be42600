// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/cuda/CUDAGraph.h>
#include <c10/cuda/CUDAStream.h>
#include <cuda_runtime_api.h>

#include <array>
#include <memory>

#include "device_network.hpp"
#include "inference/engine/device_backend.hpp"

namespace pointtree::network::cuda {

/// What a slot is made for.
struct SlotShape {
  std::int64_t clouds = 1;
  bool repeats = false;  ///< whether points repeat, so that their features are averaged

  bool operator<(const SlotShape& other) const {
    return std::pair(clouds, repeats) < std::pair(other.clouds, other.repeats);
  }
};

/// A moment in a stream.
class Moment {
 public:
  Moment();
  ~Moment();
  Moment(const Moment&) = delete;
  Moment& operator=(const Moment&) = delete;

  /// Puts the moment into a stream; within a graph it is one more node.
  void record(const c10::cuda::CUDAStream& stream, bool capturing);
  double milliseconds_until(const Moment& later) const;

 private:
  cudaEvent_t event_ = nullptr;
};

/// Batches of one size: their memory on host and device, and the work on them, from the host's
/// memory and back to it, as one graph. Everything has its place from the start; a run allocates
/// nothing and launches one graph.
class CudaSlot {
 public:
  CudaSlot(const SlotShape& shape, const inference::EngineInfo& info, const DeviceNetwork& network,
           const c10::cuda::CUDAStream& stream);

  ~CudaSlot();
  CudaSlot(const CudaSlot&) = delete;
  CudaSlot& operator=(const CudaSlot&) = delete;

  /// Answers up to shape.clouds clouds. Without a graph it puts its work into the stream step by
  /// step.
  inference::engine::DeviceAnswer run(const inference::CloudInput* clouds, std::size_t count);

  /// Captures the graph for the runs to come; false where that is not possible.
  bool capture_graph();

 private:
  /// The same array in pinned memory of the host and on the device.
  struct Mirrored {
    at::Tensor host;
    at::Tensor device;
  };

  Mirrored mirrored(at::IntArrayRef shape, at::ScalarType type) const;
  void upload(const Mirrored& array) const;
  void download(const Mirrored& array) const;

  void fill(const inference::CloudInput* clouds, std::size_t count);
  void record(bool capturing);
  void pose_and_build() const;
  at::Tensor owners() const;
  inference::PosedCloud posed(std::int64_t cloud) const;

  SlotShape shape_;
  const inference::EngineInfo& info_;
  const DeviceNetwork& network_;
  c10::cuda::CUDAStream stream_;
  Mirrored points_;        // [B, N, 3]
  Mirrored channels_;      // [B, N, extra]
  Mirrored first_rows_;    // [B, N]: first row with the same source
  Mirrored aligned_;       // [B, N, 3]
  Mirrored poses_;         // [B] PoseRecord, as bytes
  Mirrored centres_;       // [B, 3]
  Mirrored planes_;        // [B, N − 1, 4]
  Mirrored leaf_orders_;   // [B, N]
  Mirrored tied_nodes_;    // [B]
  Mirrored logits_;        // [B, classes] or [B, N, classes]
  at::Tensor finite_;      // [B]
  at::Tensor cloud_rows_;  // [B]: where each cloud's rows begin
  at::Tensor scratch_;
  at::Tensor leaves_;  // [B, N, 3 + extra]
  std::array<Moment, 3> moments_;
  std::unique_ptr<at::cuda::CUDAGraph> graph_;
};

}  // namespace pointtree::network::cuda
