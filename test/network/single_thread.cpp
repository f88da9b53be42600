// SPDX-License-Identifier: Apache-2.0
#include <ATen/Parallel.h>
#include <gtest/gtest.h>

namespace pointtree::network {
namespace {

/// Networks this small only lose time to a pool of threads.
class SingleThread : public testing::Environment {
 public:
  void SetUp() override { at::set_num_threads(1); }
};

const testing::Environment* const kSingleThread =
    testing::AddGlobalTestEnvironment(new SingleThread);

}  // namespace
}  // namespace pointtree::network
