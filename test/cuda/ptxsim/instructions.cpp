// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>
#include <unordered_map>

#include "machine.hpp"

// What instructions do, after NVIDIA's "PTX ISA". Doubles and floats are the host's: both round to
// nearest, as every operation here says.
namespace pointtree::ptxsim {
namespace {

using Table = std::unordered_map<std::string, Execute>;

template <typename T>
T get(const Thread& thread, std::uint32_t slot) {
  T value;
  std::memcpy(&value, thread.registers + slot, sizeof(T));
  return value;
}

template <typename T>
T operand(const Thread& thread, const Instruction& at, std::size_t i) {
  return get<T>(thread, at.operands[i]);
}

/// Signed integers are extended, so that a wider register may take them.
template <typename T>
void set(Thread& thread, std::uint32_t slot, T value) {
  std::uint64_t bits = 0;
  if constexpr (std::is_integral_v<T>) {
    bits = static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
    if constexpr (std::is_unsigned_v<T>) bits = value;
  } else {
    std::memcpy(&bits, &value, sizeof(T));
  }
  thread.registers[slot] = bits;
}

template <typename R, typename T, R (*kFunction)(T)>
void unary(Thread& thread, const Instruction& at) {
  set<R>(thread, at.result, kFunction(operand<T>(thread, at, 0)));
}

template <typename R, typename T, R (*kFunction)(T, T)>
void binary(Thread& thread, const Instruction& at) {
  set<R>(thread, at.result, kFunction(operand<T>(thread, at, 0), operand<T>(thread, at, 1)));
}

// Integers wrap around: they are computed without a sign, and in 64 bits.
template <typename T>
using Calculated = std::conditional_t<std::is_integral_v<T>, std::uint64_t, T>;

template <typename T>
constexpr Calculated<T> calculated(T value) {
  return static_cast<Calculated<T>>(value);
}

template <typename T>
T add(T a, T b) {
  return static_cast<T>(calculated(a) + calculated(b));
}
template <typename T>
T subtract(T a, T b) {
  return static_cast<T>(calculated(a) - calculated(b));
}
template <typename T>
T multiply(T a, T b) {
  return static_cast<T>(calculated(a) * calculated(b));
}
template <typename T>
T divide(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    if (b == 0) return static_cast<T>(-1);
    if (std::is_signed_v<T> && b == static_cast<T>(-1)) return subtract<T>(0, a);
  }
  return a / b;
}
template <typename T>
T remainder(T a, T b) {
  if (b == 0) return a;
  return std::is_signed_v<T> && b == static_cast<T>(-1) ? 0 : static_cast<T>(a % b);
}
template <typename T>
T negate(T a) {
  if constexpr (std::is_integral_v<T>) return subtract<T>(0, a);
  return -a;
}
template <typename T>
T magnitude(T a) {
  return std::is_integral_v<T> ? (a < 0 ? negate(a) : a) : static_cast<T>(std::fabs(a));
}
template <typename T>
T greater(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (a == b) return std::signbit(a) ? b : a;
    return std::fmax(a, b);
  }
  return a > b ? a : b;
}
template <typename T>
T less(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (a == b) return std::signbit(a) ? a : b;
    return std::fmin(a, b);
  }
  return a < b ? a : b;
}
template <typename T>
T both(T a, T b) {
  return static_cast<T>(a & b);
}
template <typename T>
T either(T a, T b) {
  return static_cast<T>(a | b);
}
template <typename T>
T one_of(T a, T b) {
  return static_cast<T>(a ^ b);
}
template <typename T>
T complement(T a) {
  return static_cast<T>(~a);
}
template <typename T>
T same(T a) {
  return a;
}
template <typename T>
T square_root(T a) {
  return std::sqrt(a);
}
template <typename T>
T reciprocal(T a) {
  return T{1} / a;
}
/// Tells the upper half of the result only.
double rough_reciprocal(double a) {
  const double exact = 1.0 / a;
  std::uint64_t bits = 0;
  std::memcpy(&bits, &exact, sizeof(bits));
  bits &= ~std::uint64_t{0xFFFFFFFF};
  double rough = 0.0;
  std::memcpy(&rough, &bits, sizeof(bits));
  return rough;
}
template <typename T>
T with_sign(T sign, T value) {
  return std::copysign(value, sign);
}
std::uint32_t count_ones(std::uint32_t a) {
  return static_cast<std::uint32_t>(__builtin_popcount(a));
}
template <typename T>
std::uint32_t leading_zeros(T a) {
  std::uint32_t count = 0;
  for (T bit = T{1} << (8 * sizeof(T) - 1); bit != 0 && (a & bit) == 0; bit >>= 1) ++count;
  return count;
}

