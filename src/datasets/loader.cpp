// SPDX-License-Identifier: Apache-2.0
#include "datasets/loader.hpp"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include "epoch_order.hpp"
#include "geometry/seed.hpp"
#include "io/stopwatch.hpp"

namespace pointtree::datasets {
namespace {

void validate(const LoaderConfig& config, std::size_t clouds) {
  const auto expect = [](bool fits, const std::string& message) {
    if (!fits) throw std::invalid_argument("loader: " + message);
  };
  validate(config.preparation);
  expect(config.batch_size > 0, "batch_size should be at least 1");
  expect(config.repeat > 0, "repeat should be at least 1");
  expect(config.rank < config.world_size, "rank should be below world_size");
  expect(config.threads >= 0, "threads should not be negative");
  expect(config.prefetch > 0, "prefetch should be at least 1");
  const std::size_t needed = config.drop_last ? config.batch_size * config.world_size : 1;
  expect(clouds >= needed, "an epoch has " + std::to_string(clouds) + " clouds, one step needs " +
                               std::to_string(needed));
}

// Makes any batch on demand; may be used by several threads.
class BatchMaker {
 public:
  BatchMaker(std::shared_ptr<const Dataset> dataset, const LoaderConfig& config)
      : dataset_(std::move(dataset)), config_(config), items_(epoch_items(*dataset_, config)) {
    validate(config_, items_.size());
  }

  std::size_t steps_per_epoch() const {
    const std::size_t clouds = config_.batch_size * config_.world_size;
    return config_.drop_last ? items_.size() / clouds : (items_.size() + clouds - 1) / clouds;
  }

  Batch make(std::size_t epoch, std::size_t step) {
    const auto order = order_of(epoch);
    const std::size_t begin = (step * config_.world_size + config_.rank) * config_.batch_size;
    const std::size_t end = std::min(begin + config_.batch_size, order->size());
    Batch batch;
    batch.epoch = epoch;
    batch.step = step;
    batch.leaves = std::size_t{1} << config_.preparation.depth;
    for (std::size_t i = begin; i < end; ++i) append((*order)[i], batch);
    return batch;
  }

 private:
  using Order = std::shared_ptr<const std::vector<EpochItem>>;

  // Neighbouring batches share an order; around the end of an epoch two are in use.
  Order order_of(std::size_t epoch) {
    const std::lock_guard<std::mutex> lock(mutex_);
    Order& order = orders_[epoch];
    if (!order)
      order = std::make_shared<const std::vector<EpochItem>>(epoch_order(items_, config_, epoch));
    const Order result = order;
    while (orders_.size() > 2)
      orders_.erase(orders_.begin()->first == epoch ? std::prev(orders_.end()) : orders_.begin());
    return result;
  }

  void append(const EpochItem& item, Batch& batch) const {
    const Example example = dataset_->at(item.index);
    const std::uint64_t seed = geometry::mix_seed(
        {config_.seed, config_.fresh ? batch.epoch + 1 : 0, item.index, item.copy});
    const PreparedCloud cloud = prepare(example, config_.preparation, seed);
    const auto values = static_cast<std::size_t>(cloud.features.size());
    if (batch.size == 0) {
      batch.channels = static_cast<std::size_t>(cloud.features.cols());
      batch.features.reserve(values * config_.batch_size);
    }
    if (values != batch.leaves * batch.channels) {
      throw std::runtime_error("cloud " + std::to_string(item.index) + " has " +
                               std::to_string(cloud.features.cols()) + " channels, others have " +
                               std::to_string(batch.channels));
    }
    batch.features.insert(batch.features.end(), cloud.features.data(),
                          cloud.features.data() + values);
    batch.leaf_points.insert(batch.leaf_points.end(), cloud.leaf_points.begin(),
                             cloud.leaf_points.end());
    batch.leaf_labels.insert(batch.leaf_labels.end(), cloud.leaf_labels.begin(),
                             cloud.leaf_labels.end());
    if (cloud.augmentation) batch.augmentations.push_back(*cloud.augmentation);
    batch.labels.push_back(example.label);
    batch.indices.push_back(item.index);
    ++batch.size;
  }

