// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace pointtree::io {

/// The definition of a message type with those it refers to, in the form that bags keep (encoding
/// ros2msg), or an empty text for a type that is not known here.
std::string message_definition(std::string_view type);

}  // namespace pointtree::io
