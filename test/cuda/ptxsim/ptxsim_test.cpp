// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numeric>

#include "machine.hpp"

// The simulator judges kernels; here kernels of a few lines judge the simulator.
namespace pointtree::ptxsim {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Key;

/// A kernel that finds the address of an array in %array, its thread in %t, its block in %b and
/// that of its own number in %mine; blocks have four threads.
std::string kernel(const std::string& body) {
  return R"(.version 9.0
.target sm_120
.address_size 64
.extern .shared .align 16 .b8 memory[];
.global .align 8 .b8 table[8] = {1, 0, 0, 0, 7, 0, 0, 0};
.func (.param .b32 result) twice (.param .b32 value)
{
  .reg .b32 %r<2>;
  ld.param.u32 %r0, [value];  // a comment; with a semicolon
  add.s32 %r1, %r0, %r0;
  st.param.b32 [result], %r1;
  ret;
}
.visible .entry kernel(.param .u64 array)
.maxntid 4
{
  .local .align 8 .b8 depot[16];
  .reg .pred %p<3>;
  .reg .b32 %r<9>, %t, %b, %own, %s, %next;
  .reg .f32 %f<3>;
  .reg .f64 %fd<5>;
  .reg .b64 %rd<9>, %array, %mine;
  ld.param.u64 %array, [array];
  cvta.to.global.u64 %array, %array;
  mov.u32 %t, %tid.x;
  mov.u32 %b, %ctaid.x;
  mad.lo.s32 %own, %b, 4, %t;
  mad.wide.u32 %mine, %own, 4, %array;
  mov.u32 %s, memory;
  mad.lo.s32 %s, %t, 4, %s;
  xor.b32 %next, %s, 4;
)" + body +
         "\n  ret;\n}\n";
}

struct Result {
  std::vector<std::uint32_t> values;
  Reports reports;
  std::map<std::uint32_t, Machine::Barrier> barriers;
};

/// Runs a kernel of two blocks on eight numbers, 100 to 107.
Result run(const std::string& body, Order order = Order::random, bool mutants = false) {
  Machine machine(order, 1);
  const Module module(kernel(body), machine.memory());
  std::vector<std::uint32_t> values(8);
  std::iota(values.begin(), values.end(), 100U);
  constexpr std::size_t kBytes = 8 * sizeof(std::uint32_t);
  const GlobalMemory::Address address = machine.memory().allocate(kBytes);
  Region& region = *machine.memory().find(address, kBytes).region;
  std::memcpy(region.bytes.data(), values.data(), kBytes);
  region.initialise(0, kBytes);
  std::vector<std::byte> arguments(sizeof(address));
  std::memcpy(arguments.data(), &address, sizeof(address));
  const Function& function = module.functions().at("kernel");
  const Grid grid{2, 4, 16};
  mutants ? machine.launch_mutants(function, grid, arguments)
          : machine.launch(function, grid, arguments);
  std::memcpy(values.data(), machine.memory().find(address, kBytes).region->bytes.data(), kBytes);
  return {values, machine.reports(), machine.barriers()};
}

/// What every thread stores when it computes %r0 as the body says.
std::vector<std::uint32_t> computed(const std::string& body) {
  const Result result = run(body + "st.global.u32 [%mine], %r0;");
  EXPECT_THAT(result.reports, IsEmpty());
  return result.values;
}

std::uint32_t first(const std::string& body) { return computed(body).front(); }

constexpr const char* kSwap = R"(
  st.shared.u32 [%s], %own;
  bar.sync 0;
  ld.shared.u32 %r0, [%next];
  st.global.u32 [%mine], %r0;)";

TEST(Ptxsim, threads_and_blocks_have_numbers_and_memory_of_their_own) {
  EXPECT_EQ(computed("add.s32 %r0, %own, 5;"),
            (std::vector<std::uint32_t>{5, 6, 7, 8, 9, 10, 11, 12}));
  EXPECT_EQ(first("mov.u32 %r1, %ntid.x; mov.u32 %r2, %nctaid.x; mad.lo.s32 %r0, %r1, 10, %r2;"),
            42U);
}

TEST(Ptxsim, barriers_separate_threads_in_every_order) {
  for (const Order order : {Order::ascending, Order::reversed, Order::random}) {
    const Result result = run(kSwap, order);
    EXPECT_THAT(result.reports, IsEmpty());
    EXPECT_EQ(result.values, (std::vector<std::uint32_t>{1, 0, 3, 2, 5, 4, 7, 6}));
  }
}