/// The upper half of a product.
template <typename T>
T high_product(T a, T b) {
  using Wide = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
  return static_cast<T>((Wide{a} * Wide{b}) >> 32);
}

template <typename T>
void shift_left(Thread& thread, const Instruction& at) {
  const auto count = operand<std::uint32_t>(thread, at, 1);
  const auto value = operand<T>(thread, at, 0);
  set<T>(thread, at.result, count >= 8 * sizeof(T) ? T{0} : static_cast<T>(value << count));
}

template <typename T>
void shift_right(Thread& thread, const Instruction& at) {
  const auto count = operand<std::uint32_t>(thread, at, 1);
  const auto value = operand<T>(thread, at, 0);
  const T sign = std::is_signed_v<T> && value < 0 ? static_cast<T>(-1) : T{0};
  set<T>(thread, at.result, count >= 8 * sizeof(T) ? sign : static_cast<T>(value >> count));
}

template <bool kLeft>
void funnel_shift(Thread& thread, const Instruction& at) {
  const std::uint64_t both = std::uint64_t{operand<std::uint32_t>(thread, at, 1)} << 32 |
                             operand<std::uint32_t>(thread, at, 0);
  const std::uint32_t count = operand<std::uint32_t>(thread, at, 2) % 32;
  set(thread, at.result, static_cast<std::uint32_t>(kLeft ? (both << count) >> 32 : both >> count));
}

template <typename T, typename Wide>
void multiply_wide(Thread& thread, const Instruction& at) {
  set<Wide>(thread, at.result, Wide{operand<T>(thread, at, 0)} * Wide{operand<T>(thread, at, 1)});
}

template <typename T, typename Wide>
void multiply_wide_and_add(Thread& thread, const Instruction& at) {
  const Wide product = Wide{operand<T>(thread, at, 0)} * Wide{operand<T>(thread, at, 1)};
  set<Wide>(thread, at.result, add<Wide>(product, operand<Wide>(thread, at, 2)));
}

template <typename T>
void multiply_and_add(Thread& thread, const Instruction& at) {
  const T product = multiply<T>(operand<T>(thread, at, 0), operand<T>(thread, at, 1));
  set<T>(thread, at.result, add<T>(product, operand<T>(thread, at, 2)));
}

template <typename T>
void fused_multiply_add(Thread& thread, const Instruction& at) {
  set<T>(thread, at.result,
         std::fma(operand<T>(thread, at, 0), operand<T>(thread, at, 1), operand<T>(thread, at, 2)));
}

/// Extended precision: sums with the carry of earlier ones.
template <bool kTakes, bool kGives>
void add_with_carry(Thread& thread, const Instruction& at, std::uint64_t a, std::uint64_t b) {
  const std::uint64_t sum = a + b + (kTakes ? thread.carry : 0);
  set(thread, at.result, static_cast<std::uint32_t>(sum));
  if (kGives) thread.carry = static_cast<std::uint32_t>(sum >> 32);
}

template <bool kTakes, bool kGives>
void add_carrying(Thread& thread, const Instruction& at) {
  add_with_carry<kTakes, kGives>(thread, at, operand<std::uint32_t>(thread, at, 0),
                                 operand<std::uint32_t>(thread, at, 1));
}

template <bool kTakes, bool kGives>
void subtract_borrowing(Thread& thread, const Instruction& at) {
  const std::uint64_t difference = std::uint64_t{operand<std::uint32_t>(thread, at, 0)} -
                                   operand<std::uint32_t>(thread, at, 1) -
                                   (kTakes ? thread.carry : 0);
  set(thread, at.result, static_cast<std::uint32_t>(difference));
  if (kGives) thread.carry = difference >> 32 == 0 ? 0 : 1;
}

