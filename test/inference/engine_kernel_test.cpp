// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "inference/engine/fused_mlp.hpp"
#include "inference/engine/linear_call.hpp"
#include "random_maps.hpp"

namespace pointtree::inference::engine {
namespace {

struct Shape {
  std::size_t rows;
  std::size_t in;
  std::size_t out;
};

// Rests of every tile height, depths off the int8 group, widths off the panel; the last two fill
// tile registers and leave a rest.
const std::vector<Shape> kShapes{{1, 1, 1},     {2, 3, 9},    {4, 16, 16},  {6, 17, 40},
                                 {8, 64, 33},   {10, 130, 7}, {22, 70, 50}, {50, 96, 128},
                                 {200, 65, 48}, {38, 64, 40}, {54, 128, 88}};

// Bound on the error of one output whose inputs and weights lie in [−1, 1].
double tolerance(Precision precision, const LinearWeights& map) {
  const auto depth = static_cast<double>(map.in);
  switch (precision) {
    case Precision::float32:
      return 1e-5 + 1e-6 * depth;
    case Precision::bfloat16:
      return 1e-5 + depth / 256.0;
    case Precision::int8:
      break;
  }
  // Half a step of the input times the weights, and half a step of the weights times the input.
  double largest_step = 0.0;
  for (std::size_t o = 0; o < map.out; ++o) {
    largest_step = std::max<double>(largest_step, int8_step(&map.weight[o * map.in], map.in));
  }
  return 1e-5 + depth * (1.0 / kInt8ActivationMax + largest_step);
}

class EveryKernel : public testing::TestWithParam<std::tuple<const Kernels*, Precision>> {
 protected:
  const Kernels& kernels() const { return *std::get<0>(GetParam()); }
  Precision precision() const { return std::get<1>(GetParam()); }

