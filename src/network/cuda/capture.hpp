// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>

namespace pointtree::network::cuda {

/// Whether a step went through.
template <typename Step>
bool succeeds(const Step& step) {
  try {
    step();
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

/// Captures what work() puts into the stream; returns whether there is a graph, which only saves
/// time. A capture that fails is ended all the same, since until then neither stream nor allocator
/// can be used: by end() or, where that fails too, by abandon().
template <typename Begin, typename Work, typename End, typename Abandon>
bool capture(const Begin& begin, const Work& work, const End& end, const Abandon& abandon) {
  const bool complete = succeeds(begin) && succeeds(work);
  const bool ended = succeeds(end);
  if (!ended) succeeds(abandon);
  return complete && ended;
}

}  // namespace pointtree::network::cuda