template <bool kHigh, bool kTakes, bool kGives>
void multiply_carrying(Thread& thread, const Instruction& at) {
  const std::uint64_t product =
      std::uint64_t{operand<std::uint32_t>(thread, at, 0)} * operand<std::uint32_t>(thread, at, 1);
  add_with_carry<kTakes, kGives>(thread, at, kHigh ? product >> 32 : product & 0xFFFFFFFF,
                                 operand<std::uint32_t>(thread, at, 2));
}

void extract_bits(Thread& thread, const Instruction& at) {
  const auto value = operand<std::uint32_t>(thread, at, 0);
  const std::uint32_t begin = operand<std::uint32_t>(thread, at, 1) & 0xFF;
  const std::uint32_t count = operand<std::uint32_t>(thread, at, 2) & 0xFF;
  const std::uint64_t mask = count >= 32 ? 0xFFFFFFFF : (std::uint64_t{1} << count) - 1;
  set(thread, at.result,
      begin >= 32 ? 0U : static_cast<std::uint32_t>((std::uint64_t{value} >> begin) & mask));
}

/// Picks four of eight bytes, each or its sign.
void permute_bytes(Thread& thread, const Instruction& at) {
  const std::uint64_t bytes = std::uint64_t{operand<std::uint32_t>(thread, at, 1)} << 32 |
                              operand<std::uint32_t>(thread, at, 0);
  const auto selectors = operand<std::uint32_t>(thread, at, 2);
  std::uint32_t result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const std::uint32_t selector = selectors >> (4 * i) & 0xF;
    std::uint32_t byte = static_cast<std::uint32_t>(bytes >> (8 * (selector & 7))) & 0xFF;
    if ((selector & 8) != 0) byte = (byte & 0x80) != 0 ? 0xFF : 0;
    result |= byte << (8 * i);
  }
  set(thread, at.result, result);
}

template <typename T>
void select(Thread& thread, const Instruction& at) {
  const bool first = operand<std::uint64_t>(thread, at, 2) != 0;
  set<T>(thread, at.result, operand<T>(thread, at, first ? 0 : 1));
}

enum class Comparison { eq, ne, lt, le, gt, ge, num, nan };

/// `kUnordered` is the result where an operand is not a number.
template <typename T, Comparison kComparison, bool kUnordered>
void compare(Thread& thread, const Instruction& at) {
  const T a = operand<T>(thread, at, 0);
  const T b = operand<T>(thread, at, 1);
  bool unordered = false;
  if constexpr (std::is_floating_point_v<T>) unordered = std::isnan(a) || std::isnan(b);
  bool result = kUnordered;
  if (!unordered) {
    switch (kComparison) {
      case Comparison::eq:
        result = a == b;
        break;
      case Comparison::ne:
        result = a != b;
        break;
      case Comparison::lt:
        result = a < b;
        break;
      case Comparison::le:
        result = a <= b;
        break;
      case Comparison::gt:
        result = a > b;
        break;
      case Comparison::ge:
        result = a >= b;
        break;
      case Comparison::num:
        result = true;
        break;
      case Comparison::nan:
        result = false;
        break;
    }
  }
  thread.registers[at.result] = result ? 1 : 0;
}

template <typename To, typename From>
To converted(From value) {
  return static_cast<To>(value);
}

template <typename From, bool kNearest>
std::int32_t to_integer(From value) {
  if (std::isnan(value)) return 0;
  const double whole = kNearest ? std::nearbyint(value) : std::trunc(value);
  constexpr double kLimit = 2147483648.0;
  if (whole >= kLimit) return std::numeric_limits<std::int32_t>::max();
  return whole < -kLimit ? std::numeric_limits<std::int32_t>::min()
                         : static_cast<std::int32_t>(whole);
}

bool predicate_and(bool a, bool b) { return a && b; }
bool predicate_or(bool a, bool b) { return a || b; }
bool predicate_xor(bool a, bool b) { return a != b; }
bool predicate_not(bool a) { return !a; }

