#pragma once

#include <string>
#include <vector>

#include "pointtree/geometry/points.hpp"

namespace pointtree::cli {

/// Least wall times of a whole batch on a device, with nothing else on it.
struct DeviceTreeTimes {
  double upload_us = 0.0;
  double pre_align_us = 0.0;  ///< canonical
  double tree_us = 0.0;
};

/// Times poses and trees of equally large clouds on `device` (cpu, cuda or cuda:N); throws
/// std::runtime_error where it cannot be had.
DeviceTreeTimes time_on_device(const std::string& device,
                               const std::vector<geometry::Points>& clouds, int repeats);

}  // namespace pointtree::cli