  std::mt19937 random_{20260};
  ThreadPool pool_{2};
  Arena arena_;
  Context context_{pool_, arena_, kernels()};
};

TEST_P(EveryKernel, multiplies_like_the_definition_on_odd_shapes) {
  for (const Shape& shape : kShapes) {
    for (const float slope : {1.0F, 0.0F, 0.25F}) {
      SCOPED_TRACE(testing::Message() << shape.rows << "×" << shape.in << "×" << shape.out
                                      << ", slope " << slope << ", seed 20260");
      const LinearWeights map = random_map(shape.in, shape.out, slope, random_);
      const PackedLinear packed(map, precision());
      const double bound = tolerance(precision(), map);
      const auto input = random_values(shape.rows * shape.in, random_);
      std::vector<float> output(shape.rows * shape.out);
      apply(packed, {input.data(), shape.rows, shape.in}, {output.data(), shape.out}, context_);
      for (std::size_t r = 0; r < shape.rows; ++r) {
        for (std::size_t o = 0; o < shape.out; ++o) {
          ASSERT_NEAR(output[r * shape.out + o], expected(map, &input[r * shape.in], o), bound);
        }
      }
    }
  }
}

TEST_P(EveryKernel, merges_pairs) {
  for (const Shape& shape : kShapes) {
    if (shape.rows % 2 != 0) continue;
    SCOPED_TRACE(testing::Message() << shape.rows << "×" << shape.in << "×" << shape.out);
    const LinearWeights map = random_map(shape.in, shape.out, 0.25F, random_);
    const PackedLinear packed(map, precision());
    const double bound = tolerance(precision(), map);
    const auto input = random_values(shape.rows * shape.in, random_);
    std::vector<float> output(shape.rows / 2 * shape.out);
    apply(packed, {input.data(), shape.rows, shape.in}, {output.data(), shape.out, RowMerge::pairs},
          context_);
    const auto mapped = [&](std::size_t r, std::size_t o) {
      return expected(map, &input[r * shape.in], o);
    };
    for (std::size_t i = 0; i < shape.rows / 2; ++i) {
      for (std::size_t o = 0; o < shape.out; ++o) {
        ASSERT_NEAR(output[i * shape.out + o], std::max(mapped(2 * i, o), mapped(2 * i + 1, o)),
                    bound);
      }
    }
  }
}

TEST_P(EveryKernel, both_children_take_their_parents_addend_before_the_activation) {
  for (const Shape& shape : kShapes) {
    SCOPED_TRACE(testing::Message() << shape.rows << "×" << shape.in << "×" << shape.out);
    const LinearWeights map = random_map(shape.in, shape.out, 0.0F, random_);
    const PackedLinear packed(map, precision());
    const double bound = tolerance(precision(), map);
    const auto input = random_values(shape.rows * shape.in, random_);
    const auto parents = random_values((shape.rows + 1) / 2 * shape.out, random_);
    std::vector<float> output(shape.rows * shape.out);
    LinearTarget target{output.data(), shape.out};
    target.before = parents.data();
    target.before_stride = shape.out;
    apply(packed, {input.data(), shape.rows, shape.in}, target, context_);
    for (std::size_t r = 0; r < shape.rows; ++r) {
      for (std::size_t o = 0; o < shape.out; ++o) {
        const double parent = parents[r / 2 * shape.out + o];
        ASSERT_NEAR(output[r * shape.out + o], expected(map, &input[r * shape.in], o, parent),
                    bound);
      }
    }
  }
}

TEST_P(EveryKernel, fused_layers_answer_as_layers_one_by_one) {
  constexpr std::size_t kRows = 500;
  std::vector<PackedLinear> layers;
  layers.emplace_back(random_map(5, 70, 0.25F, random_), Precision::float32);
  layers.emplace_back(random_map(70, 130, 0.0F, random_), precision());
  layers.emplace_back(random_map(130, 36, 1.0F, random_), precision());
  const auto input = random_values(kRows * 5, random_);
  std::vector<float> fused(kRows * 36);
  apply_fused(layers, {input.data(), kRows, 5}, {fused.data(), 36}, context_);

  std::vector<float> features = input;
  for (const PackedLinear& layer : layers) {
    std::vector<float> next(kRows * layer.out());
    apply(layer, {features.data(), kRows, layer.in()}, {next.data(), layer.out()}, context_);
    features = std::move(next);
  }
  EXPECT_EQ(fused, features);

  // Two clouds of 250 rows, whose tiles end inside the cloud.
  std::vector<float> maxima(2 * 36);
  apply_fused_max(layers, {input.data(), kRows, 5}, 2, maxima.data(), context_);
  for (std::size_t i = 0; i < maxima.size(); ++i) {
    float largest = features[i / 36 * 250 * 36 + i % 36];
    for (std::size_t r = 0; r < 250; ++r) {
      largest = std::max(largest, features[(i / 36 * 250 + r) * 36 + i % 36]);
    }
    EXPECT_EQ(maxima[i], largest);
  }
}

std::vector<std::tuple<const Kernels*, Precision>> every_kernel() {
  std::vector<std::tuple<const Kernels*, Precision>> list;
  for (const Kernels* kernels : runnable_kernels()) {
    for (const auto precision : {Precision::float32, Precision::bfloat16, Precision::int8}) {
      list.emplace_back(kernels, precision);
    }
  }
  return list;
}

INSTANTIATE_TEST_SUITE_P(Engine, EveryKernel, testing::ValuesIn(every_kernel()),
                         [](const auto& instance) {
                           return std::string(std::get<0>(instance.param)->name) + "_" +
                                  std::string(to_string(std::get<1>(instance.param)));
                         });

TEST(Int8Kernel, cannot_overflow_whatever_weights_and_activations_are) {
  // The worst case: every weight of one sign and every activation at its largest step.
  for (const Kernels* kernels : runnable_kernels()) {
    for (const float sign : {1.0F, -1.0F}) {
      const std::size_t depth = 4096;
      LinearWeights map{depth, 1, std::vector<float>(depth, sign), {0.0F}, 1.0F};
      const PackedLinear packed(map, Precision::int8);
      std::vector<float> row(depth, 1.0F);
      row[0] = 0.0F;
      ThreadPool pool(1);
      Arena arena;
      Context context{pool, arena, *kernels};
      float output = 0.0F;
      apply(packed, {row.data(), 1, depth}, {&output, 1}, context);
      EXPECT_NEAR(output, sign * static_cast<float>(depth - 1), 0.02F * depth) << kernels->name;
    }
  }
}

TEST(Int8Kernel, instruction_sets_give_the_same_integers) {
  std::mt19937 random(7);
  const LinearWeights map = random_map(100, 20, 1.0F, random);
  const PackedLinear packed(map, Precision::int8);
  const auto input = random_values(30 * 100, random);
  std::vector<std::vector<float>> outputs;
  for (const Kernels* kernels : runnable_kernels()) {
    ThreadPool pool(1);
    Arena arena;
    Context context{pool, arena, *kernels};
    outputs.emplace_back(30 * 20);
    apply(packed, {input.data(), 30, 100}, {outputs.back().data(), 20}, context);
  }
  for (const auto& output : outputs) {
    for (std::size_t i = 0; i < output.size(); ++i) {
      EXPECT_NEAR(output[i], outputs.front()[i], 1e-4F);
    }
  }
}

TEST(Int8Kernel, rounding_of_weights_does_not_touch_what_all_inputs_share) {
  std::mt19937 random(5);
  const LinearWeights map = random_map(256, 40, 1.0F, random);
  const PackedLinear packed(map, Precision::int8);
  const std::vector<float> row(256, 3.0F);
  for (const Kernels* kernels : runnable_kernels()) {
    ThreadPool pool(1);
    Arena arena;
    Context context{pool, arena, *kernels};
    std::vector<float> output(40);
    apply(packed, {row.data(), 1, 256}, {output.data(), 40}, context);
    for (std::size_t o = 0; o < 40; ++o) {
      EXPECT_NEAR(output[o], expected(map, row.data(), o), 1e-4) << kernels->name;
    }
  }
}

TEST(Int8Kernel, thin_layers_are_quantised_as_if_they_had_been_stored) {
  std::mt19937 random(6);
  std::vector<PackedLinear> layers;
  layers.emplace_back(random_map(3, 64, 0.25F, random), Precision::float32);
  layers.emplace_back(random_map(64, 20, 1.0F, random), Precision::int8);
  ASSERT_TRUE(Operand::takes_thin(layers[0], layers[1]));
  const auto input = random_values(50 * 3, random);
  for (const Kernels* kernels : runnable_kernels()) {
    ThreadPool pool(1);
    Arena arena;
    Context context{pool, arena, *kernels};
    std::vector<float> between(50 * 64);
    std::vector<float> stored(50 * 20);
    std::vector<float> fused(50 * 20);
    apply(layers[0], {input.data(), 50, 3}, {between.data(), 64}, context);
    apply(layers[1], {between.data(), 50, 64}, {stored.data(), 20}, context);
    apply_fused(layers, {input.data(), 50, 3}, {fused.data(), 20}, context);
    for (std::size_t i = 0; i < fused.size(); ++i) {
      // A value next to a rounding border may fall to either side: one step of one input.
      EXPECT_NEAR(fused[i], stored[i], 0.05F) << kernels->name;
    }
  }
}

TEST(Arena, allocates_nothing_once_it_has_seen_the_work) {
  std::mt19937 random(3);
  std::vector<PackedLinear> layers;
  layers.emplace_back(random_map(3, 64, 0.0F, random), Precision::float32);
  layers.emplace_back(random_map(64, 80, 0.0F, random), Precision::float32);
  layers.emplace_back(random_map(80, 96, 1.0F, random), Precision::int8);
  const auto input = random_values(1000 * 3, random);
  std::vector<float> output(1000 * 96);
  ThreadPool pool(2);
  Arena arena;
  Context context{pool, arena, kernels()};
  std::size_t after_first = 0;
  for (int run = 0; run < 3; ++run) {
    arena.reset();
    apply_fused(layers, {input.data(), 1000, 3}, {output.data(), 96}, context);
    if (run == 0) after_first = arena.capacity();
    EXPECT_EQ(arena.capacity(), after_first);
  }
}

TEST(Bfloat16, rounds_to_nearest_even) {
  EXPECT_EQ(to_bfloat16(1.0F), 0x3f80);
  EXPECT_EQ(to_bfloat16(1.00390625F), 0x3f80);  // halfway, down to even
  EXPECT_EQ(to_bfloat16(1.01171875F), 0x3f82);  // halfway, up to even
  EXPECT_EQ(to_bfloat16(-1.0078125F), 0xbf81);
}

TEST(ThreadPool, runs_every_task_once_and_passes_exceptions_on) {
  ThreadPool pool(3);
  for (int loop = 0; loop < 200; ++loop) {
    std::vector<std::atomic<int>> calls(17);
    pool.run(17, [&](std::int64_t task, int) { ++calls[static_cast<std::size_t>(task)]; });
    for (const auto& count : calls) ASSERT_EQ(count, 1);
  }
  EXPECT_THROW(pool.run(17,
                        [](std::int64_t task, int) {
                          if (task == 5) throw std::runtime_error("task 5");
                        }),
               std::runtime_error);
}

}  // namespace
}  // namespace pointtree::inference::engine