void unpack(Thread& thread, const Instruction& at) {
  const auto both = operand<std::uint64_t>(thread, at, 0);
  set(thread, at.vector[0], static_cast<std::uint32_t>(both));
  set(thread, at.vector[1], static_cast<std::uint32_t>(both >> 32));
}

void pack(Thread& thread, const Instruction& at) {
  thread.registers[at.result] = std::uint64_t{get<std::uint32_t>(thread, at.vector[1])} << 32 |
                                get<std::uint32_t>(thread, at.vector[0]);
}

enum class Space { global, shared, local, parameters };

template <Space kSpace>
std::byte* resolve(Thread& thread, const Instruction& at, std::size_t size, Access access) {
  const std::uint64_t address =
      operand<std::uint64_t>(thread, at, 0) + static_cast<std::uint64_t>(at.offset);
  switch (kSpace) {
    case Space::global:
      return thread.machine.global(thread, at, address, size, access);
    case Space::shared:
      return thread.machine.shared(thread, at, static_cast<std::uint32_t>(address), size, access);
    case Space::local:
      return thread.machine.local(thread, at, address, size);
    case Space::parameters:
      break;
  }
  if (address + size > thread.function.parameter_bytes) {
    throw LaunchFailure("parameters: out of bounds");
  }
  return thread.parameters + address;
}

template <typename T, Space kSpace>
void load(Thread& thread, const Instruction& at) {
  const std::byte* from = resolve<kSpace>(thread, at, sizeof(T) * at.width, Access::read);
  for (std::size_t i = 0; i < at.width; ++i) {
    T value;
    std::memcpy(&value, from + i * sizeof(T), sizeof(T));
    set<T>(thread, at.vector[i], value);
  }
}

template <typename T, Space kSpace>
void store(Thread& thread, const Instruction& at) {
  std::byte* to = resolve<kSpace>(thread, at, sizeof(T) * at.width, Access::write);
  for (std::size_t i = 0; i < at.width; ++i) {
    const T value = get<T>(thread, at.vector[i]);
    std::memcpy(to + i * sizeof(T), &value, sizeof(T));
  }
}

template <typename T, Space kSpace>
void atomic_add(Thread& thread, const Instruction& at) {
  std::byte* place = resolve<kSpace>(thread, at, sizeof(T), Access::add);
  T old;
  std::memcpy(&old, place, sizeof(T));
  const T sum = add<T>(old, operand<T>(thread, at, 1));
  std::memcpy(place, &sum, sizeof(T));
  set<T>(thread, at.result, old);
}

void branch(Thread& thread, const Instruction& at) { thread.next = at.target; }

void finish(Thread& thread, const Instruction& /*at*/) { thread.state = Thread::State::finished; }

void barrier(Thread& thread, const Instruction& at) {
  if (!thread.machine.removed(at)) thread.state = Thread::State::waiting;
}

void call(Thread& thread, const Instruction& at) {
  const Call& call = thread.function.calls[at.target];
  const Function& function = *call.function;
  std::vector<std::uint64_t> frame = function.frame;
  std::vector<std::byte> local(function.local_bytes);
  std::vector<std::byte> parameters(function.parameter_bytes);
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const Parameter& parameter = function.parameters.at(i);
    std::memcpy(parameters.data() + parameter.offset, thread.parameters + call.arguments[i],
                parameter.size);
  }
  Thread inner{thread.machine, function,          frame.data(),
               local.data(),   parameters.data(), thread.index};
  inner.run();
  if (inner.state != Thread::State::finished) {
    throw LaunchFailure("a barrier in the function " + function.name);
  }
  std::memcpy(thread.parameters + call.result, parameters.data() + function.result.offset,
              function.result.size);
}

template <typename T, Comparison kComparison>
void add_comparison(Table& table, const std::string& name, const std::string& type) {
  table["setp." + name + "." + type] = compare<T, kComparison, kComparison == Comparison::nan>;
  table["setp." + name + "u." + type] = compare<T, kComparison, true>;
}

