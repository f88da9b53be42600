#pragma once

namespace pointtree::cli {

/// Processor time of this process where one thread does all the work, so that other programs do not
/// count; else wall time.
double seconds_now(int threads);

/// What bounds a network on this machine, measured with `threads` threads.
struct MachinePeaks {
  double gemm_gflops = 0.0;     ///< LibTorch's float32 matrix product, 1,024³
  double read_gigabytes = 0.0;  ///< per second, from memory far larger than the caches
};

/// Measures both, the best of several runs each; takes about a second.
MachinePeaks measure_machine_peaks(int threads);

/// The largest resident size of this process so far, in megabytes.
double peak_resident_megabytes();

}  // namespace pointtree::cli
