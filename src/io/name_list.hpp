// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pointtree::io {

/// A text in small letters.
std::string lower(std::string_view text);

/// The parts of a text between marks, without blanks at their ends. Empty parts stay, but for one
/// behind the last mark.
std::vector<std::string> split(const std::string& text, char mark);

/// The names in one text, "car, truck".
std::string joined(const std::vector<std::string>& names, const char* separator = ", ");

/// Ends a message about an unknown word: "; did you mean 'x'?" with the known word that is nearest
/// to it, or nothing where none is near.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& known);

}  // namespace pointtree::io