template <typename T>
void add_memory(Table& table, const std::string& type) {
  table["ld.global." + type] = load<T, Space::global>;
  table["ld.shared." + type] = load<T, Space::shared>;
  table["ld.local." + type] = load<T, Space::local>;
  table["ld.param." + type] = load<T, Space::parameters>;
  table["st.global." + type] = store<T, Space::global>;
  table["st.shared." + type] = store<T, Space::shared>;
  table["st.local." + type] = store<T, Space::local>;
  table["st.param." + type] = store<T, Space::parameters>;
}

/// What integers and floating-point numbers have in common.
template <typename T>
void add_number(Table& table, const std::string& type) {
  add_memory<T>(table, type);
  table["mov." + type] = unary<T, T, same<T>>;
  table["add." + type] = binary<T, T, add<T>>;
  table["sub." + type] = binary<T, T, subtract<T>>;
  table["div." + type] = binary<T, T, divide<T>>;
  table["max." + type] = binary<T, T, greater<T>>;
  table["min." + type] = binary<T, T, less<T>>;
  table["neg." + type] = unary<T, T, negate<T>>;
  table["abs." + type] = unary<T, T, magnitude<T>>;
  table["selp." + type] = select<T>;
  add_comparison<T, Comparison::eq>(table, "eq", type);
  add_comparison<T, Comparison::ne>(table, "ne", type);
  add_comparison<T, Comparison::lt>(table, "lt", type);
  add_comparison<T, Comparison::le>(table, "le", type);
  add_comparison<T, Comparison::gt>(table, "gt", type);
  add_comparison<T, Comparison::ge>(table, "ge", type);
}

template <typename T>
void add_conversions(Table& table, const std::string& from) {
  table["cvt.u16." + from] = unary<std::uint16_t, T, converted<std::uint16_t, T>>;
  table["cvt.s16." + from] = unary<std::int16_t, T, converted<std::int16_t, T>>;
  table["cvt.u32." + from] = unary<std::uint32_t, T, converted<std::uint32_t, T>>;
  table["cvt.s32." + from] = unary<std::int32_t, T, converted<std::int32_t, T>>;
  table["cvt.u64." + from] = unary<std::uint64_t, T, converted<std::uint64_t, T>>;
  table["cvt.s64." + from] = unary<std::int64_t, T, converted<std::int64_t, T>>;
  table["cvt.f32." + from] = unary<float, T, converted<float, T>>;
  table["cvt.f64." + from] = unary<double, T, converted<double, T>>;
}

template <typename T>
void add_integer(Table& table, const std::string& type) {
  add_number<T>(table, type);
  add_conversions<T>(table, type);
  table["mul.lo." + type] = binary<T, T, multiply<T>>;
  table["mad.lo." + type] = multiply_and_add<T>;
  table["rem." + type] = binary<T, T, remainder<T>>;
  table["and." + type] = binary<T, T, both<T>>;
  table["or." + type] = binary<T, T, either<T>>;
  table["xor." + type] = binary<T, T, one_of<T>>;
  table["not." + type] = unary<T, T, complement<T>>;
  table["shl." + type] = shift_left<T>;
  table["shr." + type] = shift_right<T>;
  table["atom.global.add." + type] = atomic_add<T, Space::global>;
  table["atom.shared.add." + type] = atomic_add<T, Space::shared>;
}

template <typename T, typename Wide>
void add_products(Table& table, const std::string& type) {
  table["mul.wide." + type] = multiply_wide<T, Wide>;
  table["mad.wide." + type] = multiply_wide_and_add<T, Wide>;
}

template <typename T>
void add_float(Table& table, const std::string& type) {
  add_number<T>(table, type);
  add_comparison<T, Comparison::num>(table, "num", type);
  add_comparison<T, Comparison::nan>(table, "nan", type);
  table["mul." + type] = binary<T, T, multiply<T>>;
  table["fma." + type] = fused_multiply_add<T>;
  table["sqrt." + type] = unary<T, T, square_root<T>>;
  table["rcp." + type] = unary<T, T, reciprocal<T>>;
  table["copysign." + type] = binary<T, T, with_sign<T>>;
  table["cvt.rni.s32." + type] = unary<std::int32_t, T, to_integer<T, true>>;
  table["cvt.rzi.s32." + type] = unary<std::int32_t, T, to_integer<T, false>>;
  table["cvt.f32." + type] = unary<float, T, converted<float, T>>;
  table["cvt.f64." + type] = unary<double, T, converted<double, T>>;
}

