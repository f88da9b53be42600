// SPDX-License-Identifier: Apache-2.0
#include <ATen/ops/all.h>
#include <ATen/ops/any.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/ne.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

#include <cstddef>
#include <stdexcept>

#include "geometry/cuda/device_batch.hpp"
#include "inference/engine/cuda_plugin.hpp"
#include "network/tensor_preprocessor.hpp"
#include "preprocessor_request.hpp"

namespace pointtree::network::cuda {
namespace {

namespace device = geometry::cuda;

/// Poses and trees in the current stream. Memory comes from LibTorch's allocator, which hands it on
/// only to work that comes later in the same stream. The host waits only to learn whether all
/// points are finite.
class CudaPreprocessor final : public TensorPreprocessor {
 public:
  explicit CudaPreprocessor(const PreprocessorRequest& request)
      : device_(c10::DeviceType::CUDA, static_cast<c10::DeviceIndex>(request.device)) {
    pose_options_.mode = request.mode;
    tree_options_ = request.tree;
  }

  at::Tensor pose(const at::Tensor& clouds) override {
    const c10::cuda::CUDAGuard guard(device_);
    const at::Tensor in = clouds.contiguous();
    at::Tensor posed = at::empty_like(in);
    constexpr std::int64_t kRecord = sizeof(device::PoseRecord);
    constexpr std::int64_t kFinite = offsetof(device::PoseRecord, finite);
    const at::Tensor records = bytes(in.size(0) * kRecord);
    device::pre_align(in.const_data_ptr<float>(), shape_of(in), pose_options_,
                      posed.mutable_data_ptr<float>(),
                      static_cast<device::PoseRecord*>(records.mutable_data_ptr()), stream());
    require_finite(records.view({-1, kRecord}).narrow(1, kFinite, sizeof(std::int32_t)));
    return posed;
  }

  at::Tensor leaf_orders(const at::Tensor& posed) override {
    const c10::cuda::CUDAGuard guard(device_);
    const at::Tensor in = posed.contiguous();
    const std::int64_t b = in.size(0);
    const std::int64_t n = in.size(1);
    const auto doubles = at::TensorOptions().device(device_).dtype(at::kDouble);
    const auto integers = doubles.dtype(at::kInt);
    const at::Tensor centres = at::empty({b, 3}, doubles);
    const at::Tensor planes = at::empty({b, n - 1, 4}, doubles);
    const at::Tensor orders = at::empty({b, n}, integers);
    const at::Tensor tied = at::empty({b}, integers);
    const at::Tensor finite = at::empty({b}, integers);
    const at::Tensor scratch =
        bytes(static_cast<std::int64_t>(device::tree_scratch_bytes(shape_of(in))));
    device::build_trees(
        in.const_data_ptr<float>(), shape_of(in), tree_options_,
        {centres.mutable_data_ptr<double>(), planes.mutable_data_ptr<double>(),
         orders.mutable_data_ptr<std::int32_t>(), tied.mutable_data_ptr<std::int32_t>(),
         finite.mutable_data_ptr<std::int32_t>()},
        scratch.mutable_data_ptr(), stream());
    require_finite(finite);
    return orders.to(at::kLong);
  }

 private:
  static device::BatchShape shape_of(const at::Tensor& clouds) {
    return {static_cast<std::uint32_t>(clouds.size(0)), static_cast<std::uint32_t>(clouds.size(1))};
  }

  /// As on the CPU, which throws where a cloud is not; marks are 0 there, as integers of any size.
  static void require_finite(const at::Tensor& marks) {
    const at::Tensor by_cloud = marks.reshape({marks.size(0), -1}).ne(0).any(1);
    if (!by_cloud.all().item<bool>()) {
      throw std::invalid_argument("pre-alignment and trees need finite points");
    }
  }

  at::Tensor bytes(std::int64_t count) const {
    return at::empty({count}, at::TensorOptions().device(device_).dtype(at::kByte));
  }

  void* stream() const { return c10::cuda::getCurrentCUDAStream(device_.index()).stream(); }

  c10::Device device_;
  geometry::PreAlignOptions pose_options_;
  geometry::TreeOptions tree_options_;
};

}  // namespace
}  // namespace pointtree::network::cuda

extern "C" pointtree::network::TensorPreprocessor* pointtree_make_cuda_preprocessor(
    const pointtree::network::PreprocessorRequest& request) {
  return new pointtree::network::cuda::CudaPreprocessor(request);
}
