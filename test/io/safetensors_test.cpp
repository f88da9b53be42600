// SPDX-License-Identifier: Apache-2.0
#include "io/safetensors.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <random>

#include "io/checksum.hpp"
#include "temporary_folder.hpp"

namespace pointtree::io {
namespace {

using test::content_of;
using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

template <typename T>
TensorView view(const std::string& name, DType dtype, std::vector<std::int64_t> shape,
                const std::vector<T>& numbers) {
  return {name, dtype, std::move(shape), reinterpret_cast<const std::byte*>(numbers.data()),
          numbers.size() * sizeof(T)};
}

void write_text(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

std::string with_length(const std::string& header, const std::string& data, std::uint64_t length) {
  std::string text(8, '\0');
  for (int i = 0; i < 8; ++i) text[i] = static_cast<char>(length >> (8 * i));
  return text + header + data;
}

TEST(Safetensors, what_was_written_is_read_back) {
  const test::TemporaryFolder folder;
  const std::vector<float> weights{1.5F, -2.0F,  std::numeric_limits<float>::infinity(),
                                   0.0F, 1e-30F, 7.0F};
  const std::vector<std::int8_t> small{-127, 0, 127};
  const std::vector<std::int64_t> steps{1LL << 40};
  const std::vector<float> nothing;
  const auto path = folder.path() / "weights.safetensors";
  const auto written = write_safetensors(
      path,
      {view("small", DType::i8, {3}, small), view("a \"quoted\" näme", DType::f32, {2, 3}, weights),
       view("steps", DType::i64, {}, steps), view("nothing", DType::f32, {0, 4}, nothing)},
      {{"author", "a test"}});

  const SafetensorsFile file(path);
  EXPECT_EQ(file.file().size(), written.bytes);
  EXPECT_EQ(sha256(file.file().data(), file.file().size()), written.sha256);
  EXPECT_EQ(file.metadata().at("author"), "a test");
  ASSERT_EQ(file.tensors().size(), 4U);
  EXPECT_EQ(file.find("absent"), nullptr);
  EXPECT_EQ(to_float32(*file.find("a \"quoted\" näme")), weights);
  EXPECT_EQ(file.find("a \"quoted\" näme")->shape, (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(to_float32(*file.find("small")), (std::vector<float>{-127.0F, 0.0F, 127.0F}));
  EXPECT_EQ(std::memcmp(file.find("steps")->data, steps.data(), 8), 0);
  EXPECT_EQ(file.find("nothing")->bytes, 0U);
  for (const auto& tensor : file.tensors()) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(tensor.data) % size_of(tensor.dtype), 0U)
        << tensor.name;
  }
}

TEST(Safetensors, checksum_is_sha256) {
  EXPECT_EQ(sha256("abc", 3), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Safetensors, replaces_a_file_whole_and_leaves_no_temporary_behind) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "weights.safetensors";
  const std::vector<float> numbers{1.0F, 2.0F};
  write_safetensors(path, {view("old", DType::f32, {2}, numbers)});
  write_safetensors(path, {view("new", DType::f32, {2}, numbers)});
  EXPECT_EQ(SafetensorsFile(path).tensors().front().name, "new");
  const std::string before = content_of(path);
  EXPECT_THROW(write_safetensors(path, {view("wrong", DType::f32, {3}, numbers)}),
               std::invalid_argument);
  EXPECT_THROW(write_safetensors(path, {view("same", DType::f32, {2}, numbers),
                                        view("same", DType::f32, {2}, numbers)}),
               std::invalid_argument);
  EXPECT_EQ(content_of(path), before);
  const auto entries = std::filesystem::directory_iterator(folder.path());
  EXPECT_EQ(std::distance(begin(entries), end(entries)), 1);
  EXPECT_THAT(
      [&] { write_safetensors(folder.path() / "absent" / "w", {}); },
      ThrowsMessage<std::runtime_error>(AllOf(HasSubstr("absent/w"), HasSubstr("No such file"))));
}

TEST(Safetensors, refuses_files_that_lie_naming_file_key_expected_and_found) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "bad.safetensors";
  const auto entry = [](const std::string& dtype, const std::string& shape,
                        const std::string& offsets) {
    return R"({"w":{"dtype":)" + dtype + R"(,"shape":)" + shape + R"(,"data_offsets":)" + offsets +
           "}}";
  };
  struct Case {
    std::string header;
    std::string data;
    std::vector<std::string> message;
  };
  const std::string four(4, 'x');
  const std::string eight(8, 'x');
  const std::vector<Case> cases{
      {"{]", "", {"header", "JSON"}},
      {"[]", "", {"header", "a JSON object", "[]"}},
      {entry("\"F64\"", "[1]", "[0,8]"), eight, {"w.dtype", "F32", "F64"}},
      {entry("7", "[1]", "[0,4]"), four, {"w.dtype", "found 7"}},
      {entry("\"F32\"", "[-1]", "[0,4]"), four, {"w.shape", "sizes from 0", "-1"}},
      {entry("\"F32\"", "[1.0]", "[0,4]"), four, {"w.shape", "1.0"}},
      {entry("\"F32\"", "\"one\"", "[0,4]"), four, {"w.shape", "one"}},
      {entry("\"F32\"", "[1,1,1,1,1,1,1,1,1]", "[0,4]"), four, {"w.shape", "up to 8"}},
      {entry("\"F32\"", "[4294967296,4294967296]", "[0,4]"), four, {"w.shape", "2^62"}},
      {entry("\"F32\"", "[0,18446744073709551615]", "[0,0]"), "", {"w.shape", "2^62"}},
      {entry("\"F32\"", "[1]", "[0,5]"), four, {"w.data_offsets", "within 4 bytes", "[0,5]"}},
      {entry("\"F32\"", "[1]", "[4,0]"), four, {"w.data_offsets", "[4,0]"}},
      {entry("\"F32\"", "[1]", "[0]"), four, {"w.data_offsets", "two offsets"}},
      {entry("\"F32\"", "[1]", "[0,18446744073709551615]"), four, {"w.data_offsets", "within 4"}},
      {entry("\"F32\"", "[2]", "[0,4]"), four, {"w.data_offsets", "8 bytes for [2]", "found 4"}},
      {entry("\"F32\"", "[1]", "[4,8]"), eight, {"w.data_offsets", "byte 0", "from 4"}},
      {entry("\"F32\"", "[1]", "[0,4]"), eight, {"size", "4 bytes", "8"}},
      {R"({"w":{"dtype":"F32","shape":[1]}})", four, {"w.data_offsets", "none"}},
      {R"({"w":3})", four, {"w: expected an object", "3"}},
      {R"({"w":{"a":{"b":{"c":{"d":1}}}}})", four, {"nested"}},
      {R"({"__metadata__":{"a":1}})", "", {"__metadata__.a", "a text", "1"}},
      {R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})",
       four,
       {"a: expected each name once"}},
      {R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"b":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})",
       four,
       {"b.data_offsets", "byte 4", "from 0"}}};
  for (const auto& [header, data, message] : cases) {
    write_text(path, with_length(header, data, header.size()));
    try {
      const SafetensorsFile file(path);
      ADD_FAILURE() << "accepted " << header;
    } catch (const std::runtime_error& error) {
      EXPECT_THAT(error.what(), HasSubstr("bad.safetensors"));
      for (const auto& part : message) EXPECT_THAT(error.what(), HasSubstr(part)) << header;
    }
  }
}

