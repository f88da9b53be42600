#pragma once

#include <memory>

#include "device_backend.hpp"

namespace pointtree::model::engine {

/// Makes a backend on a CUDA device from the library pointtree_cuda, which is loaded now if it was
/// not before; throws std::runtime_error saying what is missing: device, library or what that
/// needs.
std::unique_ptr<DeviceBackend> make_cuda_backend(const BackendRequest& request);

/// The function that pointtree_cuda exports under kMakeBackendSymbol.
using MakeBackend = DeviceBackend* (*)(const BackendRequest&);
inline constexpr const char* kMakeBackendSymbol = "pointtree_make_cuda_backend";

}  // namespace pointtree::model::engine
