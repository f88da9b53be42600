// SPDX-License-Identifier: Apache-2.0
#include "ros/input_watch.hpp"

#include <spdlog/fmt/fmt.h>

#include <fstream>
#include <utility>

namespace pointtree::ros {
namespace {

const char* reliability(const InputPublisher& publisher) {
  return publisher.reliable ? "reliable" : "best_effort";
}

}  // namespace

std::string decide_reliability(const std::string& wanted, const std::string& current,
                               const std::vector<InputPublisher>& publishers) {
  if (wanted != "auto") return wanted;
  bool any = false;
  for (const InputPublisher& publisher : publishers) {
    if (publisher.type != kInputType) continue;
    if (!publisher.reliable) return "best_effort";
    any = true;
  }
  return any || current == "auto" ? "reliable" : current;
}

std::string explain_silence(const QosConfig& asked, const std::vector<InputPublisher>& publishers,
                            std::int64_t socket_buffer) {
  if (publishers.empty()) return "nobody publishes there";
  std::vector<std::string> reasons;
  for (const InputPublisher& publisher : publishers) {
    if (publisher.type != kInputType) {
      reasons.push_back(
          fmt::format("{} publishes {}, expected {}", publisher.node, publisher.type, kInputType));
    } else if (asked.reliability == "reliable" && !publisher.reliable) {
      reasons.push_back(fmt::format("{} offers best_effort, but input_qos.reliability is reliable",
                                    publisher.node));
    } else if (asked.durability == "transient_local" && !publisher.transient_local) {
      reasons.push_back(fmt::format(
          "{} offers volatile, but input_qos.durability is transient_local", publisher.node));
    } else {
      reasons.push_back(fmt::format(
          "{} publishes ({}), but nothing arrives: it sends nothing, or its clouds are lost, "
          "being larger than the socket's receive buffer (net.core.rmem_max is {}); see "
          "'Large clouds' in docs/robot.md",
          publisher.node, reliability(publisher),
          socket_buffer > 0 ? fmt::format("{} bytes", socket_buffer) : "not known"));
    }
  }
  return fmt::format("{}", fmt::join(reasons, "; "));
}

std::int64_t socket_buffer_limit() {
  std::ifstream file("/proc/sys/net/core/rmem_max");
  std::int64_t bytes = 0;
  return file >> bytes ? bytes : 0;
}

SilenceWatch::Event SilenceWatch::update(double now, std::uint64_t received, double timeout) {
  if (since_ < 0.0) since_ = now;
  if (received != received_) {
    received_ = received;
    since_ = now;
    return std::exchange(silent_, false) ? Event::recovered : Event::none;
  }
  if (silent_ || now - since_ < timeout) return Event::none;
  silent_ = true;
  return Event::silent;
}

}  // namespace pointtree::ros
