# SPDX-License-Identifier: Apache-2.0
# Finds LibTorch in a LibTorch archive, a distribution's prefix or a PyPI wheel and defines
#   LibTorch::LibTorch   the CPU part: libtorch_cpu and libc10
#   LibTorch::Cuda       the CUDA part, where the installation has one; LibTorch_CUDA_COMPLETE tells whether the
#                        libraries that it links are there too
# The wheel's own CMake package stops without a CUDA toolkit even for CPU use, so only its
# headers and libraries are used here.
# Hints: LibTorch_ROOT, Torch_DIR, POINTTREE_VENV (a virtual environment with the wheel).
set(_hints ${LibTorch_ROOT} $ENV{LibTorch_ROOT})
if(Torch_DIR)
  get_filename_component(_from_torch_dir "${Torch_DIR}/../../.." ABSOLUTE)
  list(APPEND _hints "${_from_torch_dir}")
endif()
foreach(_venv ${POINTTREE_VENV} $ENV{POINTTREE_VENV})
  file(GLOB _wheel "${_venv}/lib/python3*/site-packages/torch")
  list(APPEND _hints ${_wheel})
endforeach()

# Searched in the hinted places first; system folders last, since Debian's own LibTorch is older and slower.
find_path(LibTorch_INCLUDE_DIR ATen/ATen.h HINTS ${_hints} PATH_SUFFIXES include)
find_path(LibTorch_API_INCLUDE_DIR torch/torch.h
  HINTS ${_hints} PATH_SUFFIXES include/torch/csrc/api/include)
find_library(LibTorch_CPU_LIBRARY torch_cpu HINTS ${_hints} PATH_SUFFIXES lib)
find_library(LibTorch_C10_LIBRARY c10 HINTS ${_hints} PATH_SUFFIXES lib)
find_library(LibTorch_CUDA_LIBRARY torch_cuda HINTS ${_hints} PATH_SUFFIXES lib)
find_library(LibTorch_C10_CUDA_LIBRARY c10_cuda HINTS ${_hints} PATH_SUFFIXES lib)

foreach(_header "${LibTorch_INCLUDE_DIR}/torch/headeronly/version.h" "${LibTorch_API_INCLUDE_DIR}/torch/version.h")
  if(EXISTS "${_header}")
    file(STRINGS "${_header}" _numbers REGEX "define TORCH_VERSION_(MAJOR|MINOR|PATCH) ")
    string(REGEX REPLACE "#define TORCH_VERSION_[A-Z]+ " "" _numbers "${_numbers}")
    string(REPLACE ";" "." LibTorch_VERSION "${_numbers}")
    break()
  endif()
endforeach()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LibTorch
  REQUIRED_VARS LibTorch_CPU_LIBRARY LibTorch_C10_LIBRARY LibTorch_INCLUDE_DIR LibTorch_API_INCLUDE_DIR
  VERSION_VAR LibTorch_VERSION
  REASON_FAILURE_MESSAGE "a robot needs none: -DPOINTTREE_LAB=OFF. Else set LibTorch_ROOT or Torch_DIR, or run ./tools/setup, which installs the wheel")

if(LibTorch_FOUND)
  get_filename_component(LibTorch_RPATH "${LibTorch_CPU_LIBRARY}" DIRECTORY)
  get_filename_component(LibTorch_PREFIX "${LibTorch_RPATH}" DIRECTORY)
  # The wheel keeps the CUDA runtime that libtorch_cpu names in a package beside it.
  file(GLOB _cuda_runtime "${LibTorch_RPATH}/../../nvidia/cu*/lib")
  if(NOT TARGET LibTorch::LibTorch)
    add_library(LibTorch::LibTorch INTERFACE IMPORTED)
    target_include_directories(LibTorch::LibTorch SYSTEM INTERFACE
      "${LibTorch_INCLUDE_DIR}" "${LibTorch_API_INCLUDE_DIR}")
    target_link_libraries(LibTorch::LibTorch INTERFACE "${LibTorch_CPU_LIBRARY}" "${LibTorch_C10_LIBRARY}")
    foreach(_folder ${LibTorch_RPATH} ${_cuda_runtime})
      target_link_options(LibTorch::LibTorch INTERFACE "LINKER:-rpath-link,${_folder}")
    endforeach()
  endif()
  if(LibTorch_CUDA_LIBRARY AND LibTorch_C10_CUDA_LIBRARY AND NOT TARGET LibTorch::Cuda)
    add_library(LibTorch::Cuda INTERFACE IMPORTED)
    target_link_libraries(LibTorch::Cuda INTERFACE LibTorch::LibTorch
      "-Wl,--no-as-needed,${LibTorch_CUDA_LIBRARY},--as-needed" "${LibTorch_C10_CUDA_LIBRARY}")
    # The wheel keeps these in packages beside it, an archive among its own libraries.
    file(GLOB _cuda_folders "${LibTorch_RPATH}/../../nvidia/*/lib")
    set(LibTorch_CUDA_COMPLETE ON)
    foreach(_name cublas.so.13 cudnn.so.9 cusparseLt.so.0 nccl.so.2 nvshmem_host.so.3)
      string(REGEX REPLACE "[.].*" "" _plain ${_name})
      find_library(LibTorch_${_plain}_LIBRARY NAMES lib${_name} ${_plain}
        HINTS ${LibTorch_RPATH} ${_cuda_folders} NO_CACHE)
      if(NOT LibTorch_${_plain}_LIBRARY)
        set(LibTorch_CUDA_COMPLETE OFF)
      endif()
    endforeach()
    foreach(_folder ${_cuda_folders})
      target_link_options(LibTorch::Cuda INTERFACE "LINKER:-rpath-link,${_folder}")
    endforeach()
  endif()
endif()
mark_as_advanced(LibTorch_INCLUDE_DIR LibTorch_API_INCLUDE_DIR LibTorch_CPU_LIBRARY LibTorch_C10_LIBRARY
  LibTorch_CUDA_LIBRARY LibTorch_C10_CUDA_LIBRARY)
