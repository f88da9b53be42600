// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>

namespace pointtree::geometry {

/// The number of threads meant by an option: 0 is as many as there are cores.
int thread_count(int threads);

/// Runs task(0) … task(count − 1) on up to `threads` threads (0: as many as cores), the caller
/// being one of them. Every task runs; the exception of the first failing task in order of number
/// is rethrown afterwards.
void for_each_in_parallel(std::size_t count, int threads,
                          const std::function<void(std::size_t)>& task);

}  // namespace pointtree::geometry
