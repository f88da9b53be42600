// SPDX-License-Identifier: Apache-2.0
#include "pointtree/inference/device.hpp"

#include <dlfcn.h>

#include <stdexcept>

#include "io/text_lines.hpp"

namespace pointtree::inference {
namespace {

constexpr std::string_view kCudaPrefix = "cuda:";
constexpr int kMostDevices = 1024;

int report(std::string* reason, const std::string& text) {
  if (reason != nullptr) *reason = text;
  return 0;
}

}  // namespace

DeviceChoice parse_device(std::string_view text) {
  if (text == "auto") return {};
  if (text == "cpu") return {DeviceChoice::Kind::cpu, 0};
  if (text == "cuda") return {DeviceChoice::Kind::cuda, 0};
  if (text.substr(0, kCudaPrefix.size()) == kCudaPrefix) {
    const auto index = io::parse_number<int>(text.substr(kCudaPrefix.size()));
    if (index && *index >= 0 && *index < kMostDevices) return {DeviceChoice::Kind::cuda, *index};
  }
  throw std::invalid_argument("device should be auto, cpu, cuda or cuda:N, is '" +
                              std::string(text) + "'");
}

int count_cuda_devices(std::string* reason) {
  void* driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (driver == nullptr) return report(reason, "no NVIDIA driver is installed");
  using Initialise = int (*)(unsigned);
  using Count = int (*)(int*);
  const auto initialise = reinterpret_cast<Initialise>(dlsym(driver, "cuInit"));
  const auto count = reinterpret_cast<Count>(dlsym(driver, "cuDeviceGetCount"));
  if (initialise == nullptr || count == nullptr) {
    return report(reason, "the NVIDIA driver lacks cuInit or cuDeviceGetCount");
  }
  if (const int error = initialise(0); error != 0) {
    return report(reason, "the NVIDIA driver does not start: error " + std::to_string(error));
  }
  int devices = 0;
  if (const int error = count(&devices); error != 0 || devices < 1) {
    return report(reason, "the NVIDIA driver finds no device");
  }
  return devices;
}

}  // namespace pointtree::inference