  std::shared_ptr<const Dataset> dataset_;
  LoaderConfig config_;
  std::vector<EpochItem> items_;
  std::mutex mutex_;
  std::map<std::size_t, Order> orders_;
};

}  // namespace

// Tickets number the batches from the starting point on. A worker takes the next ticket as soon as
// the consumer is less than `prefetch` batches behind it, so memory is bounded and the order of
// delivery is that of the tickets.
class Loader::Workers {
 public:
  Workers(std::shared_ptr<const Dataset> dataset, const LoaderConfig& config)
      : maker_(std::move(dataset), config), config_(config) {
    const std::size_t steps = maker_.steps_per_epoch();
    if (config.first_step >= steps && config.first_step > 0) {
      throw std::invalid_argument("loader: first_step " + std::to_string(config.first_step) +
                                  " is past the " + std::to_string(steps) + " steps of an epoch");
    }
    first_ = config.first_epoch * steps + config.first_step;
    last_ = config.epochs == 0 ? ~std::size_t{0} : std::max(first_, config.epochs * steps);
    taken_ = delivered_ = first_;
    for (int i = 0; i < config.threads; ++i) threads_.emplace_back([this] { work(); });
  }

  ~Workers() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      stopping_ = true;
    }
    space_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  std::size_t steps_per_epoch() const { return maker_.steps_per_epoch(); }

  std::optional<Batch> next() {
    if (delivered_ >= last_) return std::nullopt;
    const io::Stopwatch waiting;
    if (!since_first_) since_first_ = waiting;
    Result result = threads_.empty() ? make(delivered_) : wait_for(delivered_);
    ++delivered_;
    timing_.waited_seconds += waiting.seconds();
    timing_.elapsed_seconds = since_first_->seconds();
    if (result.error) std::rethrow_exception(result.error);
    return std::move(result.batch);
  }

  LoaderTiming timing() const { return timing_; }

 private:
  struct Result {
    Batch batch;
    std::exception_ptr error;
  };

  Result make(std::size_t ticket) {
    Result result;
    try {
      result.batch = maker_.make(ticket / steps_per_epoch(), ticket % steps_per_epoch());
    } catch (...) {
      result.error = std::current_exception();
    }
    return result;
  }

  Result wait_for(std::size_t ticket) {
    std::unique_lock<std::mutex> lock(mutex_);
    ready_.wait(lock, [&] { return results_.count(ticket) > 0; });
    Result result = std::move(results_.extract(ticket).mapped());
    consumed_ = ticket + 1 - first_;
    space_.notify_all();
    return result;
  }

  void work() {
    std::unique_lock<std::mutex> lock(mutex_);
    for (;;) {
      space_.wait(lock, [this] {
        return stopping_ || (taken_ < last_ && taken_ - first_ < consumed_ + config_.prefetch);
      });
      if (stopping_) return;
      const std::size_t ticket = taken_++;
      lock.unlock();
      Result result = make(ticket);
      lock.lock();
      results_.emplace(ticket, std::move(result));
      ready_.notify_one();
    }
  }

  BatchMaker maker_;
  LoaderConfig config_;
  std::size_t first_ = 0;
  std::size_t last_ = 0;       // one past the last ticket
  std::size_t delivered_ = 0;  // next ticket of the consumer, used by it alone
  LoaderTiming timing_;
  std::optional<io::Stopwatch> since_first_;  // call of next()

  std::mutex mutex_;  // guards what follows
  std::condition_variable space_;
  std::condition_variable ready_;
  std::size_t taken_ = 0;
  std::size_t consumed_ = 0;  // batches the consumer has taken out
  std::map<std::size_t, Result> results_;
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

Loader::Loader(std::shared_ptr<const Dataset> dataset, const LoaderConfig& config)
    : workers_(std::make_unique<Workers>(std::move(dataset), config)) {}
Loader::~Loader() = default;
std::size_t Loader::steps_per_epoch() const { return workers_->steps_per_epoch(); }
std::optional<Batch> Loader::next() { return workers_->next(); }
LoaderTiming Loader::timing() const { return workers_->timing(); }

}  // namespace pointtree::datasets
