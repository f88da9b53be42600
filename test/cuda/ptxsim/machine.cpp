// SPDX-License-Identifier: Apache-2.0
#include "machine.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <set>
#include <utility>

namespace pointtree::ptxsim {
namespace {

std::string place_of(const Function& function, const Instruction& at) {
  return "line " + std::to_string(at.line) + " of " + function.name;
}

std::vector<std::uint32_t> count_up(std::uint32_t count) {
  std::vector<std::uint32_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0U);
  return numbers;
}

bool same_contents(const std::map<GlobalMemory::Address, Region>& a,
                   const std::map<GlobalMemory::Address, Region>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& one, const auto& two) {
    return one.first == two.first && one.second.bytes == two.second.bytes;
  });
}

}  // namespace

void Thread::run() {
  const Instruction* code = function.code.data();
  std::uint64_t* counts = machine.counts(function).data();
  while (state == State::running) {
    const std::uint32_t at = next++;
    const Instruction& instruction = code[at];
    ++counts[at];
    if (instruction.guard >= 0 && (registers[instruction.guard] != 0) == instruction.negated) {
      continue;
    }
    instruction.execute(*this, instruction);
  }
}

/// What the threads of a block work with, kept from block to block.
struct Machine::Storage {
  Storage(const Function& kernel, std::uint32_t threads, const std::vector<std::byte>& given)
      : frames(kernel.frame.size() * threads),
        locals(std::size_t{kernel.local_bytes} * threads),
        arguments(given) {}

  std::vector<std::uint64_t> frames;
  std::vector<std::byte> locals;
  std::vector<std::byte> parameters;
  const std::vector<std::byte>& arguments;
};

Machine::Counts& Machine::counts(const Function& function) {
  Counts& counts = executed_[&function];
  if (counts.empty()) counts.resize(function.code.size());
  return counts;
}

void Machine::arrange(std::vector<std::uint32_t>& order) {
  if (order_ == Order::random) std::shuffle(order.begin(), order.end(), random_);
}

void Machine::launch(const Function& kernel, const Grid& grid,
                     const std::vector<std::byte>& arguments) {
  clock_.separated = ++clock_.now;
  Storage storage(kernel, grid.threads, arguments);
  std::vector<std::uint32_t> blocks = count_up(grid.blocks);
  if (order_ == Order::reversed) std::reverse(blocks.begin(), blocks.end());
  arrange(blocks);
  try {
    for (const std::uint32_t block : blocks) run_block(kernel, grid, block, storage);
  } catch (const LaunchFailure& failure) {
    report(failure.what());
  }
}

void Machine::run_block(const Function& kernel, const Grid& grid, std::uint32_t block,
                        Storage& storage) {
  clock_.block = ++clock_.now;
  shared_ = Region(grid.shared_bytes);
  const std::size_t slots = kernel.frame.size();
  const std::size_t parameter_bytes = kernel.parameter_bytes;
  storage.parameters.resize(parameter_bytes * grid.threads);
  std::vector<Thread> threads;
  threads.reserve(grid.threads);
  for (std::uint32_t i = 0; i < grid.threads; ++i) {
    std::uint64_t* frame = storage.frames.data() + slots * i;
    std::copy(kernel.frame.begin(), kernel.frame.end(), frame);
    frame[Function::tid] = i;
    frame[Function::ctaid] = block;
    frame[Function::ntid] = grid.threads;
    frame[Function::nctaid] = grid.blocks;
    std::byte* parameters = storage.parameters.data() + parameter_bytes * i;
    std::copy(storage.arguments.begin(), storage.arguments.end(), parameters);
    threads.push_back({*this, kernel, frame,
                       storage.locals.data() + std::size_t{kernel.local_bytes} * i, parameters, i});
  }
  std::vector<std::uint32_t> order = count_up(grid.threads);
  if (order_ == Order::reversed) std::reverse(order.begin(), order.end());
  while (run_phase(threads, order)) ++clock_.now;
}

