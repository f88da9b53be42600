// SPDX-License-Identifier: Apache-2.0
#include "composition.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <diagnostic_msgs/msg/diagnostic_array.hpp>
#include <map>
#include <new>

namespace {

std::atomic<std::size_t> watched_size{0};  ///< 0: none is watched
std::atomic<int> watched_allocations{0};

}  // namespace

/// Counts allocations of one size: a copy of a cloud takes as many bytes as the cloud has.
void* operator new(std::size_t size) {
  if (size == watched_size) ++watched_allocations;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t /*size*/) noexcept { std::free(memory); }

namespace pointtree {
namespace {

PointCloud2 answer_with(bool intra_process) {
  Composition composition(intra_process);
  composition.connect();
  EXPECT_EQ(composition.publisher().get_intra_process_subscription_count(),
            intra_process ? 1U : 0U);
  composition.publisher().publish(std::make_unique<PointCloud2>(make_cloud()));
  if (!composition.wait_for(1)) throw std::runtime_error("no answer");
  return composition.answers().front();
}

TEST(Composition, labels_are_the_same_within_the_process_and_through_the_middleware) {
  const PointCloud2 within = answer_with(true);
  EXPECT_EQ(within.header, make_cloud().header);
  EXPECT_EQ(within.width, make_cloud().width);
  EXPECT_EQ(within, answer_with(false));
}

/// How often the bytes of a cloud were copied on its way to the node.
int copies_on_the_way(bool intra_process) {
  Composition composition(intra_process);
  composition.connect();
  PointCloud2 cloud = make_cloud();
  cloud.row_step += 1013;  // so that nothing else is as large
  cloud.data.resize(cloud.row_step);
  auto message = std::make_unique<PointCloud2>(std::move(cloud));
  watched_allocations = 0;
  watched_size = message->data.size();
  composition.publisher().publish(std::move(message));
  const bool answered = composition.wait_for(1);
  watched_size = 0;
  if (!answered) throw std::runtime_error("no answer");
  return watched_allocations;
}

TEST(Composition, hands_clouds_over_without_a_copy) {
  EXPECT_EQ(copies_on_the_way(true), 0);
  EXPECT_GT(copies_on_the_way(false), 0);
}

/// What the node counted, once `sent` clouds were received or lost; else the last.
std::map<std::string, int> counts_of(Composition& composition, int sent) {
  using diagnostic_msgs::msg::DiagnosticArray;
  std::map<std::string, int> counts;
  const auto subscription = composition.talker().create_subscription<DiagnosticArray>(
      "/diagnostics", 10, [&](const DiagnosticArray::ConstSharedPtr& array) {
        for (const auto& entry : array->status.front().values) {
          for (const char* key : {"received", "lost"}) {
            if (entry.key == key) counts[key] = std::stoi(entry.value);
          }
        }
      });
  const auto end = std::chrono::steady_clock::now() + 30s;
  while ((counts.empty() || counts["received"] + counts["lost"] != sent) &&
         std::chrono::steady_clock::now() < end)
    composition.executor().spin_once(10ms);
  return counts;
}

const rclcpp::Parameter kReportOften{"diagnostics.period", 0.1};

class LostClouds : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(IntraProcess, LostClouds, testing::Bool());

TEST_P(LostClouds, are_those_that_newer_ones_overwrote_while_the_executor_was_busy) {
  Composition composition(GetParam(), {kReportOften, {"input_qos.depth", 3}});
  composition.connect();
  for (int i = 0; i < 20; ++i) composition.publisher().publish(make_cloud());
  const auto counts = counts_of(composition, 20);
  EXPECT_EQ(counts.at("received"), 3);
  EXPECT_EQ(counts.at("lost"), 17);
}

TEST(Composition, a_cloud_that_also_came_through_the_middleware_is_not_lost) {
  Composition composition(true, {kReportOften, {"input_qos.depth", 1}});
  rclcpp::Node outsider("outsider");
  const auto listener = outsider.create_subscription<PointCloud2>(
      "/pointtree/input/pointcloud", 5, [](const PointCloud2::ConstSharedPtr&) {});
  composition.connect();
  while (composition.publisher().get_subscription_count() < 2)
    composition.executor().spin_once(10ms);
  for (int sent = 1; sent <= 10; ++sent) {
    composition.publisher().publish(std::make_unique<PointCloud2>(make_cloud()));
    const auto counts = counts_of(composition, sent);
    ASSERT_EQ(counts.at("received"), sent);
  }
}

TEST(Composition, a_node_taken_apart_at_work_leaves_the_others_alone) {
  Composition composition(true);
  composition.connect();
  for (int i = 0; i < 20; ++i) composition.publisher().publish(make_cloud());
  composition.executor().spin_once(10ms);
  composition.executor().remove_node(composition.node());
  composition.node().reset();
  composition.publisher().publish(make_cloud());
  composition.executor().spin_some();
}

}  // namespace
}  // namespace pointtree

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  rclcpp::init(argc, argv);
  const int result = RUN_ALL_TESTS();
  rclcpp::shutdown();
  return result;
}
