// SPDX-License-Identifier: Apache-2.0
#include "training/process_group.hpp"

#include <cstdlib>
#include <stdexcept>
#include <string>

#include "gloo_process_group.hpp"
#include "io/text_lines.hpp"
#include "pointtree/inference/device.hpp"

namespace pointtree::training {

namespace {

// A run of one process needs no messages.
class Alone final : public ProcessGroup {
 public:
  int rank() const override { return 0; }
  int size() const override { return 1; }
  void sum(const at::Tensor&) override {}
  void broadcast(const at::Tensor&) override {}
};

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr)
    throw std::runtime_error(std::string(name) + ": expected beside WORLD_SIZE, found nothing");
  return value;
}

int number(const char* name, int low, int high) {
  const auto text = variable(name);
  const auto value = io::parse_number<int>(text);
  if (!value || *value < low || *value > high) {
    throw std::runtime_error(std::string(name) + ": expected a number from " + std::to_string(low) +
                             " to " + std::to_string(high) + ", found '" + text + "'");
  }
  return *value;
}

}  // namespace

int process_count() {
  return std::getenv("WORLD_SIZE") == nullptr ? 1 : number("WORLD_SIZE", 1, 1 << 20);
}

std::unique_ptr<ProcessGroup> make_process_group(c10::Device device) {
  Rendezvous rendezvous;
  rendezvous.size = process_count();
  if (rendezvous.size == 1) return std::make_unique<Alone>();
  rendezvous.rank = number("RANK", 0, rendezvous.size - 1);
  rendezvous.address = variable("MASTER_ADDR");
  rendezvous.port = number("MASTER_PORT", 1, 65535);
  if (device.is_cpu()) return join_gloo(rendezvous);
  const auto join = reinterpret_cast<JoinNccl>(
      inference::cuda_function(device.index(), kTrainingCudaLibrary, kJoinNcclSymbol));
  return std::unique_ptr<ProcessGroup>(join(rendezvous, device.index()));
}

}  // namespace pointtree::training
