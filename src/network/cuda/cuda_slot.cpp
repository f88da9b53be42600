// SPDX-License-Identifier: Apache-2.0
#include "cuda_slot.hpp"

#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/gather.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAException.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "capture.hpp"
#include "geometry/cuda/device_batch.hpp"

namespace pointtree::network::cuda {
namespace {

namespace device = geometry::cuda;

/// The first row with the same source as each row; without sources, the row itself.
void write_first_rows(const inference::CloudInput& cloud, std::int64_t rows,
                      std::int64_t* first_rows) {
  std::map<std::int32_t, std::int64_t> first;
  for (std::int64_t row = 0; row < rows; ++row) {
    first_rows[row] =
        cloud.source.empty()
            ? row
            : first.emplace(cloud.source[static_cast<std::size_t>(row)], row).first->second;
  }
}

}  // namespace

Moment::Moment() { C10_CUDA_CHECK(cudaEventCreate(&event_)); }

Moment::~Moment() { C10_CUDA_CHECK_WARN(cudaEventDestroy(event_)); }

void Moment::record(const c10::cuda::CUDAStream& stream, bool capturing) {
  C10_CUDA_CHECK(cudaEventRecordWithFlags(
      event_, stream.stream(), capturing ? cudaEventRecordExternal : cudaEventRecordDefault));
}

double Moment::milliseconds_until(const Moment& later) const {
  float milliseconds = 0.0F;
  C10_CUDA_CHECK(cudaEventElapsedTime(&milliseconds, event_, later.event_));
  return milliseconds;
}

CudaSlot::CudaSlot(const SlotShape& shape, const inference::EngineInfo& info,
                   const DeviceNetwork& network, const c10::cuda::CUDAStream& stream)
    : shape_(shape), info_(info), network_(network), stream_(stream) {
  const std::int64_t b = shape.clouds;
  const std::int64_t n = info.points;
  const auto extra = static_cast<std::int64_t>(info.channels.size());
  const auto classes = static_cast<std::int64_t>(info.classes.size());
  const auto on_device = at::TensorOptions().device(stream.device());
  points_ = mirrored({b, n, 3}, at::kFloat);
  channels_ = mirrored({b, n, extra}, at::kFloat);
  first_rows_ = mirrored({b, n}, at::kLong);
  aligned_ = mirrored({b, n, 3}, at::kFloat);
  poses_ = mirrored({b, static_cast<std::int64_t>(sizeof(device::PoseRecord))}, at::kByte);
  centres_ = mirrored({b, 3}, at::kDouble);
  planes_ = mirrored({b, n - 1, 4}, at::kDouble);
  leaf_orders_ = mirrored({b, n}, at::kInt);
  tied_nodes_ = mirrored({b}, at::kInt);
  logits_ =
      info.segments ? mirrored({b, n, classes}, at::kFloat) : mirrored({b, classes}, at::kFloat);
  finite_ = at::empty({b}, on_device.dtype(at::kInt));
  cloud_rows_ = at::arange(0, b * n, n, on_device.dtype(at::kInt));
  const device::BatchShape batch{static_cast<std::uint32_t>(b), static_cast<std::uint32_t>(n)};
  // Trees are finished before features begin, so both use the same memory.
  const std::size_t scratch = std::max(device::tree_scratch_bytes(batch),
                                       device::features_scratch_bytes(batch, info.features));
  scratch_ = at::empty({static_cast<std::int64_t>(scratch)}, on_device.dtype(at::kByte));
  leaves_ = at::empty({b, n, info.leaf_channels()}, on_device.dtype(at::kFloat));
}

CudaSlot::Mirrored CudaSlot::mirrored(at::IntArrayRef shape, at::ScalarType type) const {
  return {at::empty(shape, at::TensorOptions().dtype(type).pinned_memory(true)),
          at::empty(shape, at::TensorOptions().dtype(type).device(stream_.device()))};
}

void CudaSlot::upload(const Mirrored& array) const {
  C10_CUDA_CHECK(cudaMemcpyAsync(array.device.mutable_data_ptr(), array.host.const_data_ptr(),
                                 array.host.nbytes(), cudaMemcpyHostToDevice, stream_.stream()));
}

void CudaSlot::download(const Mirrored& array) const {
  C10_CUDA_CHECK(cudaMemcpyAsync(array.host.mutable_data_ptr(), array.device.const_data_ptr(),
                                 array.host.nbytes(), cudaMemcpyDeviceToHost, stream_.stream()));
}

void CudaSlot::fill(const inference::CloudInput* clouds, std::size_t count) {
  const std::int64_t n = info_.points;
  const auto extra = static_cast<std::int64_t>(info_.channels.size());
  for (std::int64_t b = 0; b < shape_.clouds; ++b) {
    // Places that no cloud fills repeat the first: any valid cloud will do.
    const inference::CloudInput& cloud = clouds[static_cast<std::size_t>(b) < count ? b : 0];
    auto* points = points_.host.mutable_data_ptr<float>() + b * n * 3;
    Eigen::Map<geometry::Points>(points, n, 3) = cloud.points;
    if (extra > 0) {
      auto* channels = channels_.host.mutable_data_ptr<float>() + b * n * extra;
      using Channels = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
      Eigen::Map<Channels>(channels, n, extra) = cloud.channels;
    }
    if (shape_.repeats) {
      write_first_rows(cloud, n, first_rows_.host.mutable_data_ptr<std::int64_t>() + b * n);
    }
  }
}

void CudaSlot::pose_and_build() const {
  const device::BatchShape batch{static_cast<std::uint32_t>(shape_.clouds),
                                 static_cast<std::uint32_t>(info_.points)};
  geometry::PreAlignOptions pose_options;
  pose_options.mode = info_.pre_align;
  device::pre_align(points_.device.const_data_ptr<float>(), batch, pose_options,
                    aligned_.device.mutable_data_ptr<float>(),
                    static_cast<device::PoseRecord*>(poses_.device.mutable_data_ptr()),
                    stream_.stream());
  device::build_trees(
      aligned_.device.const_data_ptr<float>(), batch, info_.tree,
      {centres_.device.mutable_data_ptr<double>(), planes_.device.mutable_data_ptr<double>(),
       leaf_orders_.device.mutable_data_ptr<std::int32_t>(),
       tied_nodes_.device.mutable_data_ptr<std::int32_t>(),
       finite_.mutable_data_ptr<std::int32_t>()},
      scratch_.mutable_data_ptr(), stream_.stream());
  const auto extra = static_cast<std::uint32_t>(info_.channels.size());
  const auto width = static_cast<std::uint32_t>(leaves_.size(2));
  device::RowGather gather{aligned_.device.const_data_ptr<float>(),
                           cloud_rows_.const_data_ptr<std::int32_t>(),
                           leaf_orders_.device.const_data_ptr<std::int32_t>(),
                           leaves_.mutable_data_ptr<float>(),
                           batch.clouds,
                           batch.points,
                           3,
                           width,
                           0};
  device::gather_rows(gather, stream_.stream());
  device::write_features(leaves_.mutable_data_ptr<float>(), batch,
                         static_cast<const device::PoseRecord*>(poses_.device.const_data_ptr()),
                         info_.features, width, 3 + extra, scratch_.mutable_data_ptr(),
                         stream_.stream());
  if (extra == 0) return;
  gather.rows = channels_.device.const_data_ptr<float>();
  gather.channels = extra;
  gather.first_column = 3;
  device::gather_rows(gather, stream_.stream());
}

at::Tensor CudaSlot::owners() const {
  if (!shape_.repeats) return {};
  return at::gather(first_rows_.device, 1, leaf_orders_.device.to(at::kLong));
}

void CudaSlot::record(bool capturing) {
  moments_[0].record(stream_, capturing);
  upload(points_);
  if (!info_.channels.empty()) upload(channels_);
  if (shape_.repeats) upload(first_rows_);
  pose_and_build();
  moments_[1].record(stream_, capturing);
  logits_.device.copy_(network_.forward(leaves_, owners()));
  download(logits_);
  if (info_.segments) {
    for (const Mirrored* array :
         {&aligned_, &poses_, &centres_, &planes_, &leaf_orders_, &tied_nodes_}) {
      download(*array);
    }
  }
  moments_[2].record(stream_, capturing);
}

// Copies that are under way use the slot's memory.
CudaSlot::~CudaSlot() {
  static_cast<void>(cudaStreamSynchronize(stream_.stream()));
  static_cast<void>(cudaGetLastError());
}

bool CudaSlot::capture_graph() {
  if (graph_) return true;
  auto graph = std::make_unique<at::cuda::CUDAGraph>();
  const bool captured = capture(
      // Other threads may go on using the device meanwhile.
      [&] {
        graph->capture_begin({0, 0}, cudaStreamCaptureModeThreadLocal);
      },
      [&] { record(true); }, [&] { graph->capture_end(); },
      [&] {
        cudaGraph_t partial = nullptr;
        if (cudaStreamEndCapture(stream_.stream(), &partial) == cudaSuccess && partial != nullptr) {
          static_cast<void>(cudaGraphDestroy(partial));
        }
        c10::cuda::CUDACachingAllocator::endAllocateToPool(stream_.device_index(), graph->pool());
      });
  if (captured) {
    graph_ = std::move(graph);
  } else {
    static_cast<void>(cudaGetLastError());
  }
  return captured;
}

inference::engine::DeviceAnswer CudaSlot::run(const inference::CloudInput* clouds,
                                              std::size_t count) {
  fill(clouds, count);
  if (graph_) {
    graph_->replay();
  } else {
    record(false);
  }
  stream_.synchronize();
  inference::engine::DeviceAnswer answer;
  answer.times.tree = moments_[0].milliseconds_until(moments_[1]);
  answer.times.network = moments_[1].milliseconds_until(moments_[2]);
  const auto* logits = logits_.host.const_data_ptr<float>();
  const std::int64_t per_cloud = logits_.host.numel() / shape_.clouds;
  answer.logits.assign(logits, logits + static_cast<std::int64_t>(count) * per_cloud);
  for (std::size_t i = 0; info_.segments && i < count; ++i) {
    answer.posed.push_back(posed(static_cast<std::int64_t>(i)));
  }
  return answer;
}

inference::PosedCloud CudaSlot::posed(std::int64_t cloud) const {
  const std::int64_t n = info_.points;
  device::PoseRecord record{};
  std::memcpy(&record, poses_.host.const_data_ptr<std::uint8_t>() + cloud * poses_.host.size(1),
              sizeof(record));
  geometry::PreAlignment pose;
  pose.points = Eigen::Map<const geometry::Points>(
      aligned_.host.const_data_ptr<float>() + cloud * n * 3, n, 3);
  pose.linear = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(record.linear);
  pose.translation = Eigen::Map<const Eigen::RowVector3d>(record.translation);
  pose.rank = record.rank;
  pose.tied = record.tied != 0;
  const auto* leaves = leaf_orders_.host.const_data_ptr<std::int32_t>() + cloud * n;
  const auto* numbers = planes_.host.const_data_ptr<double>() + cloud * (n - 1) * 4;
  std::vector<geometry::Plane> planes(static_cast<std::size_t>(n - 1));
  for (geometry::Plane& plane : planes) {
    plane = {Eigen::Vector3d(numbers[0], numbers[1], numbers[2]), numbers[3]};
    numbers += 4;
  }
  const Eigen::Map<const Eigen::Vector3d> centre(centres_.host.const_data_ptr<double>() +
                                                 cloud * 3);
  return {std::move(pose),
          geometry::RelaxedKdTree({leaves, leaves + n}, std::move(planes), centre,
                                  tied_nodes_.host.const_data_ptr<std::int32_t>()[cloud])};
}

}  // namespace pointtree::network::cuda
