# SPDX-License-Identifier: Apache-2.0
# Compiler and linker options that make a mistake in memory hard to turn into an attack: checked calls of the C library,
# guarded stacks, no computed jumps to where no function begins, programs at random addresses, and tables of
# foreign functions that are filled at start and read-only from then on. test/package/test_hardening.py reads what was
# built. Sanitizers bring checks of their own, which these would hide.
option(POINTTREE_HARDEN "Build with the compiler's and the linker's protections" ON)
if(NOT POINTTREE_HARDEN OR POINTTREE_SANITIZE OR POINTTREE_COVERAGE OR POINTTREE_FUZZ)
  return()
endif()

include(CheckPIESupported)
check_pie_supported()  # CMAKE_POSITION_INDEPENDENT_CODE then links programs so too

include(CheckCXXCompilerFlag)
foreach(flag -fstack-protector-strong -fstack-clash-protection -fcf-protection=full -mbranch-protection=standard)
  string(MAKE_C_IDENTIFIER "POINTTREE_HAS${flag}" known)
  check_cxx_compiler_flag(${flag} ${known})
  if(${known})
    add_compile_options($<$<COMPILE_LANGUAGE:C,CXX>:${flag}>)
  endif()
endforeach()

# Level 3 also knows sizes that are computed while running; from GCC 12 and clang 15. Needs optimisation.
set(fortify 2)
if((CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 12) OR
   (CMAKE_CXX_COMPILER_ID MATCHES "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 15))
  set(fortify 3)
endif()
add_compile_options("$<$<AND:$<COMPILE_LANGUAGE:C,CXX>,$<NOT:$<CONFIG:Debug>>>:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=${fortify}>")
add_link_options("LINKER:-z,relro,-z,now,-z,noexecstack")
