// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pointtree/io/byte_view.hpp"
#include "pointtree/io/cloud_file.hpp"

namespace pointtree::io {

/// Reads points written as lines of numbers, separated by spaces, commas or semicolons; lines that
/// begin with '#' or
/// '//' and a first line with a single count (.pts) are passed over. Columns: x y z · x y z
/// intensity · x y z r g b · x y z intensity r g b (colours from 0 to 255); any other number of
/// columns gives coordinates only. Throws ReadError.
Cloud parse_text_cloud(ByteView file, const ReadLimits& limits = {});

}  // namespace pointtree::io
