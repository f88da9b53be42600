// SPDX-License-Identifier: Apache-2.0
#include "compression.hpp"

#include <lz4frame.h>
#include <zstd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>

#include "pointtree/io/read_limits.hpp"

namespace pointtree::io {
namespace {

constexpr std::size_t kFirstStep = 64 << 10;

/// One step of a decompressor: how much it took and gave, and whether it can go on.
struct Step {
  std::size_t taken = 0;
  std::size_t given = 0;
  const char* error = nullptr;
  bool frame_done = false;
};

class ZstdStream {
 public:
  ZstdStream() : context_(ZSTD_createDCtx(), ZSTD_freeDCtx) {
    if (!context_) throw std::bad_alloc();
  }

  Step step(const std::uint8_t* in, std::size_t in_size, std::uint8_t* out, std::size_t out_size) {
    ZSTD_inBuffer input{in, in_size, 0};
    ZSTD_outBuffer output{out, out_size, 0};
    const std::size_t code = ZSTD_decompressStream(context_.get(), &output, &input);
    if (ZSTD_isError(code) != 0) return {0, 0, ZSTD_getErrorName(code), false};
    return {input.pos, output.pos, nullptr, code == 0};
  }

 private:
  std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context_;
};

class Lz4Stream {
 public:
  Lz4Stream() {
    if (LZ4F_isError(LZ4F_createDecompressionContext(&context_, LZ4F_VERSION)) != 0)
      throw std::bad_alloc();
  }
  ~Lz4Stream() { LZ4F_freeDecompressionContext(context_); }
  Lz4Stream(const Lz4Stream&) = delete;
  Lz4Stream& operator=(const Lz4Stream&) = delete;

  Step step(const std::uint8_t* in, std::size_t in_size, std::uint8_t* out, std::size_t out_size) {
    std::size_t taken = in_size;
    std::size_t given = out_size;
    const std::size_t code = LZ4F_decompress(context_, out, &given, in, &taken, nullptr);
    if (LZ4F_isError(code) != 0) return {0, 0, LZ4F_getErrorName(code), false};
    return {taken, given, nullptr, code == 0};
  }

