// SPDX-License-Identifier: Apache-2.0
#include "io/atomic_file.hpp"

#include <utility>

#include "output_file.hpp"
#include "staged_path.hpp"

namespace pointtree::io {

struct AtomicFile::Content {
  explicit Content(std::filesystem::path path) : staged(std::move(path)), file(staged.staging()) {}

  StagedPath staged;
  OutputFile file;
};

AtomicFile::AtomicFile(std::filesystem::path path)
    : content_(std::make_unique<Content>(std::move(path))) {}

AtomicFile::~AtomicFile() = default;

void AtomicFile::write(const void* data, std::size_t size) {
  content_->file.write({static_cast<const std::uint8_t*>(data), size});
}

void AtomicFile::commit() {
  content_->file.commit();
  content_->staged.commit(true);
}

}  // namespace pointtree::io
