#include "device_tree_times.hpp"

#include <ATen/ops/empty.h>

#include <algorithm>
#include <chrono>
#include <limits>

#include "pointtree/inference/device.hpp"
#include "pointtree/network/cloud_arranger.hpp"

namespace pointtree::cli {
namespace {

double microseconds_now() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double, std::micro>(now).count();
}

// Reading one number waits for all that is in the stream before it.
void wait_for(const at::Tensor& result) { result.flatten()[0].item(); }

// The least time of `work` together with the wait for its result.
template <typename Work>
at::Tensor timed(double& least, const Work& work) {
  const double start = microseconds_now();
  at::Tensor result = work();
  wait_for(result);
  least = std::min(least, microseconds_now() - start);
  return result;
}

c10::Device device_of(const std::string& name) {
  const inference::DeviceChoice choice = inference::parse_device(name);
  if (choice.kind == inference::DeviceChoice::Kind::cpu) return c10::kCPU;
  inference::load_cuda(choice.index);
  return {c10::kCUDA, static_cast<c10::DeviceIndex>(choice.index)};
}

}  // namespace

DeviceTreeTimes time_on_device(const std::string& device,
                               const std::vector<geometry::Points>& clouds, int repeats) {
  const c10::Device where = device_of(device);
  const auto arranger = network::make_cloud_arranger(where, geometry::PreAlignMode::canonical,
                                                     geometry::SplitRule::relaxed);
  const auto points = static_cast<std::int64_t>(clouds.front().rows());
  const at::Tensor host =
      at::empty({static_cast<std::int64_t>(clouds.size()), points, 3}, at::kFloat);
  auto* place = host.mutable_data_ptr<float>();
  for (const geometry::Points& cloud : clouds) {
    place = std::copy_n(cloud.data(), cloud.size(), place);
  }
  constexpr double kNever = std::numeric_limits<double>::infinity();
  DeviceTreeTimes times{kNever, kNever, kNever};
  for (int r = 0; r < repeats; ++r) {
    const at::Tensor there = timed(times.upload_us, [&] { return host.to(where); });
    const at::Tensor posed = timed(times.pre_align_us, [&] { return arranger->pose(there); });
    timed(times.tree_us, [&] { return arranger->leaf_orders(posed); });
  }
  return times;
}

}  // namespace pointtree::cli
