// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime_api.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <memory>
#include <utility>

#include "fat_binary.hpp"
#include "machine.hpp"

// The entry points of libcudart that the geometry kernels use, on a simulated device: preload this
// library, and a program's embedded PTX runs on the CPU. A program that was reported ends with
// status 3. The environment chooses
//   PTXSIM_ARCHITECTURE  oldest or newest (default) of the PTX embedded
//   PTXSIM_ORDER         of threads and blocks: ascending, reversed or random (default)
//   PTXSIM_SEED          of the random order
//   PTXSIM_MUTANTS       every barrier is removed once; least percentage that must be missed
//   PTXSIM_COVERAGE      least percentage of a kernel's instructions that must have run
namespace pointtree::ptxsim {
namespace {

std::string setting(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr ? otherwise : value;
}

Order chosen_order() {
  const std::string order = setting("PTXSIM_ORDER", "random");
  if (order == "ascending") return Order::ascending;
  return order == "reversed" ? Order::reversed : Order::random;
}

/// A kernel in the stream. As on a device, it runs no earlier than somebody waits for it.
struct Launch {
  const Function* kernel;
  Grid grid;
  std::vector<std::byte> arguments;
};

class Device {
 public:
  Device() : machine_(chosen_order(), std::stoull(setting("PTXSIM_SEED", "1"))) {}

  ~Device() {
    wait();
    for (const auto& [address, size] : allocated_) {
      machine_.report("an allocation of " + std::to_string(size) + " bytes was never freed");
    }
    if (kernels_.empty()) return;
    check_coverage();
    check_mutants();
    std::fprintf(stderr, "ptxsim: compute_%u, %zu launches, %zu barriers removed, %zu reports\n",
                 architecture_, launches_, machine_.barriers().size(), machine_.reports().size());
    for (const auto& [what, count] : machine_.reports()) {
      std::fprintf(stderr, "ptxsim: %s (%llu times)\n", what.c_str(),
                   static_cast<unsigned long long>(count));
    }
    if (machine_.reports().empty()) return;
    std::fflush(nullptr);
    _exit(3);
  }

  void add_binary(const void* binary) { binary_ = binary; }
  void add_kernel(const void* host, const char* name) { kernels_[host] = name; }

  cudaError_t allocate(void** pointer, std::size_t size) {
    *pointer = nullptr;
    if (size == 0) return cudaSuccess;
    constexpr std::size_t kMemory = std::size_t{1} << 36;
    if (size > kMemory) return fail(cudaErrorMemoryAllocation);
    const GlobalMemory::Address address = machine_.memory().allocate(size);
    allocated_[address] = size;
    *pointer = reinterpret_cast<void*>(address);
    return cudaSuccess;
  }

  cudaError_t release(const void* pointer) {
    wait();
    if (pointer == nullptr) return cudaSuccess;
    const auto address = reinterpret_cast<GlobalMemory::Address>(pointer);
    if (allocated_.erase(address) == 0) return fail(cudaErrorInvalidValue);
    machine_.memory().release(address);
    return cudaSuccess;
  }

  cudaError_t copy(void* to, const void* from, std::size_t size, cudaMemcpyKind kind) {
    wait();
    if (size == 0) return cudaSuccess;
    const bool up = kind == cudaMemcpyHostToDevice;
    const auto address = reinterpret_cast<GlobalMemory::Address>(up ? to : from);
    const auto [region, offset] = machine_.memory().find(address, size);
    if (region == nullptr) return fail(cudaErrorInvalidValue);
    std::byte* place = region->bytes.data() + offset;
    if (up) {
      std::memcpy(place, from, size);
      region->initialise(offset, size);
    } else {
      if (!region->initialised(offset, size)) machine_.report("the host reads what nobody wrote");
      std::memcpy(to, place, size);
    }
    return state();
  }

  cudaError_t launch(const void* host, dim3 blocks, dim3 threads, void** arguments,
                     std::size_t shared_bytes) {
    constexpr std::size_t kMostShared = 48 << 10;  // without asking for more
    if (!module_) load();
    const Function* kernel = find(host);
    if (kernel == nullptr) return fail(cudaErrorInvalidDeviceFunction);
    const bool flat = blocks.y * blocks.z * threads.y * threads.z == 1;
    if (!flat || blocks.x == 0 || blocks.x > 0x7FFFFFFF || threads.x == 0 ||
        threads.x > kernel->most_threads || shared_bytes > kMostShared) {
      return fail(cudaErrorInvalidConfiguration);
    }
    Launch launch{kernel, {blocks.x, threads.x, shared_bytes}, {}};
    for (std::size_t i = 0; i < kernel->parameters.size(); ++i) {
      const auto& [offset, size] = kernel->parameters[i];
      launch.arguments.resize(offset + size);
      std::memcpy(launch.arguments.data() + offset, arguments[i], size);
    }
    stream_.push_back(std::move(launch));
    return cudaSuccess;
  }

  /// Runs what is in the stream.
  void wait() {
    for (; !stream_.empty(); stream_.pop_front()) {
      const Launch& next = stream_.front();
      ++launches_;
      if (least_noticed_ > 0) {
        machine_.launch_mutants(*next.kernel, next.grid, next.arguments);
      } else {
        machine_.launch(*next.kernel, next.grid, next.arguments);
      }
    }
  }

  cudaError_t state() const {
    return machine_.reports().empty() ? cudaSuccess : cudaErrorLaunchFailure;
  }

  cudaError_t fail(cudaError_t error) { return last_error_ = error; }
  cudaError_t last_error() { return std::exchange(last_error_, cudaSuccess); }

  std::vector<Grid>& configurations() { return configurations_; }