bool Machine::run_phase(std::vector<Thread>& threads, std::vector<std::uint32_t>& order) {
  arrange(order);
  std::set<std::uint32_t> barriers;
  bool some_finished = false;
  for (const std::uint32_t i : order) {
    Thread& thread = threads[i];
    if (thread.state == Thread::State::running) thread.run();
    if (thread.state == Thread::State::waiting) {
      barriers.insert(thread.next);
      thread.state = Thread::State::running;
    } else {
      some_finished = true;
    }
  }
  if (barriers.empty()) return false;
  const Function& kernel = threads.front().function;
  if (barriers.size() > 1 || some_finished) {
    throw LaunchFailure("threads part at the barrier in " +
                        place_of(kernel, kernel.code[*barriers.begin() - 1]));
  }
  return true;
}

void Machine::launch_mutants(const Function& kernel, const Grid& grid,
                             const std::vector<std::byte>& arguments) {
  static const Execute kBarrier = find_instruction("bar");
  const auto before = memory_.regions();
  const Counts earlier = counts(kernel);
  launch(kernel, grid, arguments);
  const auto after = memory_.regions();
  const Counts now = counts(kernel);
  const Reports reports = reports_;
  for (std::size_t i = 0; i < kernel.code.size(); ++i) {
    const Instruction& instruction = kernel.code[i];
    if (instruction.execute != kBarrier || now[i] == earlier[i]) continue;
    Barrier& barrier = barriers_[instruction.line];
    barrier.kernel = kernel.name;
    if (barrier.noticed) continue;
    removed_ = &instruction;
    memory_.restore(before);
    launch(kernel, grid, arguments);
    barrier.noticed = reports_ != reports || !same_contents(memory_.regions(), after);
    reports_ = reports;
  }
  removed_ = nullptr;
  memory_.restore(after);
}

void Machine::check_alignment(const Thread& thread, const Instruction& at, std::uint64_t address,
                              std::size_t size) {
  if (address % size != 0) {
    report("an address is not a multiple of " + std::to_string(size) + " in " +
           place_of(thread.function, at));
  }
}

void Machine::note(const char* wrong, const char* space, const Thread& thread,
                   const Instruction& at) {
  if (wrong == nullptr) return;
  report(std::string(space) + " memory: a thread " + wrong + " in " +
         place_of(thread.function, at));
  // Mutants need not go on.
  if (removed_ != nullptr) throw LaunchFailure("a mutant was noticed");
}

std::byte* Machine::global(const Thread& thread, const Instruction& at, std::uint64_t address,
                           std::size_t size, Access access) {
  const auto [region, offset] = memory_.find(address, size);
  if (region == nullptr) {
    throw LaunchFailure("global memory: out of bounds in " + place_of(thread.function, at));
  }
  check_alignment(thread, at, address, size);
  note(region->note(access, offset, size, thread.index, clock_), "global", thread, at);
  return region->bytes.data() + offset;
}

std::byte* Machine::shared(const Thread& thread, const Instruction& at, std::uint64_t address,
                           std::size_t size, Access access) {
  const std::uint64_t offset = address - kSharedWindow;
  if (offset > shared_.bytes.size() || size > shared_.bytes.size() - offset) {
    throw LaunchFailure("shared memory: out of bounds in " + place_of(thread.function, at));
  }
  check_alignment(thread, at, address, size);
  const Clock within_block{clock_.block, clock_.block, clock_.now};
  note(shared_.note(access, offset, size, thread.index, within_block), "shared", thread, at);
  return shared_.bytes.data() + offset;
}

std::byte* Machine::local(const Thread& thread, const Instruction& at, std::uint64_t address,
                          std::size_t size) {
  const std::uint64_t offset = address - kLocalWindow;
  const std::size_t bytes = thread.function.local_bytes;
  if (offset > bytes || size > bytes - offset) {
    throw LaunchFailure("local memory: out of bounds in " + place_of(thread.function, at));
  }
  check_alignment(thread, at, address, size);
  return thread.local + offset;
}

}  // namespace pointtree::ptxsim
