#include "cuda_plugin.hpp"

#include <dlfcn.h>

#include <filesystem>
#include <string>

#include "pointtree/model/device.hpp"

namespace pointtree::model::engine {
namespace {

/// The plugin lies beside this library, in the build as installed.
std::filesystem::path plugin_path() {
  constexpr const char* kName = "libpointtree_cuda.so";
  Dl_info self{};
  if (dladdr(reinterpret_cast<const void*>(&plugin_path), &self) == 0 ||
      self.dli_fname == nullptr) {
    return kName;
  }
  return std::filesystem::absolute(self.dli_fname).parent_path() / kName;
}

MakeBackend open_plugin() {
  const std::filesystem::path path = plugin_path();
  if (!std::filesystem::exists(path)) {
    throw std::runtime_error("CUDA: " + path.string() +
                             " does not exist: this build has no CUDA part");
  }
  // Never closed: LibTorch's CUDA part can't be unloaded.
  void* plugin = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (plugin == nullptr) {
    throw std::runtime_error(std::string("CUDA: cannot load the CUDA part: ") + dlerror());
  }
  void* symbol = dlsym(plugin, kMakeBackendSymbol);
  if (symbol == nullptr) {
    throw std::runtime_error("CUDA: " + path.string() + " lacks " + kMakeBackendSymbol);
  }
  return reinterpret_cast<MakeBackend>(symbol);
}

MakeBackend plugin_for(int device) {
  std::string reason;
  const int devices = count_cuda_devices(&reason);
  if (devices == 0) throw std::runtime_error("CUDA: " + reason);
  if (device >= devices) {
    throw std::runtime_error("CUDA: device " + std::to_string(device) + " was asked for, there " +
                             (devices == 1 ? "is 1" : "are " + std::to_string(devices)));
  }
  static const MakeBackend kMake = open_plugin();
  return kMake;
}

}  // namespace

std::unique_ptr<DeviceBackend> make_cuda_backend(const BackendRequest& request) {
  return std::unique_ptr<DeviceBackend>(plugin_for(request.device)(request));
}

}  // namespace pointtree::model::engine

namespace pointtree::model {

void load_cuda(int device) { engine::plugin_for(device); }

}  // namespace pointtree::model
