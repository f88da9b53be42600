#include "machine_peaks.hpp"

#include <ATen/Functions.h>
#include <ATen/Parallel.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <ctime>
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

double read_gigabytes(int threads) {
  constexpr std::size_t kWords = std::size_t{16} << 20;
  const auto parts = static_cast<std::size_t>(threads);
  const std::vector<std::uint64_t> memory(kWords, 1);
  std::vector<std::uint64_t> sums(parts);
  const double seconds = best_seconds(threads, [&] {
    std::vector<std::thread> readers;
    for (std::size_t part = 0; part < parts; ++part) {
      readers.emplace_back([&, part] {
        const auto* begin = memory.data() + kWords / parts * part;
        sums[part] = std::accumulate(begin, begin + kWords / parts, std::uint64_t{0});
      });
    }
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
