// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "geometry/cuda/block.hpp"

// Runs kernels on the CPU: blocks one after the other in random order, the threads of every phase
// in random order, and every access checked.
namespace pointtree::geometry::cuda::test {

/// Where the emulated device is: which launch, block, phase and thread. Phases count over the whole
/// run.
struct Position {
  std::uint64_t launch = 0;
  std::uint64_t phase = 0;
  std::uint32_t block = 0;
  std::uint32_t thread = 0;
};

/// What a block does between phases, all of its threads do, with nothing to separate it from the
/// phase that follows.
constexpr std::uint32_t kEveryThread = ~0U;

/// What breaks the rules of the device.
class Violation : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An element's last users.
struct Shadow {
  Position writer;
  Position reader;
  bool written = false;
  bool read = false;
  bool read_by_several = false;  ///< threads of the reader's phase
  bool read_by_blocks = false;   ///< blocks of the reader's launch
  bool added = false;            ///< the last write was an atomic addition
};

/// Elements on the emulated device, each with its shadow.
template <typename T>
class Memory {
 public:
  Memory(std::string name, std::size_t count, const Position& position, bool is_shared)
      : name_(std::move(name)),
        values_(count),
        shadows_(count),
        position_(position),
        is_shared_(is_shared) {}

  T load(std::size_t i) {
    Shadow& shadow = at(i);
    if (!shadow.written) fail(i, "is read but was never written");
    if (concurrent(shadow.writer)) fail(i, "is read while another thread writes it");
    note_read(shadow);
    return values_[i];
  }

  void store(std::size_t i, const T& value) {
    Shadow& shadow = at(i);
    check_writers(i, shadow);
    shadow.added = false;
    note_write(shadow);
    values_[i] = value;
  }

  void add(std::size_t i, const T& value) {
    Shadow& shadow = at(i);
    if (!shadow.written) fail(i, "is added to but was never written");
    if (!shadow.added) check_writers(i, shadow);
    if (shadow.read && concurrent_reader(shadow)) fail(i, "is added to while it is read");
    shadow.added = true;
    note_write(shadow);
    values_[i] += value;
  }

  /// The host's view.
  std::vector<T>& values() { return values_; }
  void set(const std::vector<T>& values) {
    values_ = values;
    for (Shadow& shadow : shadows_) shadow.written = true;
  }

 private:
  /// Whether an access by `other` and one now have no order between them.
  bool concurrent(const Position& other) const {
    if (other.launch != position_.launch) return false;
    if (other.block != position_.block) return !is_shared_;
    return other.phase == position_.phase && other.thread != position_.thread;
  }

  bool concurrent_reader(const Shadow& shadow) const {
    if (shadow.read_by_blocks && shadow.reader.launch == position_.launch) return true;
    if (shadow.read_by_several && shadow.reader.phase == position_.phase) return true;
    return concurrent(shadow.reader);
  }

  void check_writers(std::size_t i, const Shadow& shadow) const {
    if (shadow.written && concurrent(shadow.writer)) fail(i, "is written by two threads at a time");
    if (shadow.read && concurrent_reader(shadow))
      fail(i, "is written while another thread reads it");
  }

  void note_read(Shadow& shadow) const {
    const bool same_launch = shadow.read && shadow.reader.launch == position_.launch;
    const bool same_phase = same_launch && shadow.reader.phase == position_.phase;
    shadow.read_by_blocks =
        same_launch && (shadow.read_by_blocks || shadow.reader.block != position_.block);
    shadow.read_by_several =
        same_phase && (shadow.read_by_several || shadow.reader.thread != position_.thread);
    shadow.read = true;
    shadow.reader = position_;
  }

  void note_write(Shadow& shadow) const {
    shadow.written = true;
    shadow.writer = position_;
  }

  Shadow& at(std::size_t i) {
    if (i >= shadows_.size()) fail(i, "is out of range");
    return shadows_[i];
  }

  [[noreturn]] void fail(std::size_t i, const std::string& what) const {
    throw Violation(name_ + "[" + std::to_string(i) + "] of " + std::to_string(values_.size()) +
                    " " + what + " (launch " + std::to_string(position_.launch) + ", block " +
                    std::to_string(position_.block) + ", thread " +
                    std::to_string(position_.thread) + ")");
  }

