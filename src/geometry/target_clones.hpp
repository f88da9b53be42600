// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Compiles a function once per width of vector registers; the processor's best is chosen when the
/// program is loaded. That does not go together with sanitizers; other processors and compilers
/// take the one version.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define POINTTREE_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define POINTTREE_CLONES
#endif
