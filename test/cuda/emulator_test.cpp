// SPDX-License-Identifier: Apache-2.0
#include "cuda/emulator.hpp"

#include <gtest/gtest.h>

#include <functional>

// The emulator is a judge; these tests judge the judge.
namespace pointtree::geometry::cuda::test {
namespace {

using Phases = std::function<void(EmulatedBlock&, const CheckedArray<int>&)>;

/// A kernel of two blocks of four threads over a global array of eight ones.
struct Kernel {
  CheckedArray<int> array;
  Phases phases;

  std::uint32_t blocks() const { return 2; }
  std::uint32_t threads() const { return 4; }
  std::size_t shared_bytes() const { return 64; }
  void operator()(EmulatedBlock& block) const { phases(block, array); }
};

/// What the emulator says of a kernel; nothing where it finds nothing.
std::string verdict(const Phases& phases) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    Emulator device(seed);
    try {
      device.launch(Kernel{device.memory("array", std::vector<int>(8, 1)), phases});
    } catch (const Violation& violation) {
      return violation.what();
    }
  }
  return "";
}

std::size_t own(const EmulatedBlock& block, std::uint32_t thread) {
  return block.index() * 4 + thread;
}

TEST(Emulator, accepts_threads_that_keep_to_their_own_elements) {
  EXPECT_EQ(verdict([](EmulatedBlock& block, const CheckedArray<int>& array) {
              block.each_thread([&](std::uint32_t thread) { array[own(block, thread)] = 2; });
            }),
            "");
}

TEST(Emulator, accepts_reading_what_another_thread_wrote_in_an_earlier_phase) {
  EXPECT_EQ(verdict([](EmulatedBlock& block, const CheckedArray<int>&) {
              auto shared = block.shared<int>(4);
              block.each_thread([&](std::uint32_t thread) { shared[thread] = 1; });
              block.each_thread([&](std::uint32_t thread) {
                const int sum = shared[thread] + shared[(thread + 1) % 4];
                ASSERT_EQ(sum, 2);
              });
            }),
            "");
}

TEST(Emulator, finds_two_threads_writing_one_element) {
  EXPECT_NE(verdict([](EmulatedBlock& block, const CheckedArray<int>& array) {
              block.each_thread([&](std::uint32_t) { array[own(block, 0)] = 2; });
            }),
            "");
}

TEST(Emulator, finds_two_blocks_writing_one_element) {
  EXPECT_NE(verdict([](EmulatedBlock& block, const CheckedArray<int>& array) {
              block.each_thread([&](std::uint32_t thread) { array[thread] = 2; });
            }),
            "");
}

TEST(Emulator, finds_a_read_of_what_another_thread_writes_in_the_same_phase) {
  EXPECT_NE(verdict([](EmulatedBlock& block, const CheckedArray<int>& array) {
              block.each_thread([&](std::uint32_t thread) {
                const int next = array[own(block, (thread + 1) % 4)];
                array[own(block, thread)] = next;
              });
            }),
            "");
}

TEST(Emulator, finds_a_read_between_phases_of_what_the_next_phase_writes) {
  EXPECT_NE(
      verdict([](EmulatedBlock& block, const CheckedArray<int>& array) {
        const int value = array[own(block, 0)];
        block.each_thread([&](std::uint32_t thread) { array[own(block, thread)] = value + 1; });
      }),
      "");
}

TEST(Emulator, finds_a_block_reading_what_another_writes) {
  EXPECT_NE(verdict([](EmulatedBlock& block, const CheckedArray<int>& array) {
              block.each_thread([&](std::uint32_t thread) {
                const int theirs = array[thread];
                if (block.index() == 0) array[thread] = theirs + 1;
              });
            }),
            "");
}

TEST(Emulator, accepts_additions_by_all_threads_and_finds_a_read_among_them) {
  EXPECT_EQ(verdict([](EmulatedBlock& block, const CheckedArray<int>& array) {
              block.each_thread([&](std::uint32_t) { block.add(array, 0, 1); });
            }),
            "");
  EXPECT_NE(verdict([](EmulatedBlock& block, const CheckedArray<int>& array) {
              block.each_thread([&](std::uint32_t) {
                block.add(array, 0, 1);
                static_cast<void>(static_cast<int>(array[0]));
              });
            }),
            "");
}

TEST(Emulator, finds_what_was_never_written_and_what_is_out_of_range) {
  EXPECT_NE(verdict([](EmulatedBlock& block, const CheckedArray<int>& array) {
              auto shared = block.shared<int>(4);
              block.each_thread([&](std::uint32_t thread) {
                array[own(block, thread)] = static_cast<int>(shared[thread]);
              });
            }),
            "");
  EXPECT_NE(verdict([](EmulatedBlock& block, const CheckedArray<int>& array) {
              block.each_thread([&](std::uint32_t thread) { array[own(block, thread) + 1] = 2; });
            }),
            "");
}

TEST(Emulator, finds_more_shared_memory_than_was_reserved) {
  EXPECT_NE(verdict([](EmulatedBlock& block, const CheckedArray<int>&) { block.shared<int>(17); }),
            "");
}

}  // namespace
}  // namespace pointtree::geometry::cuda::test
