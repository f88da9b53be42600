// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

// Memory of the simulated device, with a history of every word that tells races.
namespace pointtree::ptxsim {

enum class Access : std::uint8_t { read, write, add };

/// Phases between barriers are numbered over the whole run, block after block. Accesses in phases
/// before `separated` are over and done with, those since then and before `block` are another
/// block's, which has no order with this one.
struct Clock {
  std::uint32_t separated = 1;
  std::uint32_t block = 1;
  std::uint32_t now = 1;
};

/// What is remembered of the accesses to four bytes.
class WordHistory {
 public:
  /// Notes an access to some of the bytes, a bit each; returns what is wrong with it, or nullptr.
  const char* note(Access access, std::uint8_t bytes, std::uint32_t thread, const Clock& clock);

  void initialise(std::uint8_t bytes) { initialised_ |= bytes; }
  bool initialised(std::uint8_t bytes) const { return (bytes & ~initialised_) == 0; }

 private:
  struct Stamp {
    std::uint32_t phase = 0;
    std::uint16_t thread = 0;
    std::uint8_t bytes = 0;
    bool atomic : 1;
    bool several_threads : 1;  ///< in this phase
    bool several_blocks : 1;   ///< in this launch
  };

  static bool concurrent(const Stamp& stamp, std::uint8_t bytes, std::uint32_t thread,
                         const Clock& clock);
  void note_read(std::uint8_t bytes, std::uint32_t thread, const Clock& clock);

  Stamp write_{};
  Stamp read_{};
  std::uint8_t initialised_ = 0;
};

/// Bytes with their history.
struct Region {
  explicit Region(std::size_t size) : bytes(size, std::byte{0xC7}), history((size + 3) / 4) {}

  /// Notes an access to bytes that are within; returns the first thing that is wrong, or nullptr.
  const char* note(Access access, std::size_t offset, std::size_t size, std::uint32_t thread,
                   const Clock& clock);
  void initialise(std::size_t offset, std::size_t size);
  bool initialised(std::size_t offset, std::size_t size) const;

  std::vector<std::byte> bytes;
  std::vector<WordHistory> history;
};

/// Global memory. Its addresses mean nothing to the host.
class GlobalMemory {
 public:
  using Address = std::uint64_t;

  /// Where bytes are found.
  struct Place {
    Region* region = nullptr;
    std::size_t offset = 0;
  };

  /// Aligned to 256 bytes, as cudaMalloc does, and apart from all others.
  Address allocate(std::size_t size);
  /// False where nothing begins at the address.
  bool release(Address address) { return regions_.erase(address) != 0; }
  /// Where so many bytes from the address on are; no region where they are out of bounds.
  Place find(Address address, std::size_t size);

  const std::map<Address, Region>& regions() const { return regions_; }
  void restore(const std::map<Address, Region>& regions) { regions_ = regions; }

 private:
  Address next_ = Address{1} << 40;
  std::map<Address, Region> regions_;
};

}  // namespace pointtree::ptxsim
