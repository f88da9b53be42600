// SPDX-License-Identifier: Apache-2.0
#include "memory.hpp"

namespace pointtree::ptxsim {
namespace {

/// Which bytes of word `word` are within so many from `offset` on.
std::uint8_t bytes_of(std::size_t word, std::size_t offset, std::size_t size) {
  unsigned bytes = 0xF;
  if (word == offset / 4) bytes &= 0xFU << offset % 4;
  if (word == (offset + size - 1) / 4) bytes &= 0xFU >> (3 - (offset + size - 1) % 4);
  return static_cast<std::uint8_t>(bytes);
}

}  // namespace

bool WordHistory::concurrent(const Stamp& stamp, std::uint8_t bytes, std::uint32_t thread,
                             const Clock& clock) {
  if ((stamp.bytes & bytes) == 0 || stamp.phase < clock.separated) return false;
  if (stamp.phase < clock.block || stamp.several_blocks) return true;
  return stamp.phase == clock.now && (stamp.thread != thread || stamp.several_threads);
}

void WordHistory::note_read(std::uint8_t bytes, std::uint32_t thread, const Clock& clock) {
  const bool same_launch = read_.phase >= clock.separated;
  const bool same_phase = read_.phase == clock.now;
  read_.several_blocks = same_launch && (read_.several_blocks || read_.phase < clock.block);
  read_.several_threads = same_phase && (read_.several_threads || read_.thread != thread);
  read_.bytes = same_launch ? read_.bytes | bytes : bytes;
  read_.phase = clock.now;
  read_.thread = static_cast<std::uint16_t>(thread);
}

const char* WordHistory::note(Access access, std::uint8_t bytes, std::uint32_t thread,
                              const Clock& clock) {
  const char* wrong = nullptr;
  if (access != Access::write && !initialised(bytes)) wrong = "reads what was never written";
  const bool both_add = access == Access::add && write_.atomic;
  if (!both_add && concurrent(write_, bytes, thread, clock)) {
    wrong = access == Access::read ? "reads what another thread writes"
                                   : "writes what another thread writes";
  }
  if (access == Access::read) {
    note_read(bytes, thread, clock);
    return wrong;
  }
  if (concurrent(read_, bytes, thread, clock)) wrong = "writes what another thread reads";
  write_ = {clock.now, static_cast<std::uint16_t>(thread), bytes, access == Access::add, false,
            false};
  initialise(bytes);
  return wrong;
}

const char* Region::note(Access access, std::size_t offset, std::size_t size, std::uint32_t thread,
                         const Clock& clock) {
  const char* wrong = nullptr;
  for (std::size_t word = offset / 4; word <= (offset + size - 1) / 4; ++word) {
    const char* found = history[word].note(access, bytes_of(word, offset, size), thread, clock);
    if (wrong == nullptr) wrong = found;
  }
  return wrong;
}

void Region::initialise(std::size_t offset, std::size_t size) {
  for (std::size_t word = offset / 4; size > 0 && word <= (offset + size - 1) / 4; ++word) {
    history[word].initialise(bytes_of(word, offset, size));
  }
}

bool Region::initialised(std::size_t offset, std::size_t size) const {
  for (std::size_t word = offset / 4; size > 0 && word <= (offset + size - 1) / 4; ++word) {
    if (!history[word].initialised(bytes_of(word, offset, size))) return false;
  }
  return true;
}

GlobalMemory::Address GlobalMemory::allocate(std::size_t size) {
  constexpr Address kAlignment = 256;
  const Address address = next_;
  next_ += (size / kAlignment + 2) * kAlignment;
  regions_.emplace(address, size);
  return address;
}

GlobalMemory::Place GlobalMemory::find(Address address, std::size_t size) {
  auto after = regions_.upper_bound(address);
  if (after == regions_.begin()) return {};
  auto& [begin, region] = *--after;
  const std::size_t offset = address - begin;
  if (offset > region.bytes.size() || size > region.bytes.size() - offset) return {};
  return {&region, offset};
}

}  // namespace pointtree::ptxsim
