// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>

#include "io/bag_readers.hpp"

namespace pointtree::io {
namespace {

tl::expected<OpenRosbag2, std::string> load() {
  Dl_info self{};
  if (dladdr(reinterpret_cast<const void*>(&rosbag2_plugin), &self) == 0) {
    return tl::unexpected(std::string("this program does not know where it is"));
  }
  const std::filesystem::path path =
      std::filesystem::absolute(self.dli_fname).parent_path() / "libpointtree_rosbag2.so";
  if (!std::filesystem::exists(path)) {
    return tl::unexpected(path.string() + " does not exist: built without rosbag2_cpp");
  }
  // Never closed: readers live on.
  void* plugin = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (plugin == nullptr) return tl::unexpected(std::string(dlerror()));
  void* symbol = dlsym(plugin, kOpenRosbag2Symbol);
  if (symbol == nullptr) return tl::unexpected(path.string() + " lacks " + kOpenRosbag2Symbol);
  return reinterpret_cast<OpenRosbag2>(symbol);
}

}  // namespace

tl::expected<OpenRosbag2, std::string> rosbag2_plugin() {
  static const auto kPlugin = load();
  return kPlugin;
}

}  // namespace pointtree::io