TEST(Ptxsim, branches_guards_calls_and_variables_work) {
  EXPECT_EQ(first("mov.u32 %r0, 0;\n$again:\nadd.s32 %r0, %r0, 3;\nsetp.lt.s32 %p0, %r0, 10;\n"
                  "@%p0 bra $again;\n@!%p0 add.s32 %r0, %r0, 100;\n"),
            112U);
  EXPECT_EQ(first("{ .param .b32 a; .param .b32 r; st.param.b32 [a], 21;\n"
                  "call.uni (r), twice, (a); ld.param.b32 %r0, [r]; }"),
            42U);
  EXPECT_EQ(first("mov.u64 %rd0, table; ld.global.u32 %r0, [%rd0+4];"), 7U);
  EXPECT_EQ(first("mov.u64 %rd0, depot; st.local.u32 [%rd0+8], 9; ld.local.u32 %r0, [%rd0+8];"),
            9U);
}

TEST(Ptxsim, integers_wrap_extend_and_carry) {
  EXPECT_EQ(first("mov.u32 %r0, -1; add.s32 %r0, %r0, 2;"), 1U);
  EXPECT_EQ(first("mov.u32 %r1, -8; shr.s32 %r0, %r1, 1;"), static_cast<std::uint32_t>(-4));
  EXPECT_EQ(first("mov.u32 %r1, -8; cvt.s64.s32 %rd0, %r1; shr.u64 %rd0, %rd0, 32;"
                  "cvt.u32.u64 %r0, %rd0;"),
            0xFFFFFFFFU);
  EXPECT_EQ(first("mov.u32 %r1, -8; mul.hi.u32 %r0, %r1, 16;"), 15U);
  EXPECT_EQ(first("mov.u32 %r1, -1; add.cc.u32 %r1, %r1, 1; addc.u32 %r0, 5, 0;"), 6U);
  EXPECT_EQ(first("mov.u32 %r1, 0; sub.cc.u32 %r1, %r1, 1; subc.u32 %r0, 5, 0;"), 4U);
  EXPECT_EQ(first("mov.u32 %r1, 0x04030201; mov.u32 %r2, 0x88070605;"
                  "prmt.b32 %r0, %r1, %r2, 0xF70U;"),
            0x01FF8801U);
  EXPECT_EQ(first("shf.l.wrap.b32 %r0, 0x80000000, 1, 33;"), 3U);
  EXPECT_EQ(first("bfe.u32 %r0, 0xABCD, 4, 8;"), 0xBCU);
  EXPECT_EQ(first("mov.b64 %rd0, {%t, 77}; mov.b64 {%r1, %r0}, %rd0;"), 77U);
}

TEST(Ptxsim, doubles_are_rounded_after_every_operation_but_fma) {
  // (1 + 2^-30)² − 1 − 2^-29 is 2^-60, and 0 where the product was rounded.
  const std::string start = "mov.f64 %fd0, 0d3FF0000000400000; mov.f64 %fd1, 0dBFF0000000800000;";
  const std::string end = "setp.gt.f64 %p0, %fd2, 0d0000000000000000; selp.u32 %r0, 1, 0, %p0;";
  EXPECT_EQ(first(start + "mul.rn.f64 %fd2, %fd0, %fd0; add.rn.f64 %fd2, %fd2, %fd1;" + end), 0U);
  EXPECT_EQ(first(start + "fma.rn.f64 %fd2, %fd0, %fd0, %fd1;" + end), 1U);
}

TEST(Ptxsim, what_is_not_a_number_compares_as_ptx_says) {
  const std::string nan = "mov.f64 %fd0, 0d7FF8000000000000; mov.f64 %fd1, 0d3FF0000000000000;";
  const auto compared = [&](const std::string& comparison) {
    return first(nan + "setp." + comparison + ".f64 %p0, %fd0, %fd1; selp.u32 %r0, 1, 0, %p0;");
  };
  for (const char* ordered : {"eq", "ne", "lt", "ge", "num"}) EXPECT_EQ(compared(ordered), 0U);
  for (const char* unordered : {"equ", "neu", "ltu", "geu", "nan"}) {
    EXPECT_EQ(compared(unordered), 1U);
  }
  EXPECT_EQ(first(nan + "max.f64 %fd2, %fd0, %fd1; cvt.rzi.s32.f64 %r0, %fd2;"), 1U);
}

