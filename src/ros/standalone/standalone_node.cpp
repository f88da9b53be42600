// SPDX-License-Identifier: Apache-2.0
#include "standalone_node.hpp"

#include <rcutils/logging_macros.h>

#include <algorithm>
#include <exception>
#include <thread>

#include "parameter_overrides.hpp"
#include "ros/parameter_messages.hpp"
#include "ros/reload_service.hpp"

namespace pointtree::ros {
namespace {

using std_srvs::srv::Trigger;

/// Takes `use_sim_time` out of the parameters: the clock's, not CloudNode's.
bool take_use_sim_time(ParameterChanges& parameters) {
  const auto found = std::find_if(parameters.begin(), parameters.end(), [](const auto& change) {
    return change.first == "use_sim_time";
  });
  if (found == parameters.end()) return false;
  const bool* flag = std::get_if<bool>(&found->second);
  if (flag == nullptr) throw std::runtime_error("use_sim_time must be true or false");
  const bool simulated = *flag;
  parameters.erase(found);
  return simulated;
}

}  // namespace

StandaloneNode::StandaloneNode(int argc, const char* const* argv)
    : context_(argc, argv),
      node_(context_, "pointtree"),
      clock_(node_),
      wake_input_(context_),
      stop_services_(context_) {
  ParameterChanges given = parameter_overrides(context_, node_.full_name());
  clock_.simulate(take_use_sim_time(given));
  cloud_node_ = std::make_unique<CloudNode>(*this, given);
  const NodeConfig config = cloud_node_->config();
  for_each_output(config, [&](auto type, Output output, const char* topic, const QosConfig& qos) {
    using Message = typename decltype(type)::Type;
    publishers_[static_cast<std::size_t>(output)] = std::make_unique<Publisher>(
        node_, rosidl_typesupport_cpp::get_message_type_support_handle<Message>(), topic,
        to_profile(qos));
  });
  parameters_ = std::make_unique<ParameterServer>(node_, *cloud_node_, clock_);
  reload_ = std::make_unique<Service<Trigger>>(
      node_, kReloadService, rmw_qos_profile_services_default,
      [this](const Trigger::Request&) { return answer_reload(*cloud_node_); });
  cloud_node_->start();
}

void StandaloneNode::spin() {
  // Clouds are taken while a service loads a model.
  std::exception_ptr failure;
  std::thread input([&] {
    try {
      serve(
          [&] {
            const std::lock_guard lock(input_mutex_);
            if (make_input_) input_ = std::exchange(make_input_, nullptr)();
            return std::vector<Waitable*>{input_.get()};
          },
          wake_input_);
    } catch (...) {
      failure = std::current_exception();
      stop();
    }
  });
  try {
    serve(
        [&] {
          std::vector<Waitable*> waitables = {reload_.get()};
          for (const auto& service : parameters_->services()) waitables.push_back(service.get());
          if (clock_.subscription() != nullptr) waitables.push_back(clock_.subscription());
          return waitables;
        },
        stop_services_);
  } catch (...) {
    stop();
    input.join();
    throw;
  }
  input.join();
  if (failure) std::rethrow_exception(failure);
}

template <typename Waitables>
void StandaloneNode::serve(Waitables waitables, GuardCondition& guard) {
  while (!stopped_) {
    const std::vector<Waitable*> waiting = waitables();
    rcl_wait_set_t handle = rcl_get_zero_initialized_wait_set();
    check(rcl_wait_set_init(&handle, waiting.size(), 1, 0, 0, waiting.size(), 0, context_.get(),
                            rcl_get_default_allocator()),
          "preparing to wait");
    Owned<rcl_wait_set_t> set(handle, [](rcl_wait_set_t* own) { return rcl_wait_set_fini(own); });
    for (Waitable* waitable : waiting) waitable->add_to(set.get());
    check(rcl_wait_set_add_guard_condition(set.get(), guard.get(), nullptr), "waiting");
    check(rcl_wait(set.get(), -1), "waiting");
    // Taking from what has nothing is cheap, so nobody asks who woke us.
    for (Waitable* waitable : waiting) waitable->serve();
  }
}

void StandaloneNode::stop() {
  stopped_ = true;
  wake_input_.trigger();
  stop_services_.trigger();
}

void StandaloneNode::log(Severity severity, const std::string& text) {
  const std::string logger = node_.logger();
  switch (severity) {
    case Severity::info:
      RCUTILS_LOG_INFO_NAMED(logger.c_str(), "%s", text.c_str());
      break;
    case Severity::warning:
      RCUTILS_LOG_WARN_NAMED(logger.c_str(), "%s", text.c_str());
      break;
    case Severity::error:
      RCUTILS_LOG_ERROR_NAMED(logger.c_str(), "%s", text.c_str());
  }
}

void StandaloneNode::publish(Output output, OutputMessage message) {
  std::visit([&](const auto& own) { publisher(output).publish(own.get()); }, message);
}

void StandaloneNode::subscribe(const QosConfig& qos, CloudHandler handler) {
  const std::lock_guard lock(input_mutex_);
  make_input_ = [this, qos, handler = std::move(handler)] {
    return std::make_unique<Subscription<PointCloud2>>(node_, kInputTopic, to_profile(qos), handler,
                                                       &losses_);
  };
  wake_input_.trigger();
}

tl::expected<Eigen::Isometry3d, std::string> StandaloneNode::transform(const std::string&,
                                                                       const std::string&,
                                                                       std::int64_t, double) {
  return tl::unexpected(std::string(kNoTransforms));
}

}  // namespace pointtree::ros