  std::string name_;
  std::vector<T> values_;
  std::vector<Shadow> shadows_;
  const Position& position_;
  bool is_shared_;
};

/// A handle to memory, used as a pointer is on the device.
template <typename T>
class CheckedArray {
 public:
  class Element {
   public:
    Element(Memory<T>& memory, std::size_t i) : memory_(memory), i_(i) {}
    operator T() const { return memory_.load(i_); }   // NOLINT(google-explicit-constructor)
    const Element& operator=(const T& value) const {  // NOLINT(misc-unconventional-assign-operator)
      memory_.store(i_, value);
      return *this;
    }
    Element(const Element&) = default;
    Element& operator=(const Element&) = delete;

   private:
    Memory<T>& memory_;
    std::size_t i_;
  };

  CheckedArray() = default;
  explicit CheckedArray(std::shared_ptr<Memory<T>> memory) : memory_(std::move(memory)) {}

  Element operator[](std::size_t i) const { return {*memory_, i}; }
  Memory<T>& memory() const { return *memory_; }
  std::vector<T>& values() const { return memory_->values(); }

 private:
  std::shared_ptr<Memory<T>> memory_;
};

/// One emulated block.
class EmulatedBlock {
 public:
  template <typename T>
  using Array = CheckedArray<std::remove_const_t<T>>;

  EmulatedBlock(std::uint32_t threads, std::size_t shared_bytes, Position& position,
                std::mt19937_64& random)
      : shared_bytes_(shared_bytes), position_(position), random_(random), order_(threads) {
    std::iota(order_.begin(), order_.end(), 0U);
  }

  std::uint32_t index() const { return position_.block; }

  template <typename T>
  CheckedArray<T> shared(std::size_t count) {
    used_.shared<T>(count);
    if (used_.bytes() > shared_bytes_) {
      throw Violation("a block takes " + std::to_string(used_.bytes()) +
                      " bytes of shared memory, " + std::to_string(shared_bytes_) +
                      " were reserved");
    }
    const std::string name = "shared array at byte " + std::to_string(used_.bytes());
    return CheckedArray<T>(std::make_shared<Memory<T>>(name, count, position_, true));
  }

  template <typename Phase>
  void each_thread(const Phase& phase) {
    std::shuffle(order_.begin(), order_.end(), random_);
    for (const std::uint32_t thread : order_) {
      position_.thread = thread;
      phase(thread);
    }
    ++position_.phase;
    position_.thread = kEveryThread;
  }

  template <typename T>
  void add(const CheckedArray<T>& array, std::size_t i, T value) {
    array.memory().add(i, value);
  }

 private:
  std::size_t shared_bytes_;
  Position& position_;
  std::mt19937_64& random_;
  std::vector<std::uint32_t> order_;
  SharedBytes used_;
};

/// The emulated device: memory and launches.
class Emulator {
 public:
  using Block = EmulatedBlock;

  /// What any device from compute capability 7.5 on grants.
  static constexpr std::size_t kSharedLimit = 48 << 10;

  explicit Emulator(std::uint64_t seed) : random_(seed) {}

  /// Uninitialised memory.
  template <typename T>
  CheckedArray<T> memory(const std::string& name, std::size_t count) {
    return CheckedArray<T>(std::make_shared<Memory<T>>(name, count, position_, false));
  }

  /// Memory with contents.
  template <typename T>
  CheckedArray<T> memory(const std::string& name, const std::vector<T>& values) {
    CheckedArray<T> array = memory<T>(name, values.size());
    array.memory().set(values);
    return array;
  }

  template <typename Body>
  void launch(const Body& body) {
    if (body.threads() == 0 || body.threads() > kMostThreads || body.blocks() == 0 ||
        body.shared_bytes() > kSharedLimit) {
      throw Violation("a launch of " + std::to_string(body.blocks()) + " blocks of " +
                      std::to_string(body.threads()) + " threads with " +
                      std::to_string(body.shared_bytes()) + " bytes would be refused");
    }
    ++position_.launch;
    std::vector<std::uint32_t> order(body.blocks());
    std::iota(order.begin(), order.end(), 0U);
    std::shuffle(order.begin(), order.end(), random_);
    for (const std::uint32_t index : order) {
      position_.block = index;
      position_.thread = kEveryThread;
      ++position_.phase;
      EmulatedBlock block(body.threads(), body.shared_bytes(), position_, random_);
      body(block);
    }
    ++launches_;
  }

  int launches() const { return launches_; }

 private:
  Position position_;
  std::mt19937_64 random_;
  int launches_ = 0;
};

}  // namespace pointtree::geometry::cuda::test
