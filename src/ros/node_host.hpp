// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Geometry>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "ros/input_watch.hpp"
#include "ros/outputs.hpp"

namespace pointtree::ros {

/// How much a message in the log matters.
enum class Severity { info, warning, error };

/// What listen_for_transforms() of a node without tf2 says.
constexpr const char* kNoTransforms =
    "this node has no tf2; publish the cloud in that frame instead";

/// What CloudNode needs of the ROS client library it runs on. All calls may come from any thread.
class NodeHost {
 public:
  NodeHost() = default;
  NodeHost(const NodeHost&) = delete;
  NodeHost& operator=(const NodeHost&) = delete;
  virtual ~NodeHost() = default;

  /// The node's name with its namespace.
  virtual std::string name() const = 0;

  /// Nanoseconds on the node's clock, simulated or not.
  virtual std::int64_t now() const = 0;

  virtual void log(Severity severity, const std::string& text) = 0;

  /// Whether anybody subscribes to the output.
  virtual bool wanted(Output output) const = 0;

  virtual void publish(Output output, OutputMessage message) = 0;

  /// The input's topic, with namespace and remaps.
  virtual std::string input_topic() const = 0;

  /// Who publishes on the input's topic, whatever it publishes.
  virtual std::vector<InputPublisher> input_publishers() const = 0;

  using CloudHandler = std::function<void(std::shared_ptr<const PointCloud2>)>;

  /// Subscribes to the input with this quality of service, instead of the subscription before.
  virtual void subscribe(const QosConfig& qos, CloudHandler handler) = 0;

  /// Clouds that the middleware lost so far, as far as it tells.
  virtual std::uint64_t lost() = 0;

  /// Starts to listen for transforms; why they can't be had at all, or nothing.
  virtual std::string listen_for_transforms() = 0;

  /// The transform that takes points in `source` to `target` at that time (nanoseconds), or why
  /// there is none after the timeout (seconds).
  virtual tl::expected<Eigen::Isometry3d, std::string> transform(const std::string& target,
                                                                 const std::string& source,
                                                                 std::int64_t stamp,
                                                                 double timeout) = 0;
};

}  // namespace pointtree::ros