TEST(Safetensors, refuses_impossible_header_lengths_before_reading_further) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "bad.safetensors";
  for (const std::uint64_t length :
       {std::uint64_t{0}, std::uint64_t{3}, std::uint64_t{1} << 40, ~std::uint64_t{0}}) {
    write_text(path, with_length("{}", "", length));
    EXPECT_THAT([&] { SafetensorsFile file(path); },
                ThrowsMessage<std::runtime_error>(
                    AllOf(HasSubstr("header length"), HasSubstr(std::to_string(length)))));
  }
  write_text(path, "short");
  EXPECT_THROW(SafetensorsFile file(path), std::runtime_error);
  write_text(path, "");
  EXPECT_THROW(SafetensorsFile file(path), std::runtime_error);
  EXPECT_THROW(SafetensorsFile file(folder.path()), std::runtime_error);
  EXPECT_THROW(SafetensorsFile file(folder.path() / "absent"), std::runtime_error);
}

TEST(Safetensors, damaged_files_are_refused_or_stay_within_bounds) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "weights.safetensors";
  const std::vector<float> numbers(24, 1.0F);
  write_safetensors(path,
                    {view("a", DType::f32, {4, 6}, numbers), view("b", DType::f32, {24}, numbers)});
  const std::string whole = content_of(path);
  for (std::size_t size = 0; size < whole.size(); size += 7) {
    write_text(path, whole.substr(0, size));
    EXPECT_THROW(SafetensorsFile file(path), std::runtime_error) << size;
  }
  constexpr unsigned kSeed = 11;
  SCOPED_TRACE(testing::Message() << "seed " << kSeed);
  std::mt19937 random(kSeed);
  for (int trial = 0; trial < 300; ++trial) {
    std::string damaged = whole;
    for (int flips = 0; flips < 3; ++flips) damaged[random() % 160] = static_cast<char>(random());
    write_text(path, damaged);
    try {
      const SafetensorsFile file(path);
      for (const auto& tensor : file.tensors()) {
        EXPECT_GE(tensor.data, file.file().data());
        EXPECT_LE(tensor.data + tensor.bytes, file.file().data() + file.file().size());
      }
    } catch (const std::runtime_error&) {
    }
  }
}

TEST(TensorView, reads_half_formats_as_the_standards_say) {
  const std::vector<std::uint16_t> halves{0x3C00, 0xC000, 0x7BFF, 0x0001, 0x8000, 0x7C00, 0x3555};
  const auto values = to_float32(view("h", DType::f16, {7}, halves));
  EXPECT_EQ(values, (std::vector<float>{1.0F, -2.0F, 65504.0F, std::ldexp(1.0F, -24), -0.0F,
                                        std::numeric_limits<float>::infinity(), 0.33325195F}));
  const std::vector<std::uint16_t> brains{0x3F80, 0xC000, 0x7F80};
  EXPECT_EQ(to_float32(view("b", DType::bf16, {3}, brains)),
            (std::vector<float>{1.0F, -2.0F, std::numeric_limits<float>::infinity()}));
  const std::vector<std::int64_t> whole{1};
  EXPECT_THROW(to_float32(view("i", DType::i64, {1}, whole)), std::invalid_argument);
}

TEST(TensorView, rounds_to_the_nearest_bfloat16_and_ties_to_even) {
  EXPECT_EQ(to_bfloat16(1.0F), 0x3F80);
  EXPECT_EQ(to_bfloat16(1.0F + std::ldexp(1.0F, -8)), 0x3F80);
  EXPECT_EQ(to_bfloat16(1.0F + std::ldexp(3.0F, -8)), 0x3F82);
  EXPECT_EQ(to_bfloat16(1.0F + std::ldexp(1.0F, -8) + std::ldexp(1.0F, -20)), 0x3F81);
  const std::vector<std::uint16_t> nan{to_bfloat16(std::numeric_limits<float>::quiet_NaN())};
  EXPECT_TRUE(std::isnan(to_float32(view("n", DType::bf16, {1}, nan)).front()));
}

}  // namespace
}  // namespace pointtree::io
