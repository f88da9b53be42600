// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Geometry>
#include <atomic>
#include <cstdint>
#include <memory>
#include <rclcpp/rclcpp.hpp>
#include <string>
#include <tl/expected.hpp>

namespace pointtree::ros {

/// Transforms between frames by tf2, where the package was built with it.
class Transforms {
 public:
  explicit Transforms(rclcpp::Node& node);
  ~Transforms();
  Transforms(const Transforms&) = delete;
  Transforms& operator=(const Transforms&) = delete;

  /// Starts to listen to /tf and /tf_static; why there are none at all, or nothing.
  std::string listen();

  /// What takes points in `source` to `target` at that time (nanoseconds), or why there is none
  /// after so many seconds, or once stopped; after listen().
  tl::expected<Eigen::Isometry3d, std::string> find(const std::string& target,
                                                    const std::string& source, std::int64_t stamp,
                                                    double timeout);

  /// Lets a find() that waits return.
  void stop() { stopped_ = true; }

 private:
  class Listener;

  rclcpp::Node& node_;
  std::atomic<bool> stopped_ = false;
  std::unique_ptr<Listener> listener_;
};

}  // namespace pointtree::ros
