// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pcl/common/io.h>
#include <pcl/point_cloud.h>
#include <pcl/point_types.h>

#include "pointtree/io/point_cloud2.hpp"

/// PCL's clouds for programs that hook in without messages. A message becomes a pcl::PointCloud by
/// pcl_conversions.
namespace pointtree::ros {

/// The cloud as the pipeline takes it; its points stay where they are.
template <typename Point>
io::PointCloud2Message raw_cloud(const pcl::PointCloud<Point>& cloud) {
  io::PointCloud2Message raw;
  raw.height = cloud.height;
  raw.width = cloud.width;
  for (const pcl::PCLPointField& field : pcl::getFields<Point>()) {
    raw.fields.push_back({field.name, field.offset, io::ScalarType{field.datatype}, field.count});
  }
  raw.point_step = sizeof(Point);
  raw.row_step = raw.point_step * cloud.width;
  raw.data = {reinterpret_cast<const std::uint8_t*>(cloud.points.data()),
              cloud.size() * sizeof(Point)};
  return raw;
}

}  // namespace pointtree::ros
