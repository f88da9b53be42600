// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>

#include "pointtree/io/bag.hpp"

namespace pointtree::io {

/// Adds a finding in words; a bag that is wrong throughout must not fill the memory with its
/// description.
inline void note(BagReport& report, const std::string& what) {
  constexpr std::size_t kMaxNotes = 16;
  if (report.notes.size() == kMaxNotes) return;
  if (std::find(report.notes.begin(), report.notes.end(), what) == report.notes.end())
    report.notes.push_back(what);
}

}  // namespace pointtree::io
