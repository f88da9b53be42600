// SPDX-License-Identifier: Apache-2.0
#include "io/interrupt.hpp"

#include <csignal>

namespace pointtree::io {

namespace {

volatile std::sig_atomic_t interrupt_requested = 0;

void request_interrupt(int signal_number) {
  if (interrupt_requested != 0) {
    // The user insists: die as if there had been no handler.
    std::signal(signal_number, SIG_DFL);
    std::raise(signal_number);
  }
  interrupt_requested = 1;
}

}  // namespace

InterruptGuard::InterruptGuard() {
  interrupt_requested = 0;
  std::signal(SIGINT, request_interrupt);
  std::signal(SIGTERM, request_interrupt);
}

InterruptGuard::~InterruptGuard() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

bool InterruptGuard::requested() const { return interrupt_requested != 0; }

}  // namespace pointtree::io
