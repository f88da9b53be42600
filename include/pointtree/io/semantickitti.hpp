// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "pointtree/geometry/points.hpp"
#include "pointtree/io/read_limits.hpp"

namespace pointtree::io {

/// The 19 classes that SemanticKITTI's single-scan benchmark evaluates, in its order.
const std::vector<std::string>& semantickitti_classes();

/// Index into semantickitti_classes() of a label's semantic number (0 to 259); moving things are
/// of the class of standing ones. −1 for what the benchmark leaves out: unlabelled, outlier, other
/// structure, other object, and numbers it does not know.
int semantickitti_class(std::uint32_t semantic);

/// A labelled scan. All vectors have one entry per point.
struct LabelledScan {
  geometry::Points points;              ///< metres, in the sensor's frame
  std::vector<float> intensity;         ///< 0 to 1
  std::vector<std::uint16_t> semantic;  ///< as stored; see semantickitti_class
  std::vector<std::uint16_t> instance;  ///< number of the thing within its class; 0: none
  std::vector<std::int32_t> class_labels() const;  ///< semantickitti_class of every point
};

/// The label file of a scan, `labels/NNNNNN.label` beside `velodyne/NNNNNN.bin`.
std::filesystem::path semantickitti_label_file(const std::filesystem::path& scan);

/// Reads a scan `velodyne/NNNNNN.bin` with its labels. Throws ReadError naming the file, what was
/// expected and what was found: no label file, sizes that are no whole points, another number of
/// labels than points, coordinates that are not finite.
LabelledScan read_semantickitti(const std::filesystem::path& scan, const ReadLimits& limits = {});

/// The scans of a sequence's folder, `velodyne/*.bin`, by name. Throws ReadError where there are
/// none.
std::vector<std::filesystem::path> semantickitti_scans(const std::filesystem::path& sequence);

}  // namespace pointtree::io
