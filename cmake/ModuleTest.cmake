# SPDX-License-Identifier: Apache-2.0
# Python tests run in the project's virtual environment where there is one, those of a sourced ROS 2 with its Python.
find_package(Python3 COMPONENTS Interpreter REQUIRED)
set(POINTTREE_TEST_PYTHON "${Python3_EXECUTABLE}")
if(EXISTS "${POINTTREE_VENV}/bin/python")
  set(POINTTREE_TEST_PYTHON "${POINTTREE_VENV}/bin/python")
endif()

# Sanitizers and counters make everything several times slower.
function(pointtree_set_timeout name seconds)
  if(NOT seconds)
    set(seconds 300)
  endif()
  if(POINTTREE_SANITIZE OR POINTTREE_COVERAGE)
    math(EXPR seconds "5 * ${seconds}")
  endif()
  set_tests_properties(${name} PROPERTIES TIMEOUT ${seconds})
endfunction()

# pointtree_add_test(<name> SOURCES <file>... LINK <target>... [LABELS <label>...] [TIMEOUT <seconds>])
# One GoogleTest program and one ctest entry; results go to test-results/<name>.xml.
function(pointtree_add_test name)
  cmake_parse_arguments(ARG "" "TIMEOUT" "SOURCES;LINK;LABELS" ${ARGN})
  add_executable(test_${name} ${ARG_SOURCES})
  target_link_libraries(test_${name} PRIVATE ${ARG_LINK} pointtree_warnings GTest::gmock GTest::gtest_main)
  target_include_directories(test_${name} PRIVATE ${PROJECT_SOURCE_DIR}/test ${PROJECT_SOURCE_DIR}/src)
  add_test(NAME ${name}
    COMMAND test_${name} --gtest_output=xml:${PROJECT_BINARY_DIR}/test-results/${name}.xml)
  set_tests_properties(${name} PROPERTIES LABELS "${ARG_LABELS}")
  pointtree_set_timeout(${name} "${ARG_TIMEOUT}")
endfunction()

# pointtree_add_pytest(<name> <file.py>... [LABELS <label>...] [TIMEOUT <seconds>] [PYTHON <interpreter>])
# Python tests, run with the project's virtual environment unless told otherwise, and told where the build is. They start
# programs without an emulator, so there are none in a build for another processor.
function(pointtree_add_pytest name)
  if(CMAKE_CROSSCOMPILING)
    return()
  endif()
  cmake_parse_arguments(ARG "" "TIMEOUT;PYTHON" "LABELS" ${ARGN})
  if(NOT ARG_PYTHON)
    set(ARG_PYTHON "${POINTTREE_TEST_PYTHON}")
  endif()
  list(TRANSFORM ARG_UNPARSED_ARGUMENTS PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/")
  add_test(NAME ${name}
    COMMAND ${ARG_PYTHON} -m pytest -q -p no:cacheprovider ${ARG_UNPARSED_ARGUMENTS}
      --junitxml=${PROJECT_BINARY_DIR}/test-results/${name}.xml)
  pointtree_set_timeout(${name} "${ARG_TIMEOUT}")
  # pytest ends with 5 where a whole file was skipped, for want of a package from PyPI; its report has the reason.
  set_tests_properties(${name} PROPERTIES LABELS "${ARG_LABELS}" SKIP_RETURN_CODE 5
    ENVIRONMENT "POINTTREE_VENV=${POINTTREE_VENV};POINTTREE_BUILD=${PROJECT_BINARY_DIR};POINTTREE_SOURCE=${PROJECT_SOURCE_DIR};PYTHONDONTWRITEBYTECODE=1")
endfunction()