TEST(Ptxsim, unknown_instructions_are_refused_by_name_and_line) {
  try {
    run("frobnicate.u32 %r0, %r1;");
    FAIL() << "was accepted";
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), HasSubstr("frobnicate.u32"));
    EXPECT_THAT(error.what(), HasSubstr("PTX line "));
  }
}

void expect_report(const std::string& body, const std::string& part) {
  SCOPED_TRACE(body);
  for (const Order order : {Order::ascending, Order::reversed, Order::random}) {
    EXPECT_THAT(run(body, order).reports, Contains(Key(HasSubstr(part))));
  }
}

TEST(Ptxsim, races_between_threads_are_reported) {
  expect_report("st.shared.u32 [%s], %t; ld.shared.u32 %r0, [%next];", "another thread");
  expect_report("mov.u32 %r0, memory; st.shared.u32 [%r0], %t;",
                "writes what another thread writes");
  expect_report(
      "st.shared.u32 [%s], %t; bar.sync 0; ld.shared.u32 %r0, [%next];"
      "st.shared.u32 [%s], %r0;",
      "another thread");
}

TEST(Ptxsim, races_between_blocks_are_reported) {
  expect_report("mad.wide.u32 %rd0, %t, 4, %array; st.global.u32 [%rd0], %t;",
                "global memory: a thread writes what another thread writes");
  expect_report(
      "mad.wide.u32 %rd0, %t, 4, %array; ld.global.u32 %r0, [%rd0];"
      "st.global.u32 [%mine], %r0;",
      "another thread");
}

TEST(Ptxsim, additions_of_all_threads_are_no_race_but_a_read_among_them_is) {
  const Result result = run("atom.global.add.u32 %r0, [%array], 1;");
  EXPECT_THAT(result.reports, IsEmpty());
  EXPECT_EQ(result.values[0], 108U);
  expect_report("atom.global.add.u32 %r0, [%array], 1; ld.global.u32 %r0, [%array];",
                "another thread");
}

TEST(Ptxsim, neighbouring_bytes_are_no_race) {
  EXPECT_THAT(run("mov.u32 %r0, memory; add.s32 %r0, %r0, %t; st.shared.u8 [%r0], 1;").reports,
              IsEmpty());
}

TEST(Ptxsim, memory_that_was_never_written_is_reported) {
  expect_report("ld.shared.u32 %r0, [%s];", "shared memory: a thread reads what was never written");
}

TEST(Ptxsim, bounds_and_alignment_are_reported) {
  expect_report("st.global.u32 [%mine+32], %t;", "global memory: out of bounds");
  expect_report("st.global.u32 [%mine+-4], %t;", "global memory: out of bounds");
  expect_report("st.shared.u32 [%s+16], %t;", "shared memory: out of bounds");
  expect_report("mov.u64 %rd0, depot; st.local.u32 [%rd0+16], %t;", "local memory: out of bounds");
  expect_report("ld.global.v2.u32 {%r0, %r1}, [%array+4];", "not a multiple of 8");
}

TEST(Ptxsim, threads_that_part_at_a_barrier_are_reported) {
  expect_report("setp.eq.s32 %p0, %t, 0; @%p0 bra $end; bar.sync 0;\n$end:\n",
                "part at the barrier");
  expect_report(
      "setp.eq.s32 %p0, %t, 0; @%p0 bra $other; bar.sync 0; bra.uni $end;\n"
      "$other:\nbar.sync 0;\n$end:\n",
      "part at the barrier");
}

TEST(Ptxsim, mutants_tell_barriers_that_are_needed_from_those_that_are_not) {
  const Result result = run(std::string(kSwap) + "\nbar.sync 0;\n", Order::random, true);
  EXPECT_THAT(result.reports, IsEmpty());
  EXPECT_EQ(result.values, (std::vector<std::uint32_t>{1, 0, 3, 2, 5, 4, 7, 6}));
  ASSERT_EQ(result.barriers.size(), 2U);
  EXPECT_TRUE(result.barriers.begin()->second.noticed);
  EXPECT_FALSE(result.barriers.rbegin()->second.noticed);
}

}  // namespace
}  // namespace pointtree::ptxsim
