// SPDX-License-Identifier: Apache-2.0
#include "hdf5_file.hpp"

#include <hdf5.h>

#include <algorithm>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace pointtree::datasets {
namespace {

constexpr std::size_t kMaximumRank = 8;
constexpr std::size_t kChunkValues =
    1 << 16;  // enough to compress well, small enough to read one cloud
constexpr unsigned kDeflateLevel = 4;
// A damaged header can claim any size; nobody wants more than this at once.
constexpr double kMaximumValuesPerRead = 1 << 30;
// Values per stored byte: deflate packs 1032 bytes into one at best.
constexpr double kMaximumExpansion = 1032;

std::mutex& library_mutex() {
  static std::mutex mutex;
  return mutex;
}

// Holds the library while silencing its own error printing, which is a setting of the thread.
class LibraryLock {
 public:
  LibraryLock() : lock_(library_mutex()) { H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); }

 private:
  std::lock_guard<std::mutex> lock_;
};

// Closes an HDF5 handle at the end of its scope.
class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  hid_t get() const { return id_; }
  bool valid() const { return id_ >= 0; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& what) {
  throw std::runtime_error(path.string() + ": " + what);
}

// The array's lengths, none of which can then be larger than what is stored allows.
std::vector<std::size_t> shape_of(const std::filesystem::path& path, const std::string& name,
                                  hid_t dataset) {
  const Handle space(H5Dget_space(dataset), H5Sclose);
  const int rank = space.valid() ? H5Sget_simple_extent_ndims(space.get()) : -1;
  if (rank < 1 || rank > static_cast<int>(kMaximumRank)) {
    fail(path, "array '" + name + "' is not a plain array of 1 to 8 dimensions");
  }
  std::vector<hsize_t> lengths(static_cast<std::size_t>(rank));
  H5Sget_simple_extent_dims(space.get(), lengths.data(), nullptr);
  const double claimed = std::accumulate(lengths.begin(), lengths.end(), 1.0, std::multiplies<>());
  if (claimed > static_cast<double>(H5Dget_storage_size(dataset)) * kMaximumExpansion) {
    fail(path, "array '" + name + "' claims more values than its bytes can hold");
  }
  return {lengths.begin(), lengths.end()};
}

template <typename T>
std::vector<T> read_rows(hid_t file, const std::filesystem::path& path, const std::string& name,
                         std::size_t first, std::size_t count, hid_t memory_type) {
  const Handle dataset(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose);
  if (!dataset.valid()) fail(path, "has no array '" + name + "'");
  const Handle stored_type(H5Dget_type(dataset.get()), H5Tclose);
  const H5T_class_t kind = H5Tget_class(stored_type.get());
  if (kind != H5T_INTEGER && kind != H5T_FLOAT) fail(path, "array '" + name + "' is not numeric");
  const std::vector<std::size_t> shape = shape_of(path, name, dataset.get());
  if (first > shape[0] || count > shape[0] - first) {
    fail(path, "array '" + name + "' has " + std::to_string(shape[0]) + " rows, wanted up to " +
                   std::to_string(first + count));
  }
  std::vector<hsize_t> offset(shape.size(), 0);
  std::vector<hsize_t> block(shape.begin(), shape.end());
  offset[0] = first;
  block[0] = count;
  const double wanted = std::accumulate(block.begin(), block.end(), 1.0, std::multiplies<>());
  if (wanted > kMaximumValuesPerRead) fail(path, "array '" + name + "' is too large to be read");
  std::vector<T> values(static_cast<std::size_t>(wanted));
  if (values.empty()) return values;
  const Handle file_space(H5Dget_space(dataset.get()), H5Sclose);
  H5Sselect_hyperslab(file_space.get(), H5S_SELECT_SET, offset.data(), nullptr, block.data(),
                      nullptr);
  const Handle memory_space(H5Screate_simple(static_cast<int>(block.size()), block.data(), nullptr),
                            H5Sclose);
  if (H5Dread(dataset.get(), memory_type, memory_space.get(), file_space.get(), H5P_DEFAULT,
              values.data()) < 0) {
    fail(path, "array '" + name + "' cannot be read; the file may be damaged");
  }
  return values;
}

