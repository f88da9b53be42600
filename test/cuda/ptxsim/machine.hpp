// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "module.hpp"

// Runs kernels on the CPU, one block after the other and one thread after the other from barrier to
// barrier, and reports what no device has to put up with.
namespace pointtree::ptxsim {

enum class Order { ascending, reversed, random };

struct Grid {
  std::uint32_t blocks = 1;
  std::uint32_t threads = 1;
  std::size_t shared_bytes = 0;
};

/// A launch can't go on.
class LaunchFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Kinds of reports, each with how often it came.
using Reports = std::map<std::string, std::uint64_t>;

class Machine;

/// A thread at work.
struct Thread {
  enum class State : std::uint8_t { running, waiting, finished };

  Machine& machine;
  const Function& function;
  std::uint64_t* registers;
  std::byte* local;
  std::byte* parameters;
  std::uint32_t index;
  std::uint32_t next = 0;  ///< instruction
  std::uint32_t carry = 0;
  State state = State::running;

  /// Runs until the next barrier or the end.
  void run();
};

class Machine {
 public:
  Machine(Order order, std::uint64_t seed) : order_(order), random_(seed) {}

  GlobalMemory& memory() { return memory_; }
  const Reports& reports() const { return reports_; }
  void report(const std::string& what) { ++reports_[what]; }

  /// Runs a kernel to its end, or until something happens after which it means nothing.
  void launch(const Function& kernel, const Grid& grid, const std::vector<std::byte>& arguments);

  /// Runs the kernel and then, from the same memory, once for every barrier that was passed,
  /// without it. Such a mutant is noticed by a report or by other contents of memory. Memory and
  /// reports are left as by launch().
  void launch_mutants(const Function& kernel, const Grid& grid,
                      const std::vector<std::byte>& arguments);

  /// Of all kernels launched with mutants, by line: whether a mutant without it was noticed.
  struct Barrier {
    std::string kernel;
    bool noticed = false;
  };
  const std::map<std::uint32_t, Barrier>& barriers() const { return barriers_; }

  /// How often each instruction of the functions that ran was executed.
  using Counts = std::vector<std::uint64_t>;
  const std::map<const Function*, Counts>& executed() const { return executed_; }
  Counts& counts(const Function& function);

  // For instructions.
  std::byte* global(const Thread& thread, const Instruction& at, std::uint64_t address,
                    std::size_t size, Access access);
  std::byte* shared(const Thread& thread, const Instruction& at, std::uint64_t address,
                    std::size_t size, Access access);
  std::byte* local(const Thread& thread, const Instruction& at, std::uint64_t address,
                   std::size_t size);
  bool removed(const Instruction& barrier) const { return &barrier == removed_; }

 private:
  struct Storage;

  void run_block(const Function& kernel, const Grid& grid, std::uint32_t block, Storage& storage);
  /// Lets every thread run to the next barrier; false where all have finished.
  bool run_phase(std::vector<Thread>& threads, std::vector<std::uint32_t>& order);
  void arrange(std::vector<std::uint32_t>& order);
  void check_alignment(const Thread& thread, const Instruction& at, std::uint64_t address,
                       std::size_t size);
  void note(const char* wrong, const char* space, const Thread& thread, const Instruction& at);

  Order order_;
  std::mt19937_64 random_;
  GlobalMemory memory_;
  Region shared_{0};
  Clock clock_;
  Reports reports_;
  std::map<std::uint32_t, Barrier> barriers_;
  std::map<const Function*, Counts> executed_;
  const Instruction* removed_ = nullptr;
};

}  // namespace pointtree::ptxsim
