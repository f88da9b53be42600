// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <tl/expected.hpp>

#include "pointtree/perception/pipeline.hpp"
#include "ros/autoware_classes.hpp"
#include "ros/frame_slot.hpp"
#include "ros/frame_statistics.hpp"
#include "ros/input_watch.hpp"
#include "ros/node_host.hpp"
#include "ros/node_parameters.hpp"

namespace pointtree::ros {

/// What both nodes are: clouds in, messages out, parameters, diagnostics. The rest is the host's.
///
/// Clouds are processed on a thread of its own, so that parameters and services answer meanwhile.
class CloudNode {
 public:
  using CloudPtr = std::shared_ptr<const PointCloud2>;

  /// Loads the model; parameters that are not given have the defaults of the mode, and the mode is
  /// by default what the model was made for. Throws std::runtime_error with everything that is
  /// wrong. The host must outlive the node.
  CloudNode(NodeHost& host, const ParameterChanges& parameters);
  ~CloudNode();
  CloudNode(const CloudNode&) = delete;
  CloudNode& operator=(const CloudNode&) = delete;

  /// Starts to work; the host must be able to publish.
  void start();

  /// Takes a cloud to be processed; returns at once.
  void accept(CloudPtr cloud);

  /// Changes all of the parameters or, with the reason, none. A new model is loaded beside the old
  /// one, which goes on working meanwhile.
  tl::expected<void, std::string> change(const ParameterChanges& changes);

  /// Loads the model anew from its folder; says what was loaded or why the old one stays.
  tl::expected<std::string, std::string> reload_model();

  /// The parameters now.
  NodeConfig config() const;

 private:
  struct Frame {
    CloudPtr cloud;
    FrameStatistics::Clock::time_point arrival;
  };

  void work();
  void process(const Frame& frame);
  void publish_results(const std_msgs::msg::Header& header, const PointCloud2& cloud,
                       const perception::CloudView& view, const perception::FrameResult& result,
                       const inference::EngineInfo& model, const AutowareClasses& autoware,
                       const NodeConfig& config);
  void publish_times(const perception::StageTimes& times);
  void publish_label_info();
  void reject(const std::string& reason, const std::string& message);
  void report();
  void watch_input();
  void subscribe(const std::string& reliability);
  void publish_diagnostics();
  void install(const NodeConfig& config, std::shared_ptr<const perception::Recogniser> recogniser);

  NodeHost& host_;
  FrameStatistics statistics_;
  FrameSlot<Frame> slot_;
  SilenceWatch silence_;
  std::string reliability_ = "auto";  ///< what the input asks for; the reporter's, after start()

  std::mutex change_mutex_;  ///< one change at a time; not needed by frames

  mutable std::mutex state_mutex_;  ///< guards the four below; they change under both
  NodeConfig config_;
  std::shared_ptr<const perception::Recogniser> recogniser_;
  std::shared_ptr<const AutowareClasses> autoware_;
  std::shared_ptr<perception::Pipeline> pipeline_;  ///< the worker keeps its own hold on a frame's

  std::mutex stop_mutex_;
  std::condition_variable stop_signal_;
  bool stopped_ = false;
  std::thread worker_;
  std::thread reporter_;
};

}  // namespace pointtree::ros