 private:
  const Function* find(const void* host) {
    const auto name = kernels_.find(host);
    if (!module_ || name == kernels_.end()) return nullptr;
    const auto kernel = module_->functions().find(name->second);
    return kernel == module_->functions().end() ? nullptr : &kernel->second;
  }

  void load() {
    try {
      const auto texts = embedded_ptx(binary_);
      if (texts.empty()) throw std::runtime_error("the program has no PTX");
      const bool oldest = setting("PTXSIM_ARCHITECTURE", "newest") == "oldest";
      const auto& [architecture, text] = oldest ? *texts.begin() : *texts.rbegin();
      architecture_ = architecture;
      module_ = std::make_unique<Module>(text, machine_.memory());
    } catch (const std::exception& error) {
      machine_.report(error.what());
    }
  }

  void check_mutants() {
    std::size_t noticed = 0;
    for (const auto& [line, barrier] : machine_.barriers()) {
      noticed += barrier.noticed ? 1 : 0;
      if (barrier.noticed) continue;
      std::fprintf(stderr, "ptxsim: nobody misses the barrier in line %u of %s\n", line,
                   barrier.kernel.c_str());
    }
    if (100 * noticed < least_noticed_ * machine_.barriers().size()) {
      machine_.report("too many barriers are not missed");
    }
  }

  void check_coverage() {
    const unsigned long least = std::stoul(setting("PTXSIM_COVERAGE", "0"));
    for (const auto& [host, name] : kernels_) {
      const Function* kernel = find(host);
      if (kernel == nullptr) continue;
      std::size_t covered = 0;
      for (const std::uint64_t count : machine_.counts(*kernel)) covered += count > 0 ? 1 : 0;
      const std::size_t percent = 100 * covered / kernel->code.size();
      std::fprintf(stderr, "ptxsim: %3zu %% of %zu instructions of %s\n", percent,
                   kernel->code.size(), name.c_str());
      if (percent < least) machine_.report("too little of a kernel ran: " + name);
    }
  }

  const unsigned long least_noticed_ = std::stoul(setting("PTXSIM_MUTANTS", "0"));
  const void* binary_ = nullptr;
  std::map<const void*, std::string> kernels_;
  Machine machine_;
  unsigned architecture_ = 0;
  std::unique_ptr<Module> module_;
  std::map<GlobalMemory::Address, std::size_t> allocated_;
  std::deque<Launch> stream_;
  std::vector<Grid> configurations_;
  std::size_t launches_ = 0;
  cudaError_t last_error_ = cudaSuccess;
};

/// Kernels are registered before main begins.
Device& device() {
  static Device device;
  return device;
}

}  // namespace
}  // namespace pointtree::ptxsim

using pointtree::ptxsim::device;

extern "C" {

void** __cudaRegisterFatBinary(void* binary) {
  static void* handle = nullptr;
  device().add_binary(binary);
  return &handle;
}
void __cudaRegisterFatBinaryEnd(void** /*handle*/) {}
void __cudaUnregisterFatBinary(void** /*handle*/) {}
void __cudaRegisterFunction(void** /*handle*/, const char* host, char* /*device_function*/,
                            const char* name, int /*thread_limit*/, uint3* /*tid*/, uint3* /*bid*/,
                            dim3* /*threads*/, dim3* /*blocks*/, int* /*warp_size*/) {
  device().add_kernel(host, name);
}

cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* host) {
  *kernel = static_cast<cudaKernel_t>(const_cast<void*>(host));
  return cudaSuccess;
}

unsigned __cudaPushCallConfiguration(dim3 blocks, dim3 threads, size_t shared_bytes,
                                     cudaStream_t /*stream*/) {
  device().configurations().push_back({blocks.x, threads.x, shared_bytes});
  return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3* blocks, dim3* threads, size_t* shared_bytes,
                                       void* stream) {
  const auto grid = device().configurations().back();
  device().configurations().pop_back();
  *blocks = dim3(grid.blocks);
  *threads = dim3(grid.threads);
  *shared_bytes = grid.shared_bytes;
  *static_cast<cudaStream_t*>(stream) = nullptr;
  return cudaSuccess;
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 blocks, dim3 threads, void** arguments,
                               size_t shared_bytes, cudaStream_t /*stream*/) {
  return device().launch(kernel, blocks, threads, arguments, shared_bytes);
}
cudaError_t cudaLaunchKernel(const void* host, dim3 blocks, dim3 threads, void** arguments,
                             size_t shared_bytes, cudaStream_t /*stream*/) {
  return device().launch(host, blocks, threads, arguments, shared_bytes);
}

cudaError_t cudaGetDeviceCount(int* count) {
  *count = 1;
  return cudaSuccess;
}
cudaError_t cudaPeekAtLastError() { return device().fail(device().last_error()); }
cudaError_t cudaGetLastError() { return device().last_error(); }
const char* cudaGetErrorString(cudaError_t error) {
  switch (error) {
    case cudaSuccess:
      return "no error";
    case cudaErrorInvalidConfiguration:
      return "invalid configuration argument";
    case cudaErrorLaunchFailure:
      return "unspecified launch failure";
    default:
      return "error of the simulated device";
  }
}
cudaError_t cudaMalloc(void** pointer, size_t size) { return device().allocate(pointer, size); }
cudaError_t cudaFree(void* pointer) { return device().release(pointer); }
cudaError_t cudaMemcpy(void* to, const void* from, size_t size, cudaMemcpyKind kind) {
  return device().copy(to, from, size, kind);
}
cudaError_t cudaMemset(void* to, int value, size_t size) {
  const std::vector<unsigned char> bytes(size, static_cast<unsigned char>(value));
  return device().copy(to, bytes.data(), size, cudaMemcpyHostToDevice);
}
}
