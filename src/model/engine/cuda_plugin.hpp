#pragma once

#include <memory>

#include "device_backend.hpp"
#include "pointtree/geometry/pre_align.hpp"
#include "pointtree/geometry/relaxed_kd_tree.hpp"

namespace pointtree::model {
class CloudArranger;
}

namespace pointtree::model::engine {

/// Makes a backend on a CUDA device from the library pointtree_cuda, which is loaded now if it was
/// not before; throws std::runtime_error saying what is missing: device, library or what that
/// needs.
std::unique_ptr<DeviceBackend> make_cuda_backend(const BackendRequest& request);

/// What an arranger on a CUDA device is asked for.
struct ArrangerRequest {
  int device = 0;
  geometry::PreAlignMode mode = geometry::PreAlignMode::none;
  geometry::SplitRule rule = geometry::SplitRule::relaxed;
};

/// The functions that pointtree_cuda exports, and under which names.
using MakeBackend = DeviceBackend* (*)(const BackendRequest&);
using MakeArranger = CloudArranger* (*)(const ArrangerRequest&);
inline constexpr const char* kCudaLibrary = "libpointtree_cuda.so";
inline constexpr const char* kMakeBackendSymbol = "pointtree_make_cuda_backend";
inline constexpr const char* kMakeArrangerSymbol = "pointtree_make_cuda_arranger";

}  // namespace pointtree::model::engine
