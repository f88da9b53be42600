// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <thread>

#include "standalone_node.hpp"

int main(int argc, char** argv) {
  // Blocked before any thread begins, so that only this one sees them.
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  try {
    pointtree::ros::StandaloneNode node(argc, argv);
    std::exception_ptr failure;
    std::thread spinning([&] {
      try {
        node.spin();
      } catch (...) {
        failure = std::current_exception();
        kill(getpid(), SIGTERM);
      }
    });
    int received = 0;
    sigwait(&signals, &received);
    node.stop();
    spinning.join();
    if (failure) std::rethrow_exception(failure);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "pointtree node: %s\n", error.what());
    return 1;
  }
  return 0;
}
