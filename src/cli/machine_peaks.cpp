#include "machine_peaks.hpp"

#include <ATen/Functions.h>
#include <ATen/Parallel.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <new>
#include <numeric>
#include <thread>
#include <vector>

namespace pointtree::cli {
namespace {

constexpr int kRuns = 12;

}  // namespace

double seconds_now(int threads) {
  if (threads > 1) {
    const std::chrono::duration<double> time = std::chrono::steady_clock::now().time_since_epoch();
    return time.count();
  }
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

namespace {

template <typename Work>
double best_seconds(int threads, const Work& work) {
  double best = 1e30;
  for (int run = 0; run < kRuns; ++run) {
    const double start = seconds_now(threads);
    work();
    best = std::min(best, seconds_now(threads) - start);
  }
  return best;
}

double gemm_gflops(int threads) {
  constexpr std::int64_t kSize = 1024;
  at::set_num_threads(threads);
  const auto a = at::rand({kSize, kSize});
  const auto b = at::rand({kSize, kSize});
  auto product = at::empty({kSize, kSize});
  const double seconds = best_seconds(threads, [&] { at::mm_out(product, a, b); });
  return 2.0 * kSize * kSize * kSize / seconds * 1e-9;
}

// Memory as the engine's weights lie in: on large pages where the system has them, so that looking
// up pages does not hide what the memory can do.
class LargePages {
 public:
  explicit LargePages(std::size_t bytes)
      : words_(static_cast<std::uint64_t*>(std::aligned_alloc(kPage, bytes)), &std::free) {
    if (words_ == nullptr) throw std::bad_alloc();
    (void)::madvise(words_.get(), bytes, MADV_HUGEPAGE);
    std::fill_n(words_.get(), bytes / sizeof(std::uint64_t), 1);
  }
  const std::uint64_t* words() const { return words_.get(); }

 private:
  static constexpr std::size_t kPage = std::size_t{2} << 20;
  std::unique_ptr<std::uint64_t, decltype(&std::free)> words_;
};

// Several places at once, each fetched ahead, and a sum per word of a cache line, so that nothing
// waits for anything but the memory.
std::uint64_t sum_of(const std::uint64_t* words, std::size_t count) {
  constexpr std::size_t kPlaces = 4;
  constexpr std::size_t kLine = 8;
  constexpr std::size_t kAhead = 32 * kLine;
  const std::size_t part = count / kPlaces / kLine * kLine;
  std::uint64_t sums[kLine] = {};
  for (std::size_t i = 0; i < part; i += kLine) {
    for (std::size_t place = 0; place < kPlaces; ++place) {
      const std::uint64_t* line = words + place * part + i;
      __builtin_prefetch(line + kAhead);
      for (std::size_t j = 0; j < kLine; ++j) sums[j] += line[j];
    }
  }
  return std::accumulate(sums, sums + kLine, std::uint64_t{0});
}

double read_gigabytes(int threads) {
  // About the weights of the full network.
  constexpr std::size_t kWords = std::size_t{20} << 20;
  const auto parts = static_cast<std::size_t>(threads);
  const LargePages memory(kWords * sizeof(std::uint64_t));
  std::vector<std::uint64_t> sums(parts);
  const double seconds = best_seconds(threads, [&] {
    const auto read = [&](std::size_t part) {
      sums[part] = sum_of(memory.words() + kWords / parts * part, kWords / parts);
    };
    std::vector<std::thread> readers;
    for (std::size_t part = 1; part < parts; ++part) readers.emplace_back(read, part);
    read(0);
    for (std::thread& reader : readers) reader.join();
  });
  // Using the sums keeps the reads from being optimised away.
  const auto total = std::accumulate(sums.begin(), sums.end(), std::uint64_t{0});
  return static_cast<double>(total) * sizeof(std::uint64_t) / seconds * 1e-9;
}

}  // namespace

MachinePeaks measure_machine_peaks(int threads) {
  return {gemm_gflops(threads), read_gigabytes(threads)};
}

double peak_resident_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

}  // namespace pointtree::cli
