// SPDX-License-Identifier: Apache-2.0
#include "cuda_plugin.hpp"

#include <dlfcn.h>

#include <filesystem>
#include <string>

#include "pointtree/inference/device.hpp"

namespace pointtree::inference {
namespace {

/// The libraries of the CUDA part lie beside this one, in the build as installed.
std::filesystem::path path_of(const std::string& library) {
  Dl_info self{};
  if (dladdr(reinterpret_cast<const void*>(&path_of), &self) == 0 || self.dli_fname == nullptr) {
    return library;
  }
  return std::filesystem::absolute(self.dli_fname).parent_path() / library;
}

// Never closed: LibTorch's CUDA part can't be unloaded. Opened again, it is the same library.
void* open_library(const std::filesystem::path& path) {
  if (!std::filesystem::exists(path)) {
    throw std::runtime_error("CUDA: " + path.string() +
                             " does not exist: this build has no CUDA part");
  }
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    throw std::runtime_error(std::string("CUDA: cannot load the CUDA part: ") + dlerror());
  }
  return library;
}

void check_device(int device) {
  std::string reason;
  const int devices = count_cuda_devices(&reason);
  if (devices == 0) throw std::runtime_error("CUDA: " + reason);
  if (device >= devices) {
    throw std::runtime_error("CUDA: device " + std::to_string(device) + " was asked for, there " +
                             (devices == 1 ? "is 1" : "are " + std::to_string(devices)));
  }
}

}  // namespace

void load_cuda(int device) {
  check_device(device);
  open_library(path_of(engine::kCudaLibrary));
}

void* cuda_function(int device, const std::string& library, const std::string& name) {
  check_device(device);
  const std::filesystem::path path = path_of(library);
  void* function = dlsym(open_library(path), name.c_str());
  if (function == nullptr) {
    throw std::runtime_error("CUDA: " + path.string() + " lacks " + name);
  }
  return function;
}

}  // namespace pointtree::inference

namespace pointtree::inference::engine {

std::unique_ptr<DeviceBackend> make_cuda_backend(const BackendRequest& request) {
  const auto make = reinterpret_cast<MakeBackend>(
      cuda_function(request.device, kCudaLibrary, kMakeBackendSymbol));
  return std::unique_ptr<DeviceBackend>(make(request));
}

}  // namespace pointtree::inference::engine
