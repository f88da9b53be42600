// SPDX-License-Identifier: Apache-2.0
#include "device_implementation.hpp"

#include <algorithm>
#include <utility>

#include "answers.hpp"
#include "warm_up.hpp"

namespace pointtree::inference::engine {

DeviceImplementation::DeviceImplementation(EngineInfo info, std::unique_ptr<DeviceBackend> backend,
                                           int max_batch, Notice notice)
    : Implementation(std::move(info)),
      backend_(std::move(backend)),
      notice_(std::move(notice)),
      batch_(static_cast<std::size_t>(max_batch)) {
  warm_up();
}

void DeviceImplementation::warm_up() {
  const WarmUpCloud cloud(info());
  for (std::size_t count = batch_; count > 0; count = std::min(count, batch_) / 2) {
    const std::vector<CloudInput> clouds(count, cloud.input());
    if (info().segments) {
      segment(clouds);
    } else {
      classify(clouds);
    }
  }
}

void DeviceImplementation::halve(std::size_t count, const std::string& reason) {
  if (count == 1) {
    throw std::runtime_error(info().name + " on " + info().device +
                             ": not even one cloud fits into its memory: " + reason);
  }
  batch_ = (count + 1) / 2;
  notice_(info().name + " on " + info().device + ": " + std::to_string(count) +
          " clouds at a time do not fit into its memory; going on with " + std::to_string(batch_) +
          " (" + reason + ")");
}

template <typename Take>
void DeviceImplementation::run(const std::vector<CloudInput>& clouds, const Take& take) {
  check_clouds(clouds, info());
  const std::lock_guard lock(mutex_);
  for (std::size_t first = 0; first < clouds.size();) {
    const std::size_t count = std::min(batch_, clouds.size() - first);
    try {
      take(backend_->run(clouds.data() + first, count), count);
      first += count;
    } catch (const OutOfDeviceMemory& error) {
      halve(count, error.what());
    } catch (const DeviceFailure& error) {
      throw std::runtime_error(info().name + " on " + info().device + " failed: " + error.what());
    }
  }
}

Answers<Classification> DeviceImplementation::classify(const std::vector<CloudInput>& clouds) {
  check_task(false);
  Answers<Classification> answers;
  const std::size_t classes = info().classes.size();
  run(clouds, [&](const DeviceAnswer& answer, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      answers.clouds.push_back(classification_from(answer.logits.data() + i * classes, classes));
    }
    answers.times.tree += answer.times.tree;
    answers.times.network += answer.times.network;
  });
  return answers;
}

Answers<Segmentation> DeviceImplementation::segment(const std::vector<CloudInput>& clouds) {
  check_task(true);
  Answers<Segmentation> answers;
  const std::size_t classes = info().classes.size();
  const std::size_t logits = static_cast<std::size_t>(info().points) * classes;
  run(clouds, [&](DeviceAnswer&& answer, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      answers.clouds.push_back(segmentation_from(answer.logits.data() + i * logits, classes,
                                                 std::move(answer.posed[i])));
    }
    answers.times.tree += answer.times.tree;
    answers.times.network += answer.times.network;
  });
  return answers;
}

}  // namespace pointtree::inference::engine
