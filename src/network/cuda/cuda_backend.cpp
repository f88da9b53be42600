// SPDX-License-Identifier: Apache-2.0
#include <c10/core/InferenceMode.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAGuard.h>

#include <map>

#include "cuda_slot.hpp"
#include "inference/engine/cuda_plugin.hpp"

namespace pointtree::network::cuda {
namespace {

using inference::engine::BackendRequest;
using inference::engine::DeviceAnswer;

c10::Device cuda_device(int index) {
  return {c10::DeviceType::CUDA, static_cast<c10::DeviceIndex>(index)};
}

/// A network on one CUDA device with a stream of its own and a slot for every size of batch: the
/// powers of two, and the largest.
class CudaBackend final : public inference::engine::DeviceBackend {
 public:
  explicit CudaBackend(const BackendRequest& request)
      : info_(request.info),
        max_batch_(request.max_batch),
        network_(request.plan, request.read, cuda_device(request.device),
                 request.exact ? at::kFloat : at::kHalf),
        stream_(
            c10::cuda::getStreamFromPool(false, static_cast<c10::DeviceIndex>(request.device))) {
    // The weights came through another stream.
    const c10::cuda::CUDAGuard guard(stream_.device());
    c10::cuda::device_synchronize();
  }

  DeviceAnswer run(const inference::CloudInput* clouds, std::size_t count) override {
    const c10::InferenceMode inference;
    const c10::cuda::CUDAStreamGuard guard(stream_);
    try {
      CudaSlot& used = slot(clouds, count);
      DeviceAnswer answer = used.run(clouds, count);
      captures_ = captures_ && used.capture_graph();
      return answer;
    } catch (const c10::OutOfMemoryError& error) {
      const std::string reason = error.what_without_backtrace();
      slots_.clear();
      c10::cuda::CUDACachingAllocator::emptyCache();
      throw inference::engine::OutOfDeviceMemory(reason);
    } catch (const c10::Error& error) {
      fail(error.what_without_backtrace());
    } catch (const std::runtime_error& error) {
      fail(error.what());
    }
  }

 private:
  CudaSlot& slot(const inference::CloudInput* clouds, std::size_t count) {
    SlotShape shape;
    while (shape.clouds < static_cast<std::int64_t>(count)) shape.clouds *= 2;
    if (shape.clouds > max_batch_) shape.clouds = max_batch_;
    for (std::size_t i = 0; i < count; ++i) {
      shape.repeats = shape.repeats || !clouds[i].source.empty();
    }
    std::unique_ptr<CudaSlot>& slot = slots_[shape];
    if (!slot) slot = std::make_unique<CudaSlot>(shape, info_, network_, stream_);
    return *slot;
  }

  /// Slots that took part in a failure can't be trusted, nor their stream; graphs may be the cause.
  [[noreturn]] void fail(const std::string& reason) {
    slots_.clear();
    captures_ = false;
    stream_ = c10::cuda::getStreamFromPool(false, stream_.device_index());
    throw inference::engine::DeviceFailure(reason);
  }

  const inference::EngineInfo info_;
  const std::int64_t max_batch_;
  const DeviceNetwork network_;
  c10::cuda::CUDAStream stream_;
  bool captures_ = true;
  std::map<SlotShape, std::unique_ptr<CudaSlot>> slots_;
};

}  // namespace
}  // namespace pointtree::network::cuda

extern "C" pointtree::inference::engine::DeviceBackend* pointtree_make_cuda_backend(
    const pointtree::inference::engine::BackendRequest& request) {
  return new pointtree::network::cuda::CudaBackend(request);
}
