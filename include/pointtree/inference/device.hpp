// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace pointtree::inference {

/// What was asked for with `device: auto | cpu | cuda:N`.
struct DeviceChoice {
  enum class Kind { automatic, cpu, cuda };
  Kind kind = Kind::automatic;
  int index = 0;  ///< of a CUDA device
};

/// Reads auto, cpu, cuda (the first) or cuda:N; throws std::invalid_argument naming the text and
/// the choices.
DeviceChoice parse_device(std::string_view text);

/// CUDA devices that the driver knows of; `reason` says why there are none. Asks the driver alone,
/// which is quick, and needs no part of CUDA to be installed.
int count_cuda_devices(std::string* reason = nullptr);

/// Loads the CUDA part of this library, and with it LibTorch's, so that tensors can be on CUDA
/// devices; throws std::runtime_error saying what is missing: device, library or what that needs.
void load_cuda(int device);

/// A function that a library of the CUDA part exports; the library lies beside this one and is
/// loaded now if it was not before. Throws like load_cuda.
void* cuda_function(int device, const std::string& library, const std::string& name);

}  // namespace pointtree::inference
