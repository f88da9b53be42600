// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace pointtree::io {

/// All that a command writes: nothing is lost, and nothing half-written appears.
///
/// Every output is claimed before the work, written at a temporary place, and appears under its
/// name with commit(), once all of it is whole. Claiming refuses a place that can't be written, an
/// output that is an input or part of one (also through links), the same output twice, and, unless
/// `overwrite`, what already exists. All functions throw std::runtime_error naming the path and
/// what to do.
class Outputs {
 public:
  /// The inputs are files and folders that the command reads; empty and missing ones are ignored.
  Outputs(bool overwrite, const std::vector<std::filesystem::path>& inputs);
  ~Outputs();
  Outputs(const Outputs&) = delete;
  Outputs& operator=(const Outputs&) = delete;

  /// Claims a file and returns the temporary path to write it at, of the same name. An empty path
  /// stays empty. What is no regular file, such as /dev/stdout, is written to with commit().
  std::filesystem::path file(const std::filesystem::path& path);

  /// Claims a folder likewise; the temporary one is empty. An existing folder is replaced as a
  /// whole, and only where `ours` holds for every name in it, so that no stranger's file is lost.
  std::filesystem::path folder(const std::filesystem::path& path,
                               const std::function<bool(const std::filesystem::path& name)>& ours);

  /// Puts everything that was written in its place.
  void commit();

 private:
  struct Claim;

  std::filesystem::path claim(const std::filesystem::path& path);
  void refuse_inputs(const std::filesystem::path& path,
                     const std::filesystem::path& resolved) const;

  bool overwrite_;
  std::vector<std::filesystem::path> inputs_;
  std::vector<std::unique_ptr<Claim>> claims_;
};

}  // namespace pointtree::io
