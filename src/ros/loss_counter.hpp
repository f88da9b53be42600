// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rmw/types.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>

namespace pointtree::ros {

/// Counts the clouds that were sent and never taken, as far as the middleware lets it be seen.
///
/// Where messages carry their publisher's sequence number (Fast DDS, Zenoh), gaps are counted.
/// Cyclone DDS gives none and reports neither lost pieces nor overwritten messages, but it tells of
/// every arrival: what arrives while as many wait as the history holds overwrites the oldest. It
/// announces a publisher's end alike, which counts as a loss where a cloud still waits by then.
class LossCounter {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::seconds kPatience{2};

  /// A new subscription; what waited in the one before is lost.
  void restart(std::size_t depth) {
    const std::lock_guard lock(mutex_);
    overwritten_ += std::max<std::int64_t>(waiting_, 0);
    waiting_ = 0;
    depth_ = static_cast<std::int64_t>(depth);
    moved_ = Clock::now();
  }

  void arrived(std::size_t count) {
    const std::lock_guard lock(mutex_);
    waiting_ += static_cast<std::int64_t>(count);
    overwritten_ += std::max<std::int64_t>(waiting_ - depth_, 0);
    waiting_ = std::min(waiting_, depth_);
    moved_ = Clock::now();
  }

  /// To be called just before a message is taken.
  void taking() {
    const std::lock_guard lock(mutex_);
    moved_ = Clock::now();
    // One that was not announced: it is taken before that, or waited after all, or there is none.
    std::int64_t& from = waiting_ > 0 || presumed_ == 0 ? waiting_ : presumed_;
    unannounced_ = waiting_ <= 0 && from >= 0 ? &from : nullptr;
    from = std::max<std::int64_t>(from - 1, -1);
  }

  /// There was none to take; if one was announced, that was a publisher's end.
  void found_none() {
    const std::lock_guard lock(mutex_);
    if (unannounced_ != nullptr) ++*unannounced_;
    unannounced_ = nullptr;
  }

  void taken(const rmw_message_info_t& info) {
    if (info.publication_sequence_number == RMW_MESSAGE_INFO_SEQUENCE_NUMBER_UNSUPPORTED) return;
    const std::lock_guard lock(mutex_);
    numbered_ = true;
    const auto* gid = reinterpret_cast<const char*>(info.publisher_gid.data);
    std::uint64_t& next =
        next_.try_emplace({gid, RMW_GID_STORAGE_SIZE}, info.publication_sequence_number)
            .first->second;
    if (info.publication_sequence_number < next) return;
    skipped_ += info.publication_sequence_number - next;
    next = info.publication_sequence_number + 1;
  }

  /// The clouds lost so far. What arrives between taking() and the take itself may overwrite the
  /// cloud that was to be taken; it then seems to wait for ever. So what waits while nothing moves
  /// for a while is presumed lost, until it is taken after all.
  std::uint64_t lost(Clock::time_point now = Clock::now()) {
    const std::lock_guard lock(mutex_);
    if (waiting_ > 0 && now - moved_ > kPatience) {
      presumed_ += waiting_;
      waiting_ = 0;
    }
    return numbered_ ? skipped_ : static_cast<std::uint64_t>(overwritten_ + presumed_);
  }

 private:
  std::mutex mutex_;
  std::int64_t depth_ = 1;
  std::int64_t waiting_ = 0;
  std::int64_t overwritten_ = 0;
  std::int64_t presumed_ = 0;  ///< lost
  std::int64_t* unannounced_ =
      nullptr;  ///< where the cloud being taken was counted off, if it was not announced
  Clock::time_point moved_ = Clock::now();
  bool numbered_ = false;
  std::map<std::string, std::uint64_t> next_;  ///< by publisher, the number of its next message
  std::uint64_t skipped_ = 0;
};

}  // namespace pointtree::ros
