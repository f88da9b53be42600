#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "gpu_cost.hpp"

namespace pointtree::cli {
namespace {

struct Model {
  std::string name;
  inference::ModelConfig config;
};

/// The paper's classifier of objects and its segmenter of rooms.
std::vector<Model> models() {
  inference::ModelConfig objects;
  inference::ModelConfig rooms;
  rooms.task = inference::Task::segmentation;
  rooms.points = 4096;
  rooms.leaf_width = 16;
  rooms.extra_channels = 3;
  rooms.classes = 13;
  return {{"def, classification, 2,048 points", objects},
          {"def, segmentation, 4,096 points", rooms}};
}

nlohmann::json compute() {
  nlohmann::json rows = nlohmann::json::array();
  for (const Model& model : models()) {
    const inference::NetworkPlan plan = inference::plan_network(model.config);
    for (const GpuModel& gpu : known_gpus()) {
      for (int batch = 1; batch <= 64; batch *= 2) {
        const GpuCost cost = compute_cost(gpu, plan, batch);
        rows.push_back({{"model", model.name},
                        {"gpu", gpu.name},
                        {"batch", batch},
                        {"pose_ms", cost.pose},
                        {"tree_ms", cost.tree},
                        {"network_ms", cost.network},
                        {"transfer_ms", cost.transfer},
                        {"total_ms", cost.total()},
                        {"clouds_per_second", 1e3 * batch / cost.total()}});
      }
    }
  }
  return rows;
}

void print_tables(const nlohmann::json& rows) {
  std::string title;
  for (const auto& row : rows) {
    const std::string here = row["gpu"].get<std::string>() + ", " + row["model"].get<std::string>();
    if (here != title) {
      std::printf("%s%s (computed, not measured)\n\n", title.empty() ? "" : "\n", here.c_str());
      std::printf(
          "| batch | pose ms | tree ms | network ms | transfer ms | total ms | clouds/s |\n");
      std::printf("|--:|--:|--:|--:|--:|--:|--:|\n");
      title = here;
    }
    std::printf("| %d | %.2f | %.2f | %.2f | %.2f | %.2f | %.0f |\n", row["batch"].get<int>(),
                row["pose_ms"].get<double>(), row["tree_ms"].get<double>(),
                row["network_ms"].get<double>(), row["transfer_ms"].get<double>(),
                row["total_ms"].get<double>(), row["clouds_per_second"].get<double>());
  }
}

}  // namespace

void add_bench_cost_command(CLI::App& app) {
  auto* command = bench_command(app).add_subcommand(
      "cost",
      "Computes, from bytes, operations and chains of dependent ones, what batches should cost on "
      "GPUs of known data; measures nothing.");
  auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "Print one JSON array");
  command->callback([json] {
    const nlohmann::json rows = compute();
    if (*json) {
      std::cout << rows.dump(2) << "\n";
    } else {
      print_tables(rows);
    }
  });
}

}  // namespace pointtree::cli