Table make_table() {
  Table table;
  add_memory<std::uint8_t>(table, "u8");
  add_memory<std::uint8_t>(table, "b8");
  add_memory<std::int8_t>(table, "s8");
  add_conversions<std::uint8_t>(table, "u8");
  add_conversions<std::int8_t>(table, "s8");
  for (const char sort : {'u', 'b'}) {
    add_integer<std::uint16_t>(table, sort + std::string("16"));
    add_integer<std::uint32_t>(table, sort + std::string("32"));
    add_integer<std::uint64_t>(table, sort + std::string("64"));
  }
  add_integer<std::int16_t>(table, "s16");
  add_integer<std::int32_t>(table, "s32");
  add_integer<std::int64_t>(table, "s64");
  add_float<float>(table, "f32");
  add_float<double>(table, "f64");
  add_products<std::uint16_t, std::uint32_t>(table, "u16");
  add_products<std::int16_t, std::int32_t>(table, "s16");
  add_products<std::uint32_t, std::uint64_t>(table, "u32");
  add_products<std::int32_t, std::int64_t>(table, "s32");
  table["mul.hi.u32"] = binary<std::uint32_t, std::uint32_t, high_product<std::uint32_t>>;
  table["mul.hi.s32"] = binary<std::int32_t, std::int32_t, high_product<std::int32_t>>;
  table["rcp.approx.ftz.f64"] = unary<double, double, rough_reciprocal>;
  table["popc.b32"] = unary<std::uint32_t, std::uint32_t, count_ones>;
  table["clz.b32"] = unary<std::uint32_t, std::uint32_t, leading_zeros<std::uint32_t>>;
  table["clz.b64"] = unary<std::uint32_t, std::uint64_t, leading_zeros<std::uint64_t>>;
  table["bfe.u32"] = extract_bits;
  table["prmt.b32"] = permute_bytes;
  table["shf.l.wrap.b32"] = funnel_shift<true>;
  table["shf.r.wrap.b32"] = funnel_shift<false>;
  table["add.cc.u32"] = add_carrying<false, true>;
  table["addc.u32"] = add_carrying<true, false>;
  table["addc.cc.u32"] = add_carrying<true, true>;
  table["sub.cc.u32"] = subtract_borrowing<false, true>;
  table["subc.u32"] = subtract_borrowing<true, false>;
  table["subc.cc.u32"] = subtract_borrowing<true, true>;
  table["mad.lo.cc.u32"] = multiply_carrying<false, false, true>;
  table["mad.hi.cc.u32"] = multiply_carrying<true, false, true>;
  table["madc.lo.u32"] = multiply_carrying<false, true, false>;
  table["madc.lo.cc.u32"] = multiply_carrying<false, true, true>;
  table["madc.hi.u32"] = multiply_carrying<true, true, false>;
  table["madc.hi.cc.u32"] = multiply_carrying<true, true, true>;
  table["and.pred"] = binary<bool, bool, predicate_and>;
  table["or.pred"] = binary<bool, bool, predicate_or>;
  table["xor.pred"] = binary<bool, bool, predicate_xor>;
  table["not.pred"] = unary<bool, bool, predicate_not>;
  table["mov.pred"] = unary<bool, bool, same<bool>>;
  table["unpack.b64"] = unpack;
  table["pack.b64"] = pack;
  for (const char* space : {"global", "shared", "local"}) {  // windows are where addresses say
    table[std::string("cvta.") + space + ".u64"] = unary<std::uint64_t, std::uint64_t, same>;
  }
  table["bra"] = branch;
  table["call"] = call;
  table["ret"] = table["exit"] = finish;
  table["bar"] = barrier;
  return table;
}

}  // namespace

Execute find_instruction(const std::string& opcode) {
  static const Table kTable = make_table();
  const auto found = kTable.find(opcode);
  return found == kTable.end() ? nullptr : found->second;
}

}  // namespace pointtree::ptxsim
