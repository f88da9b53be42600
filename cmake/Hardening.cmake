# Linker options that make a mistake in memory hard to turn into an attack: programs at random addresses, no memory that
# is writable and executable, and tables of foreign functions that are filled at start and read-only from then on.
# test/package/test_hardening.py reads what was built. Sanitizers bring checks of their own, which these would hide.
option(POINTTREE_HARDEN "Build with the linker's protections" ON)
if(NOT POINTTREE_HARDEN OR POINTTREE_SANITIZE OR POINTTREE_COVERAGE OR POINTTREE_FUZZ)
  return()
endif()

include(CheckPIESupported)
check_pie_supported()  # CMAKE_POSITION_INDEPENDENT_CODE then links programs so too

add_link_options("LINKER:-z,relro,-z,now,-z,noexecstack")
