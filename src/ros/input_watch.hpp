// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ros/node_config.hpp"

namespace pointtree::ros {

/// What the input takes.
constexpr const char* kInputType = "sensor_msgs/msg/PointCloud2";

/// A publisher on the input's topic, as discovery tells of it.
struct InputPublisher {
  std::string node;  ///< with its namespace
  std::string type;
  bool reliable = true;
  bool transient_local = false;
};

/// The reliability to ask for. `auto` is reliable, so that large clouds come whole, unless one of
/// the publishers offers only best effort, which a reliable input would not hear. With nobody
/// there it stays as it is.
std::string decide_reliability(const std::string& wanted, const std::string& current,
                               const std::vector<InputPublisher>& publishers);

/// Why no cloud arrives, as far as it can be seen; `asked` is what the input asks for now,
/// `socket_buffer` the system's limit in bytes (0: unknown).
std::string explain_silence(const QosConfig& asked, const std::vector<InputPublisher>& publishers,
                            std::int64_t socket_buffer);

/// The largest receive buffer that the system lets a socket have, in bytes; 0: unknown.
std::int64_t socket_buffer_limit();

/// Tells when clouds stop coming, and when they come again.
class SilenceWatch {
 public:
  enum class Event { none, silent, recovered };

  /// To be called again and again with the time (seconds) and the number of clouds so far.
  Event update(double now, std::uint64_t received, double timeout);

 private:
  double since_ = -1.0;  ///< time of the last change; before the first call none
  std::uint64_t received_ = 0;
  bool silent_ = false;
};

}  // namespace pointtree::ros
