// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "device_backend.hpp"
#include "implementation.hpp"

namespace pointtree::inference::engine {

/// An engine on a device: batches that do not fit are halved, and a device that fails costs the
/// frame.
class DeviceImplementation final : public Engine::Implementation {
 public:
  using Notice = std::function<void(const std::string&)>;

  /// Warms up with full batches and smaller, so that what does not fit shows now.
  DeviceImplementation(EngineInfo info, std::unique_ptr<DeviceBackend> backend, int max_batch,
                       Notice notice);

  Answers<Classification> classify(const std::vector<CloudInput>& clouds) override;
  Answers<Segmentation> segment(const std::vector<CloudInput>& clouds) override;

  /// Clouds of a pass, after what halving there was.
  std::size_t batch() const { return batch_; }

 private:
  void warm_up();

  /// Calls take(answer, clouds) for every pass.
  template <typename Take>
  void run(const std::vector<CloudInput>& clouds, const Take& take);
  void halve(std::size_t count, const std::string& reason);

  std::unique_ptr<DeviceBackend> backend_;
  Notice notice_;
  std::mutex mutex_;  // one stream, one batch at a time
  std::size_t batch_;
};

/// The engine on a device or, where it can't be made for whatever reason, on the CPU;
/// notice(reason) reports it. LibTorch's errors derive from std::exception only.
template <typename OnDevice, typename OnCpu, typename Notice>
std::unique_ptr<Engine::Implementation> device_or_cpu(const OnDevice& on_device,
                                                      const OnCpu& on_cpu, const Notice& notice) {
  try {
    return on_device();
  } catch (const std::exception& error) {
    notice(error.what());
  }
  return on_cpu();
}

}  // namespace pointtree::inference::engine
