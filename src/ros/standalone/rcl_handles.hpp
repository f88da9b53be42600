// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rcl/error_handling.h>
#include <rcl/rcl.h>

#include <functional>
#include <memory>
#include <rosidl_typesupport_cpp/message_type_support.hpp>
#include <rosidl_typesupport_cpp/service_type_support.hpp>
#include <string>
#include <utility>
#include <vector>

#include "ros/input_watch.hpp"
#include "ros/loss_counter.hpp"

/// Owners of what the C library `rcl` gives out. Failures throw std::runtime_error.
namespace pointtree::ros {

/// Throws with rcl's own explanation unless the code is RCL_RET_OK.
void check(rcl_ret_t code, const std::string& doing);

/// Owns a handle: made by init, finished by `fini`.
template <typename Handle>
class Owned {
 public:
  Owned(Handle handle, std::function<rcl_ret_t(Handle*)> fini)
      : handle_(std::move(handle)), fini_(std::move(fini)) {}
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  ~Owned() {
    if (fini_(&handle_) != RCL_RET_OK) rcl_reset_error();
  }

  Handle* get() { return &handle_; }
  const Handle* get() const { return &handle_; }

 private:
  Handle handle_;
  std::function<rcl_ret_t(Handle*)> fini_;
};

/// ROS for this process: arguments after --ros-args, domain, logging.
class Context {
 public:
  Context(int argc, const char* const* argv);
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  rcl_context_t* get() { return &context_; }

 private:
  rcl_context_t context_ = rcl_get_zero_initialized_context();
};

/// A node; name and namespace may be remapped by the arguments.
class Node {
 public:
  Node(Context& context, const char* name);

  rcl_node_t* get() { return node_->get(); }
  std::string full_name() const { return rcl_node_get_fully_qualified_name(node_->get()); }
  std::string logger() const { return rcl_node_get_logger_name(node_->get()); }

  /// The topic with namespace and remaps.
  std::string resolve(const char* topic) const;

  /// Who publishes on a resolved topic.
  std::vector<InputPublisher> publishers(const std::string& topic) const;

 private:
  std::unique_ptr<Owned<rcl_node_t>> node_;
};

/// A publisher of any type.
class Publisher {
 public:
  Publisher(Node& node, const rosidl_message_type_support_t* type, const char* topic,
            const rmw_qos_profile_t& qos);

  /// The message must be of the publisher's type.
  void publish(const void* message) const;
  std::size_t subscribers() const;

 private:
  std::unique_ptr<Owned<rcl_publisher_t>> publisher_;
};

/// A subscription or a service, as the waiting loop sees it.
class Waitable {
 public:
  Waitable() = default;
  Waitable(const Waitable&) = delete;
  Waitable& operator=(const Waitable&) = delete;
  virtual ~Waitable() = default;

  virtual void add_to(rcl_wait_set_t* set) = 0;

  /// Takes one message or request, where there is one, and answers it.
  virtual void serve() = 0;
};

/// Hands every message to a function.
template <typename Message>
class Subscription final : public Waitable {
 public:
  using Handler = std::function<void(std::shared_ptr<const Message>)>;

  /// What is lost is counted where a counter is given; it must outlive the subscription.
  Subscription(Node& node, const char* topic, const rmw_qos_profile_t& qos, Handler handler,
               LossCounter* losses = nullptr)
      : handler_(std::move(handler)), losses_(losses) {
    rcl_subscription_t handle = rcl_get_zero_initialized_subscription();
    rcl_subscription_options_t options = rcl_subscription_get_default_options();
    options.qos = qos;
    check(rcl_subscription_init(&handle, node.get(),
                                rosidl_typesupport_cpp::get_message_type_support_handle<Message>(),
                                topic, &options),
          std::string("subscribing to ") + topic);
    subscription_ = std::make_unique<Owned<rcl_subscription_t>>(
        handle,
        [&node](rcl_subscription_t* own) { return rcl_subscription_fini(own, node.get()); });
    if (losses_ == nullptr) return;
    losses_->restart(qos.depth);
    const auto arrived = [](const void* counter, std::size_t count) {
      static_cast<LossCounter*>(const_cast<void*>(counter))->arrived(count);
    };
    if (rcl_subscription_set_on_new_message_callback(subscription_->get(), arrived, losses_) !=
        RCL_RET_OK) {
      rcl_reset_error();  // this middleware does not tell of arrivals
    }
  }

  void add_to(rcl_wait_set_t* set) override {
    check(rcl_wait_set_add_subscription(set, subscription_->get(), nullptr), "waiting");
  }

  void serve() override {
    auto message = std::make_shared<Message>();
    rmw_message_info_t info = rmw_get_zero_initialized_message_info();
    if (losses_ != nullptr) losses_->taking();
    const rcl_ret_t code = rcl_take(subscription_->get(), message.get(), &info, nullptr);
    if (code == RCL_RET_SUBSCRIPTION_TAKE_FAILED) {
      if (losses_ != nullptr) losses_->found_none();
      return rcl_reset_error();
    }
    check(code, "taking a message");
    if (losses_ != nullptr) losses_->taken(info);
    handler_(std::move(message));
  }

 private:
  Handler handler_;
  LossCounter* losses_;
  std::unique_ptr<Owned<rcl_subscription_t>> subscription_;
};

/// Answers every request by a function.
template <typename Srv>
class Service final : public Waitable {
 public:
  using Request = typename Srv::Request;
  using Response = typename Srv::Response;
  using Handler = std::function<Response(const Request&)>;

  Service(Node& node, const char* name, const rmw_qos_profile_t& qos, Handler handler)
      : handler_(std::move(handler)) {
    rcl_service_t handle = rcl_get_zero_initialized_service();
    rcl_service_options_t options = rcl_service_get_default_options();
    options.qos = qos;
    check(rcl_service_init(&handle, node.get(),
                           rosidl_typesupport_cpp::get_service_type_support_handle<Srv>(), name,
                           &options),
          std::string("offering ") + name);
    service_ = std::make_unique<Owned<rcl_service_t>>(
        handle, [&node](rcl_service_t* own) { return rcl_service_fini(own, node.get()); });
  }

  void add_to(rcl_wait_set_t* set) override {
    check(rcl_wait_set_add_service(set, service_->get(), nullptr), "waiting");
  }

  void serve() override {
    Request request;
    rmw_request_id_t sender{};
    const rcl_ret_t code = rcl_take_request(service_->get(), &sender, &request);
    if (code == RCL_RET_SERVICE_TAKE_FAILED) return rcl_reset_error();
    check(code, "taking a request");
    Response response = handler_(request);
    // A client that is gone by now is its own affair.
    if (rcl_send_response(service_->get(), &sender, &response) != RCL_RET_OK) rcl_reset_error();
  }

 private:
  Handler handler_;
  std::unique_ptr<Owned<rcl_service_t>> service_;
};

/// Wakes the waiting loop from another thread.
class GuardCondition {
 public:
  explicit GuardCondition(Context& context);

  void trigger();
  rcl_guard_condition_t* get() { return guard_->get(); }

 private:
  std::unique_ptr<Owned<rcl_guard_condition_t>> guard_;
};

}  // namespace pointtree::ros
