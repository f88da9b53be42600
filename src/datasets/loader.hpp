// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "datasets/preparation.hpp"
#include "pointtree/datasets/dataset.hpp"

namespace pointtree::datasets {

/// What a loader delivers, and in which order.
struct LoaderConfig {
  PreparationConfig preparation;
  std::size_t batch_size = 32;  ///< clouds per batch of this process
  std::uint64_t seed = 0;
  bool shuffle = true;    ///< a new order every epoch; otherwise the data set's
  bool drop_last = true;  ///< leave out the clouds that fill no whole batch
  bool fresh =
      true;  ///< new augmentation every epoch; otherwise the same for a cloud's copy for ever
  bool balance =
      false;  ///< repeat the clouds of rare classes until all classes are about as frequent
  std::size_t repeat = 1;  ///< differently augmented copies of every cloud in an epoch
  std::size_t limit = 0;   ///< use only this many clouds, chosen by the seed; 0: all
  std::size_t rank = 0;    ///< this process among world_size; together they deliver one batch of
  std::size_t world_size =
      1;  ///< world_size · batch_size clouds, the same as a single process would
  std::size_t first_epoch = 0;
  std::size_t first_step = 0;  ///< first batch of the first epoch, to resume a run
  std::size_t epochs = 0;      ///< number of the last epoch + 1; 0: endless
  int threads = 1;             ///< workers ahead of the consumer; 0: batches are made in next()
  std::size_t prefetch = 4;    ///< batches that may wait for the consumer
};

/// Clouds in leaf order, ready for the network.
struct Batch {
  std::size_t epoch = 0;
  std::size_t step = 0;  ///< within the epoch
  std::size_t size = 0;  ///< B; fewer than batch_size (or none) only at the end of an epoch
  std::size_t leaves = 0;
  std::size_t channels = 0;
  std::vector<float> features;       ///< [B, leaves, channels]
  std::vector<std::int32_t> labels;  ///< [B]
  std::vector<std::int32_t>
      leaf_labels;  ///< [B, leaves]; empty where the data set has no point labels
  std::vector<std::int32_t> leaf_points;  ///< [B, leaves]: row of Example::points in each leaf
  std::vector<std::size_t> indices;       ///< [B]: index of the cloud in the data set
  std::vector<AugmentationDraw>
      augmentations;  ///< [B] where clouds are not preprocessed, else empty
};

/// How long the consumer had to wait.
struct LoaderTiming {
  double waited_seconds = 0.0;
  double elapsed_seconds = 0.0;  ///< from the first call of next() to the end of the last
  double waiting_share() const {
    return elapsed_seconds > 0.0 ? waited_seconds / elapsed_seconds : 0.0;
  }
};

/// Makes batches of a data set ahead of their use. Batch (epoch, step) is the same for any number
/// of threads, any starting point and any process count.
class Loader {
 public:
  /// Throws std::invalid_argument where the configuration makes no sense or not one batch can be
  /// filled.
  Loader(std::shared_ptr<const Dataset> dataset, const LoaderConfig& config);
  ~Loader();

  std::size_t steps_per_epoch() const;

  /// The next batch; nothing after the last epoch. Rethrows what a worker met while making it.
  std::optional<Batch> next();

  LoaderTiming timing() const;

 private:
  class Workers;
  std::unique_ptr<Workers> workers_;
};

}  // namespace pointtree::datasets
