#pragma once

#include <CLI/CLI.hpp>

/// Each sub-command lives in a file of its own and adds itself to the program.
namespace pointtree::cli {}
