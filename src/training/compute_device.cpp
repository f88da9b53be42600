// SPDX-License-Identifier: Apache-2.0
#include "compute_device.hpp"

#include <ATen/autocast_mode.h>

#include <cstdlib>
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
  if (choice.kind == Kind::cpu) {
    if (config.amp) throw std::invalid_argument("run.amp: expected false on the CPU, found true");
    return c10::kCPU;
  }
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

MixedPrecision::MixedPrecision(bool wanted) : wanted_(wanted) {
  if (!wanted_) return;
  at::autocast::set_autocast_dtype(at::kCUDA, at::kBFloat16);
  at::autocast::set_autocast_enabled(at::kCUDA, true);
}

MixedPrecision::~MixedPrecision() {
  if (!wanted_) return;
  at::autocast::set_autocast_enabled(at::kCUDA, false);
  at::autocast::clear_cache();
}

}  // namespace pointtree::training
