// SPDX-License-Identifier: Apache-2.0

// What libhdf5 accepts, our readers must still judge: arrays of any rank, size and type under the
// names that data sets use. The container itself is always whole; its damage is libhdf5's concern.
#include <hdf5.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "datasets/hdf5_dataset.hpp"
#include "raw_values.hpp"

namespace {

using namespace pointtree;  // NOLINT(google-build-using-namespace)

constexpr std::size_t kMaxWritten = 1 << 12;

hid_t type_of(std::uint8_t choice) {
  const hid_t types[] = {H5T_NATIVE_FLOAT, H5T_NATIVE_UINT8, H5T_STD_I64BE,  H5T_IEEE_F64LE,
                         H5T_STD_U16LE,    H5T_C_S1,         H5T_NATIVE_INT, H5T_STD_REF_OBJ};
  return types[choice % 8];
}

/// Mostly small, sometimes any 64-bit number.
hsize_t extent_of(fuzz::RawValues& values) {
  const auto small = values.take<std::uint8_t>();
  return small == 0xFF ? values.take<std::uint64_t>() : small % 9;
}

void add_array(hid_t file, const char* name, fuzz::RawValues& values) {
  const auto choice = values.take<std::uint8_t>();
  if (choice == 0) return;
  const int rank = choice % 10;
  std::vector<hsize_t> extents;
  hsize_t total = 1;
  bool writable = true;
  for (int i = 0; i < rank; ++i) {
    extents.push_back(extent_of(values));
    writable = writable && extents.back() <= kMaxWritten;
    total *= writable ? extents.back() : 1;
    writable = writable && total <= kMaxWritten;
  }
  const hid_t type = type_of(values.take<std::uint8_t>());
  const hid_t space = H5Screate_simple(rank, extents.data(), nullptr);
  const hid_t dataset = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  if (dataset >= 0 && writable && (choice & 0x40U) == 0) {
    std::vector<std::uint8_t> bytes(total * H5Tget_size(type));
    for (auto& byte : bytes) byte = values.take<std::uint8_t>();
    H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data());
  }
  if (dataset >= 0) H5Dclose(dataset);
  if (space >= 0) H5Sclose(space);
}

/// libhdf5 opens no descriptor, so this one is on disk, in memory where there is such a folder.
class ScratchFile {
 public:
  ScratchFile() {
    const std::filesystem::path memory = "/dev/shm";
    const auto folder =
        std::filesystem::exists(memory) ? memory : std::filesystem::temp_directory_path();
    path_ = folder / ("pointtree-fuzz-" + std::to_string(::getpid()) + ".h5");
  }
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;
  ~ScratchFile() { std::filesystem::remove(path_); }

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

void write_file(const std::string& path, fuzz::RawValues& values) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  if (file < 0) std::abort();
  for (const char* name : {"data", "label", "pid", "normal"}) add_array(file, name, values);
  H5Fclose(file);
}

void check(const datasets::Dataset& dataset, std::size_t classes, std::size_t parts) {
  for (std::size_t i = 0; i < dataset.size(); ++i) {
    const auto example = dataset.at(i);
    if (!example.points.allFinite()) std::abort();
    if (example.label < -1 || example.label >= static_cast<std::int32_t>(classes)) std::abort();
    for (const auto part : example.point_labels) {
      if (part < 0 || part >= static_cast<std::int32_t>(parts)) std::abort();
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static ScratchFile file;
  fuzz::RawValues values(data, size);
  const auto wanted = values.take<std::uint8_t>();
  write_file(file.path(), values);
  datasets::Hdf5Layout layout;
  if ((wanted & 1U) != 0) layout.label = "label";
  if ((wanted & 2U) != 0) layout.point_labels = "pid";
  if ((wanted & 8U) != 0) layout.columns = 6;
  datasets::DatasetInfo info;
  info.classes = {"a", "b", "c"};
  info.point_classes = {"p", "q"};
  try {
    check(*datasets::open_hdf5_dataset({file.path()}, layout, info, std::nullopt), 3, 2);
  } catch (const std::runtime_error& error) {
    if (std::string(error.what()).find(file.path().string()) == std::string::npos) std::abort();
  }
  return 0;
}
