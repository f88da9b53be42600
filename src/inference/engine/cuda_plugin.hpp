// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "device_backend.hpp"

namespace pointtree::inference::engine {

/// Makes a backend on a CUDA device from the library pointtree_cuda, which is loaded now if it was
/// not before; throws std::runtime_error saying what is missing: device, library or what that
/// needs.
std::unique_ptr<DeviceBackend> make_cuda_backend(const BackendRequest& request);

/// What pointtree_cuda exports for inference, and under which name.
using MakeBackend = DeviceBackend* (*)(const BackendRequest&);
inline constexpr const char* kCudaLibrary = "libpointtree_cuda.so";
inline constexpr const char* kMakeBackendSymbol = "pointtree_make_cuda_backend";

}  // namespace pointtree::inference::engine
