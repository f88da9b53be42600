// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pointtree::io {

/// Ends a message about an unknown word: "; did you mean 'x'?" with the known word that is nearest
/// to it, or nothing where none is near.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& known);

}  // namespace pointtree::io
