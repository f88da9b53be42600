// SPDX-License-Identifier: Apache-2.0
#include "compute_device.hpp"

#include <ATen/autocast_mode.h>
#include <malloc.h>

#include <cstdlib>
#include <limits>
#include <stdexcept>
#include <string>

#include "pointtree/inference/device.hpp"

namespace pointtree::training {

c10::Device compute_device(const RunConfig& config, int processes) {
  using Kind = inference::DeviceChoice::Kind;
  inference::DeviceChoice choice;
  try {
    choice = inference::parse_device(config.device);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(std::string("run.device: ") + error.what());
  }
  if (choice.kind == Kind::automatic && (processes > 1 || inference::count_cuda_devices() == 0)) {
    choice.kind = Kind::cpu;
  }
  if (choice.kind == Kind::cpu) return c10::kCPU;
  if (processes > 1) {
    if (config.device != "cuda") {
      throw std::invalid_argument(
          "run.device: expected cpu or cuda for a run of several processes, found " +
          config.device);
    }
    const char* local_rank = std::getenv("LOCAL_RANK");
    if (local_rank == nullptr) {
      throw std::invalid_argument("LOCAL_RANK: expected beside WORLD_SIZE, found nothing");
    }
    choice = inference::parse_device("cuda:" + std::string(local_rank));
  }
  inference::load_cuda(choice.index);
  return {c10::kCUDA, static_cast<c10::DeviceIndex>(choice.index)};
}

at::Tensor on_device(const at::Tensor& tensor, c10::Device device) {
  return tensor.defined() ? tensor.to(device) : tensor;
}

void keep_freed_memory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
  mallopt(M_TOP_PAD, 1 << 28);
#endif
}

MixedPrecision::MixedPrecision(bool wanted, c10::DeviceType device)
    : wanted_(wanted), device_(device) {
  if (!wanted_) return;
  at::autocast::set_autocast_dtype(device_, at::kBFloat16);
  at::autocast::set_autocast_enabled(device_, true);
}

MixedPrecision::~MixedPrecision() {
  if (!wanted_) return;
  at::autocast::set_autocast_enabled(device_, false);
  at::autocast::clear_cache();
}

}  // namespace pointtree::training
