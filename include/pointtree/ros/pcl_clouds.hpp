#pragma once

#include <pcl/common/io.h>
#include <pcl/point_cloud.h>
#include <pcl/point_types.h>

#include "pointtree/perception/cloud_view.hpp"
#include "pointtree/perception/frame_result.hpp"

/// PCL's clouds in and out, for programs that hook in without messages. A message becomes a
/// pcl::PointCloud by pcl_conversions.
namespace pointtree::ros {

/// The cloud as the pipeline takes it; its points stay where they are.
template <typename Point>
perception::RawCloud raw_cloud(const pcl::PointCloud<Point>& cloud) {
  perception::RawCloud raw;
  raw.height = cloud.height;
  raw.width = cloud.width;
  for (const pcl::PCLPointField& field : pcl::getFields<Point>()) {
    raw.fields.push_back(
        {field.name, field.offset, perception::FieldType{field.datatype}, field.count});
  }
  raw.point_step = sizeof(Point);
  raw.row_step = raw.point_step * cloud.width;
  raw.data = reinterpret_cast<const std::uint8_t*>(cloud.points.data());
  raw.size = cloud.size() * sizeof(Point);
  return raw;
}

/// The points with their classes for labels; kUnknownClass where there is none.
template <typename Point>
pcl::PointCloud<pcl::PointXYZL> labelled_cloud(const pcl::PointCloud<Point>& cloud,
                                               const perception::FrameResult& result) {
  pcl::PointCloud<pcl::PointXYZL> labelled;
  pcl::copyPointCloud(cloud, labelled);
  for (std::size_t i = 0; i < labelled.size(); ++i) labelled[i].label = result.labels[i].class_id;
  return labelled;
}

}  // namespace pointtree::ros
