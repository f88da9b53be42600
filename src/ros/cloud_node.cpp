// SPDX-License-Identifier: Apache-2.0
#include "ros/cloud_node.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <stdexcept>
#include <tuple>

#include "perception/scan_blocks.hpp"
#include "pointtree/perception/engine_recogniser.hpp"
#include "ros/diagnostics.hpp"
#include "ros/point_filter.hpp"

namespace pointtree::ros {
namespace {

using perception::Mode;
using perception::Recogniser;

/// How often the input's publishers are looked at.
constexpr std::chrono::milliseconds kWatchPeriod{100};

std::shared_ptr<const Recogniser> load_recogniser(const NodeConfig& config) {
  auto engine =
      std::make_shared<const inference::Engine>(find_model(config.model), engine_options(config));
  return std::make_shared<const perception::EngineRecogniser>(std::move(engine));
}

std::string describe(const inference::EngineInfo& model) {
  return fmt::format("model {} ({} classes, {} on {}), weights {:.12}", model.name,
                     model.classes.size(), to_string(model.precision), model.device,
                     model.checksum);
}

/// The defaults of a mode with the parameters set; throws where that can't be.
NodeConfig start_config(Mode mode, const ParameterChanges& parameters) {
  NodeConfig config;
  config.pipeline = perception::default_config(mode);
  auto changed = with_changes(config, parameters);
  if (!changed) throw std::runtime_error(changed.error());
  return *std::move(changed);
}

void refuse_missing_transforms(NodeHost& host, const NodeConfig& config) {
  if (config.target_frame.empty()) return;
  const std::string missing = host.listen_for_transforms();
  if (missing.empty()) return;
  throw std::runtime_error(
      fmt::format("target_frame is '{}', but {}", config.target_frame, missing));
}

}  // namespace

CloudNode::CloudNode(NodeHost& host, const ParameterChanges& parameters) : host_(host) {
  NodeConfig config = start_config(Mode::objects, parameters);
  refuse_missing_transforms(host, config);
  auto recogniser = load_recogniser(config);
  bool mode_given = false;
  for (const auto& [name, value] : parameters) mode_given |= name == "mode";
  const Mode mode = mode_given ? config.pipeline.mode : perception::mode_of(recogniser->info());
  if (mode != Mode::objects) {
    ParameterChanges with_mode = {{"mode", std::string(to_string(mode))}};
    with_mode.insert(with_mode.end(), parameters.begin(), parameters.end());
    config = start_config(mode, with_mode);
  }
  install(config, std::move(recogniser));
  host_.log(Severity::info, describe(recogniser_->info()));
}

CloudNode::~CloudNode() {
  if (slot_.stop()) statistics_.add_dropped();
  {
    const std::lock_guard lock(stop_mutex_);
    stopped_ = true;
  }
  stop_signal_.notify_all();
  if (worker_.joinable()) worker_.join();
  if (reporter_.joinable()) reporter_.join();
}

void CloudNode::start() {
  publish_label_info();
  const NodeConfig config = this->config();
  const QosConfig& qos = config.input_qos;
  subscribe(decide_reliability(qos.reliability, reliability_, host_.input_publishers()));
  host_.log(Severity::info,
            fmt::format("mode {}, input {} ({}), reliability {}{}, durability {}, depth {}",
                        to_string(config.pipeline.mode), host_.input_topic(), kInputType,
                        qos.reliability == "auto" ? "auto, now " : "", reliability_, qos.durability,
                        qos.depth));
  worker_ = std::thread([this] { work(); });
  reporter_ = std::thread([this] { report(); });
}

void CloudNode::accept(CloudPtr cloud) {
  statistics_.add_received();
  if (config().paused) {
    statistics_.add_dropped();
    return;
  }
  if (slot_.put({std::move(cloud), FrameStatistics::Clock::now()})) statistics_.add_dropped();
}

NodeConfig CloudNode::config() const {
  const std::lock_guard lock(state_mutex_);
  return config_;
}

void CloudNode::install(const NodeConfig& config, std::shared_ptr<const Recogniser> recogniser) {
  auto pipeline = std::make_shared<perception::Pipeline>(config.pipeline, recogniser);
  PointFilter(config.filter_classes, recogniser->info().classes);  // throws where a name is wrong
  const auto folder = find_model(config.model);
  auto autoware = std::make_shared<const AutowareClasses>(folder, recogniser->info().classes);
  if (config.class_ids == "autoware" && !autoware->mapped()) {
    throw std::runtime_error(
        fmt::format("segmentation.class_ids is autoware, but {} has no autoware.yaml", folder));
  }
  const std::lock_guard lock(state_mutex_);
  config_ = config;
  recogniser_ = std::move(recogniser);
  autoware_ = std::move(autoware);
  pipeline_ = std::move(pipeline);
}

tl::expected<void, std::string> CloudNode::change(const ParameterChanges& changes) {
  const std::lock_guard changing(change_mutex_);
  const NodeConfig old = config();
  const auto wanted = with_changes(old, changes);
  if (!wanted) return tl::unexpected(wanted.error());
  const ChangeEffect effect = effect_of(old, *wanted);
  try {
    refuse_missing_transforms(host_, *wanted);
    switch (effect) {
      case ChangeEffect::never:
        return tl::unexpected(std::string("the quality of service is chosen at start"));
      case ChangeEffect::new_model:
        install(*wanted, load_recogniser(*wanted));
        host_.log(Severity::info, describe(recogniser_->info()));
        publish_label_info();
        break;
      case ChangeEffect::new_pipeline:
        install(*wanted, recogniser_);
        break;
      case ChangeEffect::at_once: {
        const std::lock_guard lock(state_mutex_);
        config_ = *wanted;
      }
    }
  } catch (const std::exception& error) {
    return tl::unexpected(std::string(error.what()));
  }
  return {};
}

tl::expected<std::string, std::string> CloudNode::reload_model() {
  const std::lock_guard changing(change_mutex_);
  try {
    const NodeConfig same = config();
    install(same, load_recogniser(same));
  } catch (const std::exception& error) {
    return tl::unexpected(std::string(error.what()));
  }
  publish_label_info();
  return describe(recogniser_->info());
}

void CloudNode::work() {
  while (const auto frame = slot_.take()) {
    try {
      process(*frame);
    } catch (const std::exception& error) {
      reject("failed", error.what());
    }
  }
}

void CloudNode::process(const Frame& frame) {
  const auto [config, pipeline, autoware] = [&] {
    const std::lock_guard lock(state_mutex_);
    return std::tuple(config_, pipeline_, autoware_);
  }();
  const PointCloud2& cloud = *frame.cloud;
  auto view = perception::CloudView::make(raw_cloud(cloud),
                                          static_cast<std::size_t>(config.pipeline.max_points));
  if (!view) return reject(std::string(to_string(view.error().kind)), view.error().message);
  const std::int64_t stamp = nanoseconds(cloud.header.stamp);
  std_msgs::msg::Header header = cloud.header;
  if (!config.target_frame.empty() && config.target_frame != header.frame_id) {
    const auto transform =
        host_.transform(config.target_frame, header.frame_id, stamp, config.transform_timeout);
    if (!transform) return reject("no_transform", transform.error());
    view->move(*transform);
    header.frame_id = config.target_frame;
  }
  const auto result = pipeline->process(*view, stamp);
  if (!result) return reject(std::string(to_string(result.error().kind)), result.error().message);
  publish_results(header, cloud, *view, *result, pipeline->info(), *autoware, config);
  publish_times(result->times);
  const std::chrono::duration<double, std::milli> latency =
      FrameStatistics::Clock::now() - frame.arrival;
  statistics_.add_processed(latency.count(), host_.now() - stamp);
}

void CloudNode::reject(const std::string& reason, const std::string& message) {
  if (!statistics_.add_rejected(reason)) return;
  host_.log(Severity::warning, fmt::format("cloud rejected ({}): {}; further ones of this kind are "
                                           "counted in the diagnostics",
                                           reason, message));
}

void CloudNode::publish_results(const std_msgs::msg::Header& header, const PointCloud2& cloud,
                                const perception::CloudView& view,
                                const perception::FrameResult& result,
                                const inference::EngineInfo& model, const AutowareClasses& autoware,
                                const NodeConfig& config) {
  // Nothing is made for topics that nobody listens to.
  const auto offer = [&](Output output, auto make) {
    if (host_.wanted(output)) host_.publish(output, make());
  };
  offer(Output::segmentation, [&] {
    if (config.class_ids == "model") return to_segmentation(header, cloud, view, result);
    return to_segmentation(header, cloud, view, result, [&](const perception::PointLabel& label) {
      return autoware.point_class(label);
    });
  });
  offer(Output::filtered, [&] {
    const PointFilter filter(config.filter_classes, model.classes);
    return to_filtered(header, cloud, view, result,
                       [&](const perception::PointLabel& label) { return filter.keeps(label); });
  });
  offer(Output::objects, [&] { return to_objects(header, result, model); });
  offer(Output::visualization,
        [&] { return to_visualization(header, cloud, view, result, model); });
  offer(Output::markers, [&] { return to_markers(header, result, model); });
#ifdef POINTTREE_HAS_VISION_MSGS
  offer(Output::detections,
        [&] { return to_detections(header, result, model, config.unknown_detections); });
#endif
#ifdef POINTTREE_HAS_AUTOWARE_MSGS
  offer(Output::detected_objects, [&] {
    return to_detected_objects(header, result, autoware.object_labels(), config.unknown_detections);
  });
#endif
}

void CloudNode::publish_times(const perception::StageTimes& times) {
  const auto publish = [&](Output output, double milliseconds) {
    if (!host_.wanted(output)) return;
    auto message = std::make_unique<std_msgs::msg::Float64>();
    message->data = milliseconds;
    host_.publish(output, std::move(message));
  };
  publish(Output::ingest_time, times.ingest);
  publish(Output::segment_time, times.segment);
  publish(Output::tree_time, times.tree);
  publish(Output::network_time, times.network);
  publish(Output::total_time, times.total);
}

void CloudNode::publish_label_info() {
#ifdef POINTTREE_HAS_VISION_MSGS
  const NodeConfig config = this->config();
  host_.publish(Output::label_info,
                to_label_info(recogniser_->info(), config.pipeline.min_confidence));
#endif
}

void CloudNode::report() {
  using Clock = std::chrono::steady_clock;
  Clock::time_point last = Clock::now();
  std::unique_lock lock(stop_mutex_);
  while (!stopped_) {
    const auto period = std::chrono::duration_cast<Clock::duration>(
        std::chrono::duration<double>(config().diagnostics_period));
    const Clock::time_point next = std::min(last + period, Clock::now() + kWatchPeriod);
    if (stop_signal_.wait_until(lock, next, [&] { return stopped_; })) break;
    watch_input();
    if (Clock::now() < last + period) continue;
    last = Clock::now();
    publish_diagnostics();
  }
}

void CloudNode::watch_input() {
  const NodeConfig config = this->config();
  const std::vector<InputPublisher> publishers = host_.input_publishers();
  const std::string wanted =
      decide_reliability(config.input_qos.reliability, reliability_, publishers);
  if (wanted != reliability_) {
    subscribe(wanted);
    host_.log(Severity::info, fmt::format("the input is {} now, as its publishers are", wanted));
  }
  const std::chrono::duration<double> now = std::chrono::steady_clock::now().time_since_epoch();
  switch (silence_.update(now.count(), statistics_.counts().received, config.silence_timeout)) {
    case SilenceWatch::Event::silent: {
      QosConfig asked = config.input_qos;
      asked.reliability = reliability_;
      host_.log(
          Severity::warning,
          fmt::format("no cloud on {} for {} s: {}", host_.input_topic(), config.silence_timeout,
                      explain_silence(asked, publishers, socket_buffer_limit())));
      break;
    }
    case SilenceWatch::Event::recovered:
      host_.log(Severity::info, fmt::format("clouds arrive on {} now", host_.input_topic()));
      break;
    case SilenceWatch::Event::none:
      break;
  }
}

void CloudNode::subscribe(const std::string& reliability) {
  reliability_ = reliability;
  QosConfig qos = config().input_qos;
  qos.reliability = reliability;
  host_.subscribe(qos, [this](CloudPtr cloud) { accept(std::move(cloud)); });
}

void CloudNode::publish_diagnostics() {
  const auto [config, recogniser] = [&] {
    const std::lock_guard lock(state_mutex_);
    return std::pair(config_, recogniser_);
  }();
  auto array = std::make_unique<diagnostic_msgs::msg::DiagnosticArray>();
  array->header.stamp = to_time(host_.now());
  array->status.push_back(
      make_diagnostics(host_.name(), statistics_.report(host_.lost()), config, recogniser->info()));
  host_.publish(Output::diagnostics, std::move(array));
}

}  // namespace pointtree::ros
