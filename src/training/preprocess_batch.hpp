// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "network/tensor_preprocessor.hpp"
#include "training/batch.hpp"

namespace pointtree::training {

/// What the loader has left to the device: takes a batch of clouds in any order to the device,
/// poses them, builds their trees, augments the coordinates as drawn and puts everything into leaf
/// order. A batch that is in leaf order already is handed back as it is.
Batch preprocessed(Batch batch, network::TensorPreprocessor& preprocessor, c10::Device device);

}  // namespace pointtree::training
