// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

namespace pointtree::ptxsim {

/// The PTX of a fat binary as nvcc embeds it and the runtime gets to register it, by architecture
/// (75 for compute capability 7.5). Throws std::runtime_error where it is not as expected.
std::map<unsigned, std::string> embedded_ptx(const void* registered);

}  // namespace pointtree::ptxsim