void write_array(hid_t file, const std::filesystem::path& path, const std::string& name,
                 const std::vector<std::size_t>& shape, hid_t type, const void* values) {
  const std::vector<hsize_t> lengths(shape.begin(), shape.end());
  const Handle space(H5Screate_simple(static_cast<int>(lengths.size()), lengths.data(), nullptr),
                     H5Sclose);
  const Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  const auto total =
      std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
  if (total > 0) {
    std::vector<hsize_t> chunk = lengths;
    const std::size_t row = total / shape[0];
    chunk[0] = std::clamp<std::size_t>(kChunkValues / row, 1, shape[0]);
    H5Pset_chunk(properties.get(), static_cast<int>(chunk.size()), chunk.data());
    H5Pset_shuffle(properties.get());
    H5Pset_deflate(properties.get(), kDeflateLevel);
  }
  const Handle dataset(
      H5Dcreate2(file, name.c_str(), type, space.get(), H5P_DEFAULT, properties.get(), H5P_DEFAULT),
      H5Dclose);
  if (!dataset.valid() ||
      H5Dwrite(dataset.get(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0) {
    fail(path, "array '" + name + "' cannot be written");
  }
}

}  // namespace

Hdf5File::Hdf5File(std::filesystem::path path, std::int64_t handle)
    : path_(std::move(path)), handle_(handle) {}

Hdf5File::Hdf5File(Hdf5File&& other) noexcept
    : path_(std::move(other.path_)), handle_(std::exchange(other.handle_, -1)) {}

Hdf5File::~Hdf5File() {
  if (handle_ < 0) return;
  const LibraryLock lock;
  H5Fclose(handle_);
}

Hdf5File Hdf5File::open(const std::filesystem::path& path) {
  if (!std::filesystem::exists(path)) fail(path, "no such file");
  const LibraryLock lock;
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  if (file < 0) fail(path, "is not a readable HDF5 file");
  return {path, file};
}

Hdf5File Hdf5File::create(const std::filesystem::path& path) {
  const LibraryLock lock;
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  if (file < 0) fail(path, "cannot be created");
  return {path, file};
}

bool Hdf5File::has(const std::string& name) const {
  const LibraryLock lock;
  return H5Lexists(handle_, name.c_str(), H5P_DEFAULT) > 0;
}

std::vector<std::size_t> Hdf5File::shape(const std::string& name) const {
  const LibraryLock lock;
  const Handle dataset(H5Dopen2(handle_, name.c_str(), H5P_DEFAULT), H5Dclose);
  if (!dataset.valid()) fail(path_, "has no array '" + name + "'");
  return shape_of(path_, name, dataset.get());
}

std::vector<float> Hdf5File::read_floats(const std::string& name, std::size_t first,
                                         std::size_t count) const {
  const LibraryLock lock;
  return read_rows<float>(handle_, path_, name, first, count, H5T_NATIVE_FLOAT);
}

std::vector<std::int32_t> Hdf5File::read_ints(const std::string& name, std::size_t first,
                                              std::size_t count) const {
  const LibraryLock lock;
  return read_rows<std::int32_t>(handle_, path_, name, first, count, H5T_NATIVE_INT32);
}

void Hdf5File::write_floats(const std::string& name, const std::vector<std::size_t>& shape,
                            const float* values) {
  const LibraryLock lock;
  write_array(handle_, path_, name, shape, H5T_NATIVE_FLOAT, values);
}

void Hdf5File::write_ints(const std::string& name, const std::vector<std::size_t>& shape,
                          const std::int32_t* values) {
  const LibraryLock lock;
  write_array(handle_, path_, name, shape, H5T_NATIVE_INT32, values);
}

}  // namespace pointtree::datasets
