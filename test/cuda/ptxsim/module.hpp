// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "memory.hpp"

// PTX as text becomes functions whose instructions name their operands by slots of a frame.
namespace pointtree::ptxsim {

struct Thread;
struct Instruction;
struct Function;

using Execute = void (*)(Thread&, const Instruction&);

struct Instruction {
  Execute execute = nullptr;
  std::uint32_t result = 0;
  std::array<std::uint32_t, 3> operands{};
  std::array<std::uint32_t, 4> vector{};  ///< registers that are loaded, stored, packed or unpacked
  std::uint8_t width = 1;                 ///< of the vector
  bool negated = false;                   ///< runs where the guard is false
  std::int32_t guard = -1;                ///< predicate, −1 for none
  std::int64_t offset = 0;                ///< added to an address
  std::uint32_t target = 0;               ///< of a branch; of a call, which
  std::uint32_t line = 0;
};

struct Call {
  const Function* function = nullptr;
  std::vector<std::uint32_t> arguments;  ///< where they are in the caller's parameters
  std::uint32_t result = 0;
};

/// A parameter's place in the memory for parameters.
struct Parameter {
  std::uint32_t offset = 0;
  std::uint32_t size = 0;
};

struct Function {
  /// Slots that are set when a thread begins.
  enum Special : std::uint32_t { tid, ctaid, ntid, nctaid, specials };

  std::string name;
  std::vector<Instruction> code;
  std::vector<Call> calls;
  std::vector<std::uint64_t> frame = std::vector<std::uint64_t>(specials);  ///< with constants
  std::vector<Parameter> parameters;
  Parameter result;
  std::uint32_t parameter_bytes = 0;
  std::uint32_t local_bytes = 0;
  std::uint32_t most_threads = 1024;
};

/// A module; never moves, since calls point to functions.
class Module {
 public:
  /// Throws std::runtime_error that names what it does not know, with its line. Variables of the
  /// module are put into `memory`.
  Module(const std::string& text, GlobalMemory& memory);
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;

  const std::map<std::string, Function>& functions() const { return functions_; }

 private:
  std::map<std::string, Function> functions_;
};

/// What an opcode does, without modifiers that change nothing here, as "add.f64"; nullptr where it
/// is not known.
Execute find_instruction(const std::string& opcode);

/// First addresses of the windows to shared and to local memory.
constexpr std::uint64_t kSharedWindow = 1024;
constexpr std::uint64_t kLocalWindow = 1 << 20;

}  // namespace pointtree::ptxsim
