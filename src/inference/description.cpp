// SPDX-License-Identifier: Apache-2.0
#include "inference/description.hpp"

#include <iomanip>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "io/fields.hpp"

namespace pointtree::inference {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

/// Saturates: the widest networks that a configuration can ask for need more than 64 bits.
std::int64_t product(std::int64_t a, std::int64_t b) { return a > kMost / b ? kMost : a * b; }
std::int64_t sum_of(std::int64_t a, std::int64_t b) { return a > kMost - b ? kMost : a + b; }

std::int64_t multiply_adds(const PlacedDense& layer) {
  return product(layer.positions, product(layer.dense.in, layer.dense.out));
}

/// 34512298 → "34,512,298".
std::string grouped(std::int64_t number) {
  std::string digits = std::to_string(number);
  for (auto place = static_cast<std::ptrdiff_t>(digits.size()) - 3; place > 0; place -= 3) {
    digits.insert(static_cast<std::size_t>(place), ",");
  }
  return digits;
}

/// The part of the network a layer belongs to: `blocks.0`, `encoder`, …
std::string part_of(const std::string& name) {
  const auto first = name.find('.');
  if (name.rfind("blocks.", 0) == 0) return name.substr(0, name.find('.', first + 1));
  return name.substr(0, first);
}

class Table {
 public:
  void row(const std::string& name, const std::string& rows, const std::string& shape,
           std::int64_t parameters, std::int64_t macs) {
    text_ << std::left << std::setw(34) << name << std::right << std::setw(8) << rows
          << std::setw(16) << shape << std::setw(14) << grouped(parameters) << std::setw(17)
          << grouped(macs) << '\n';
  }

  void heading() {
    text_ << std::left << std::setw(34) << "layer" << std::right << std::setw(8) << "rows"
          << std::setw(16) << "in -> out" << std::setw(14) << "parameters" << std::setw(17)
          << "multiply-adds" << '\n';
  }

  std::ostringstream& text() { return text_; }

 private:
  std::ostringstream text_;
};

nlohmann::ordered_json layer_as_json(const PlacedDense& layer) {
  nlohmann::ordered_json stored = nlohmann::ordered_json::array();
  for (const TensorPlan& tensor : tensors(layer)) {
    stored.push_back({{"name", tensor.name}, {"shape", tensor.shape}});
  }
  return {{"name", layer.name},
          {"rows", layer.positions},
          {"in", layer.dense.in},
          {"out", layer.dense.out},
          {"norm", layer.dense.norm},
          {"activation", to_string(layer.dense.activation)},
          {"training_only", layer.training_only},
          {"parameters", parameters(layer.dense)},
          {"multiply_adds", multiply_adds(layer)},
          {"tensors", stored}};
}

}  // namespace

NetworkCost cost(const NetworkPlan& plan) {
  NetworkCost sum;
  for (const PlacedDense& layer : dense_layers(plan)) {
    (layer.training_only ? sum.training_only : sum.parameters) += parameters(layer.dense);
    if (!layer.training_only) sum.multiply_adds = sum_of(sum.multiply_adds, multiply_adds(layer));
  }
  return sum;
}

std::string describe_as_text(const NetworkPlan& plan) {
  const ModelConfig& config = plan.config;
  Table table;
  table.text() << to_string(config.task) << ' ' << to_string(config.variant) << ": "
               << config.points << " points of " << config.channels() << " channels, "
               << config.classes << " classes, alignment " << to_string(config.alignment)
               << ", merge " << to_string(config.merge) << ", pre-alignment "
               << to_string(config.pre_align) << "\n\n";
  table.heading();
  const auto layers = dense_layers(plan);
  for (std::size_t i = 0; i < layers.size();) {
    const std::string part = part_of(layers[i].name);
    std::int64_t part_parameters = 0;
    std::int64_t part_macs = 0;
    const bool training_only = layers[i].training_only;
    for (; i < layers.size() && part_of(layers[i].name) == part; ++i) {
      const PlacedDense& layer = layers[i];
      table.row(layer.name, std::to_string(layer.positions),
                std::to_string(layer.dense.in) + " -> " + std::to_string(layer.dense.out),
                parameters(layer.dense), multiply_adds(layer));
      part_parameters += parameters(layer.dense);
      part_macs = sum_of(part_macs, multiply_adds(layer));
    }
    table.row("  sum of " + part + (training_only ? " (training)" : ""), "", "", part_parameters,
              part_macs);
  }
  const NetworkCost sum = cost(plan);
  table.row("in inference", "", "", sum.parameters, sum.multiply_adds);
  if (sum.training_only > 0) {
    table.text() << "in training, " << grouped(sum.parameters + sum.training_only)
                 << " parameters\n";
  }
  return table.text().str();
}

std::string describe_as_json(const NetworkPlan& plan) {
  const NetworkCost sum = cost(plan);
  nlohmann::ordered_json config;
  ModelConfig model = plan.config;
  for (const io::Field& field : fields_of(model)) config[field.name] = io::to_text(field.get());
  nlohmann::ordered_json layers = nlohmann::ordered_json::array();
  for (const PlacedDense& layer : dense_layers(plan)) layers.push_back(layer_as_json(layer));
  const nlohmann::ordered_json description{{"config", config},
                                           {"parameters", sum.parameters},
                                           {"training_only_parameters", sum.training_only},
                                           {"multiply_adds", sum.multiply_adds},
                                           {"layers", layers}};
  return description.dump(2);
}

}  // namespace pointtree::inference