 private:
  LZ4F_dctx* context_ = nullptr;
};

/// What came out of a stream and why it ended, if not because all was there.
struct Unpacked {
  Bytes bytes;
  std::string problem;
};

template <typename Stream>
Unpacked run(ByteView packed, std::uint64_t ceiling) {
  Stream stream;
  Unpacked result;
  std::size_t taken = 0;
  std::size_t given = 0;
  bool frame_done = true;
  while (taken < packed.size || !frame_done) {
    if (given == result.bytes.size()) {
      const std::uint64_t wanted = std::max<std::uint64_t>(kFirstStep, 2ULL * given);
      // One byte more than allowed, to tell "exactly full" from "too much".
      result.bytes.resize(static_cast<std::size_t>(std::min<std::uint64_t>(wanted, ceiling + 1)));
    }
    const Step step = stream.step(packed.data + taken, packed.size - taken,
                                  result.bytes.data() + given, result.bytes.size() - given);
    taken += step.taken;
    given += step.given;
    if (step.error != nullptr) {
      result.problem = step.error;
      break;
    }
    frame_done = step.frame_done;
    if (given > ceiling) {
      result.problem = "more than the " + std::to_string(ceiling) + " bytes allowed";
      break;
    }
    if (step.taken == 0 && step.given == 0) {
      if (!frame_done || taken < packed.size) result.problem = "it ends too early";
      break;
    }
  }
  result.bytes.resize(static_cast<std::size_t>(std::min<std::uint64_t>(given, ceiling)));
  return result;
}

Unpacked run(std::string_view compression, ByteView packed, std::uint64_t ceiling) {
  if (compression == "lz4") return run<Lz4Stream>(packed, ceiling);
  if (compression == "zstd") return run<ZstdStream>(packed, ceiling);
  if (compression.empty()) {
    const auto kept = static_cast<std::size_t>(std::min<std::uint64_t>(packed.size, ceiling));
    return {
        Bytes(packed.begin(), packed.begin() + kept),
        packed.size > ceiling ? "more than the " + std::to_string(ceiling) + " bytes allowed" : ""};
  }
  throw ReadError("compression '' (none), 'lz4' or 'zstd' expected, found '" +
                  std::string(compression.substr(0, 40)) + "'");
}

}  // namespace

Bytes unpack(std::string_view compression, ByteView packed, std::uint64_t size) {
  Unpacked result = run(compression, packed, size);
  if (!result.problem.empty()) throw ReadError("compressed data is damaged: " + result.problem);
  if (result.bytes.size() != size) {
    throw ReadError("compressed data should give " + std::to_string(size) + " bytes, found " +
                    std::to_string(result.bytes.size()));
  }
  return std::move(result.bytes);
}

Bytes unpack_beginning(std::string_view compression, ByteView packed, std::uint64_t size) {
  return run(compression, packed, size).bytes;
}

Bytes unpack_zstd(ByteView packed, std::uint64_t ceiling) {
  Unpacked result = run<ZstdStream>(packed, ceiling);
  if (!result.problem.empty()) throw ReadError("zstd data is damaged: " + result.problem);
  return std::move(result.bytes);
}

void unpack_zstd_file(const std::filesystem::path& packed, const std::filesystem::path& unpacked,
                      std::uint64_t ceiling) {
  std::ifstream input(packed, std::ios::binary);
  if (!input) throw ReadError("can't open '" + packed.string() + "'");
  std::ofstream output(unpacked, std::ios::binary);
  ZstdStream stream;
  Bytes in(ZSTD_DStreamInSize());
  Bytes out(ZSTD_DStreamOutSize());
  std::uint64_t total = 0;
  bool frame_done = true;
  while (input) {
    input.read(reinterpret_cast<char*>(in.data()), static_cast<std::streamsize>(in.size()));
    const auto available = static_cast<std::size_t>(input.gcount());
    std::size_t taken = 0;
    Step step;
    do {
      step = stream.step(in.data() + taken, available - taken, out.data(), out.size());
      if (step.error != nullptr) {
        throw ReadError("'" + packed.string() + "' is no whole zstd file: " + step.error);
      }
      taken += step.taken;
      total += step.given;
      if (step.taken > 0 || step.given > 0) frame_done = step.frame_done;
      if (total > ceiling) {
        throw ReadError("'" + packed.string() + "' unpacks to more than the ceiling of " +
                        std::to_string(ceiling) + " bytes");
      }
      output.write(reinterpret_cast<const char*>(out.data()),
                   static_cast<std::streamsize>(step.given));
    } while (taken < available || step.given == out.size());
  }
  if (!frame_done) throw ReadError("'" + packed.string() + "' ends in the middle of its zstd data");
  if (!output.flush()) throw std::runtime_error("can't write '" + unpacked.string() + "'");
}

Bytes pack(std::string_view compression, ByteView bytes) {
  if (compression.empty()) return {bytes.begin(), bytes.end()};
  Bytes packed;
  if (compression == "lz4") {
    packed.resize(LZ4F_compressFrameBound(bytes.size, nullptr));
    const std::size_t size =
        LZ4F_compressFrame(packed.data(), packed.size(), bytes.data, bytes.size, nullptr);
    if (LZ4F_isError(size) != 0)
      throw std::runtime_error(std::string("lz4: ") + LZ4F_getErrorName(size));
    packed.resize(size);
    return packed;
  }
  if (compression == "zstd") {
    packed.resize(ZSTD_compressBound(bytes.size));
    // Level 1 packs lidar data as fast as a disk takes it.
    const std::size_t size = ZSTD_compress(packed.data(), packed.size(), bytes.data, bytes.size, 1);
    if (ZSTD_isError(size) != 0)
      throw std::runtime_error(std::string("zstd: ") + ZSTD_getErrorName(size));
    packed.resize(size);
    return packed;
  }
  throw std::invalid_argument("compression '', 'lz4' or 'zstd' expected, found '" +
                              std::string(compression) + "'");
}

namespace {

/// Copies a run that may overlap what it produces, as repeats do.
void repeat(std::uint8_t* out, std::size_t distance, std::size_t length) {
  if (distance >= length) {
    std::memcpy(out, out - distance, length);
  } else {
    const std::uint8_t* from = out - distance;
    for (std::size_t i = 0; i < length; ++i) out[i] = from[i];
  }
}

}  // namespace

Bytes lzf_unpack(ByteView packed, std::size_t size) {
  if (size / kLzfMaxRatio > packed.size) {
    throw ReadError("LZF data of " + std::to_string(packed.size) +
                    " bytes can't hold the promised " + std::to_string(size));
  }
  Bytes out(size);
  std::size_t filled = 0;
  std::size_t at = 0;
  const auto need = [&](std::size_t bytes) {
    if (bytes > packed.size - at) throw ReadError("LZF data ends in the middle of a run");
  };
  const auto produce = [&](std::size_t bytes) {
    if (bytes > size - filled) {
      throw ReadError("LZF data gives more than the promised " + std::to_string(size) + " bytes");
    }
  };
  while (at < packed.size) {
    const std::size_t control = packed.data[at++];
    if (control < 32) {  // a literal run
      const std::size_t length = control + 1;
      need(length);
      produce(length);
      std::memcpy(out.data() + filled, packed.data + at, length);
      at += length;
      filled += length;
      continue;
    }
    std::size_t length = control >> 5;
    if (length == 7) {
      need(1);
      length += packed.data[at++];
    }
    need(1);
    const std::size_t distance = ((control & 31) << 8 | packed.data[at++]) + 1;
    length += 2;
    if (distance > filled) throw ReadError("LZF data refers to bytes before its start");
    produce(length);
    repeat(out.data() + filled, distance, length);
    filled += length;
  }
  if (filled != size) {
    throw ReadError("LZF data gives " + std::to_string(filled) + " bytes, " + std::to_string(size) +
                    " were promised");
  }
  return out;
}

}  // namespace pointtree::io
