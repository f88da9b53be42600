// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>

namespace pointtree::cli {

/// The part of a command's work that this process takes when several share it.
struct Share {
  std::size_t index = 0;
  std::size_t count = 1;

  /// Whether this process takes the piece of work with this number.
  bool takes(std::size_t piece) const { return piece % count == index; }

  /// A name of its own for this process's output: report.json becomes report.0-of-2.json.
  std::filesystem::path own(const std::filesystem::path& path) const;
};

/// The share that the launcher set: RANK and WORLD_SIZE (torchrun), OMPI_COMM_WORLD_* or PMI_*
/// (MPI), SLURM_ARRAY_TASK_* (a Slurm array); all of the work where none is set. Throws
/// std::runtime_error naming the variables where they are no share.
Share share_of_launcher();

}  // namespace pointtree::cli
