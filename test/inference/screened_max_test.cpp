#include "inference/engine/screened_max.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "inference/engine/fused_mlp.hpp"
#include "random_maps.hpp"

namespace pointtree::inference::engine {
namespace {

// Depth and width off every multiple that the kernels like; tiles end inside the cloud.
constexpr std::size_t kIn = 70;
constexpr std::size_t kOut = 50;
constexpr std::size_t kPoints = 512;

// A map and the rows of one cloud.
struct Case {
  std::string name;
  LinearWeights map;
  std::vector<float> rows;  // [kPoints, kIn]

  float* row(std::size_t index) { return rows.data() + index * kIn; }
};

float rounded(float value) {
  const std::uint32_t bits = static_cast<std::uint32_t>(to_bfloat16(value)) << 16;
  float result;
  std::memcpy(&result, &bits, sizeof(result));
  return result;
}

Case with_rows(const std::string& name, const std::function<float(std::size_t, std::size_t)>& value,
               std::mt19937& random) {
  Case made{name, random_map(kIn, kOut, 1.0F, random), {}};
  for (std::size_t r = 0; r < kPoints; ++r) {
    for (std::size_t k = 0; k < kIn; ++k) made.rows.push_back(value(r, k));
  }
  return made;
}

// The rows of each block are one, with an ever smaller first output, but for two in the first
// block: one has a somewhat larger first output, which the coarse product sees; the other has the
// largest, which it does not see, since all that makes it larger is lost in rounding.
constexpr std::size_t kSeen = 0;
constexpr std::size_t kUnseen = 9;

Case falling(const std::string& name, std::mt19937& random) {
  Case made{name, random_map(kIn, kOut, 1.0F, random), std::vector<float>(kPoints * kIn)};
  for (std::size_t r = 0; r < kPoints; ++r) {
    const std::size_t block = r / kScreenBlock;
    const float fall = -0.1F * static_cast<float>(block);
    for (std::size_t k = 0; k < kIn; ++k) made.row(r)[k] = fall * made.map.weight[k];
  }
  return made;
}

Case lost_with_the_weights(std::mt19937& random) {
  Case made = falling("lost with the weights", random);
  const float* weights = made.map.weight.data();
  float lost = 0.0F;
  for (std::size_t k = 0; k < kIn; ++k) {
    const float rest = weights[k] - rounded(weights[k]);
    made.row(kUnseen)[k] = 1024.0F * rounded(rest);
    lost += 1024.0F * rest * rest;
  }
  made.row(kSeen)[0] += 0.5F * lost / weights[0];
  return made;
}

Case lost_with_the_rows(std::mt19937& random) {
  Case made = falling("lost with the rows", random);
  constexpr float kLost = 0.49F / 128.0F;  // of the distance between neighbours in bfloat16
  float* weights = made.map.weight.data();
  float lost = 0.0F;
  for (std::size_t k = 0; k < kIn; ++k) {
    weights[k] = rounded(weights[k]);
    made.row(kSeen)[k] += std::copysign(1.0F, weights[k]);
    made.row(kUnseen)[k] += std::copysign(1.0F + kLost, weights[k]);
    lost += kLost * std::abs(weights[k]);
  }
  made.row(kSeen)[0] += 0.5F * lost / weights[0];
  return made;
}

std::vector<Case> cases() {
  std::mt19937 random(23);
  std::normal_distribution<float> normal;
  const auto noise = [&](auto, auto) { return normal(random); };
  const auto smooth = [](std::size_t r, std::size_t k) {
    const float t = 0.01F * static_cast<float>(r);
    return std::max(0.0F, std::sin(t + static_cast<float>(k)));
  };
  std::vector<Case> all;
  all.push_back(with_rows("smooth", smooth, random));
  all.push_back(with_rows("no neighbours", noise, random));
  all.push_back(with_rows(
      "all zero", [](auto, auto) { return 0.0F; }, random));
  all.push_back(with_rows(
      "all equal", [](auto, std::size_t k) { return 0.1F * static_cast<float>(k); }, random));
  all.push_back(with_rows(
      "every row seven times", [&](std::size_t r, std::size_t k) { return smooth(r / 7 * 7, k); },
      random));
  all.push_back(with_rows(
      "outlier", [&](std::size_t r, std::size_t k) { return r == 301 ? 1e3F : smooth(r, k); },
      random));
  all.push_back(with_rows(
      "far from the origin", [&](std::size_t r, std::size_t k) { return 1e4F + smooth(r, k); },
      random));
  all.push_back(with_rows(
      "huge range", [&](auto, auto) { return normal(random) * std::exp(12.0F * normal(random)); },
      random));
  all.push_back(with_rows(
      "tiny", [&](auto, auto) { return 1e-38F * normal(random); }, random));
  all.push_back(with_rows("heavy weights", smooth, random));
  for (float& weight : all.back().map.weight) weight *= std::exp(4.0F * normal(random));
  all.push_back(with_rows("zero weights", smooth, random));
  std::fill_n(all.back().map.weight.begin(), kIn * kOut / 2, 0.0F);
  all.push_back(lost_with_the_weights(random));
  all.push_back(lost_with_the_rows(random));
  return all;
}

// The largest output and how much rounding may take from it.
struct Largest {
  double value = -1e300;
  double tolerance = 0.0;
};

Largest largest(const Case& made, std::size_t o) {
  Largest found;
  for (std::size_t r = 0; r < kPoints; ++r) {
    const float* row = made.rows.data() + r * kIn;
    double size = std::abs(made.map.bias[o]);
    for (std::size_t k = 0; k < kIn; ++k) size += std::abs(made.map.weight[o * kIn + k] * row[k]);
    const double value = expected(made.map, row, o);
    if (value > found.value) found = {value, 1e-6 * size};
  }
  return found;
}

std::vector<const Kernels*> screening_kernels() {
  std::vector<const Kernels*> list = runnable_kernels();
  list.erase(std::remove_if(list.begin(), list.end(),
                            [](const Kernels* kernels) { return kernels->screening == nullptr; }),
             list.end());
  return list;
}

std::vector<float> screened(const Case& made, const Kernels& kernels, int threads) {
  const CoarseLinear coarse(made.map);
  EXPECT_TRUE(ScreenedMax::takes(coarse, kPoints, kScreenBlock, kernels));
  std::vector<PackedLinear> layers;
  layers.emplace_back(made.map, Precision::float32);
  const MaxAids aids{{}, CoarseLinear(made.map)};
  Team team(threads);
  Arena arena;
  Context context{team, arena, kernels};
  std::vector<float> maxima(kOut);
  apply_fused_max(layers, aids, {made.rows.data(), kPoints, kIn}, 1, maxima.data(), context);
  return maxima;
}

// The first columns' bounds for a case's first block.
class Bounds {
 public:
  Bounds(const Case& made, const Kernels& kernels)
      : made_(made),
        coarse_(made.map),
        kernels_(kernels),
        bounds_(kScreenBlockGroups * kScreenWidth) {
    const float* middle = made.rows.data() + kScreenBlock / 2 * kIn;
    std::vector<std::uint16_t> rows(kScreenBlock * coarse_.depth());
    std::vector<GroupError> errors(kScreenBlockGroups);
    kernels.screening->subtract_middle({made.rows.data(), kIn, kIn, coarse_.depth(), middle},
                                       rows.data(), errors.data());
    Team team(1);
    Arena arena;
    Context context{team, arena, kernels};
    std::vector<float> outputs(kOut);
    apply(PackedLinear(made.map, Precision::float32), {middle, 1, kIn}, {outputs.data(), kOut},
          context);
    const std::vector<float> best(kScreenWidth);
    std::vector<HopefulGroup> list(kScreenBlockGroups);
    ScreenProduct product{rows.data(),      1,          coarse_.depth(), coarse_.panels(0),
                          outputs.data(),   kOut,       errors.data(),   coarse_.sizes(),
                          coarse_.losses(), best.data()};
    kernels.screening->list_hopeful(product, bounds_.data(), list.data());
  }

  float of(std::size_t group, std::size_t o) const { return bounds_[group * kScreenWidth + o]; }

  float output(std::size_t group, std::size_t o) const {
    return kernels_.screening->largest_dot(made_.rows.data() + group * kScreenGroup * kIn, kIn,
                                           coarse_.row(o), kIn) +
           coarse_.bias(o);
  }

 private:
  const Case& made_;
  CoarseLinear coarse_;
  const Kernels& kernels_;
  std::vector<float> bounds_;
};

TEST(ScreenedMax, finds_the_largest_outputs_of_any_rows) {
  for (const Kernels* kernels : screening_kernels()) {
    for (const Case& made : cases()) {
      SCOPED_TRACE(testing::Message() << kernels->name << ", " << made.name << ", seed 23");
      const std::vector<float> maxima = screened(made, *kernels, 1);
      for (std::size_t o = 0; o < kOut; ++o) {
        const Largest wanted = largest(made, o);
        EXPECT_NEAR(maxima[o], wanted.value, wanted.tolerance) << "output " << o;
      }
      EXPECT_EQ(screened(made, *kernels, 3), maxima);
    }
  }
}

// The promise on which the exactness rests, for what is computed and not only in theory.
TEST(ScreenedMax, bounds_are_never_below_an_output) {
  for (const Kernels* kernels : screening_kernels()) {
    for (const Case& made : cases()) {
      SCOPED_TRACE(testing::Message() << kernels->name << ", " << made.name << ", seed 23");
      const Bounds bounds(made, *kernels);
      for (std::size_t group = 0; group < kScreenBlockGroups; ++group) {
        for (std::size_t o = 0; o < kScreenWidth; ++o) {
          EXPECT_GE(bounds.of(group, o), bounds.output(group, o)) << group << ", " << o;
        }
      }
    }
  }
}

// As in the T-Net of a network with extra channels.
TEST(ScreenedMax, answers_cloud_by_cloud_behind_other_layers_and_allocates_once) {
  constexpr std::size_t kChannels = 5;
  constexpr std::size_t kClouds = 3;
  std::mt19937 random(29);
  const LinearWeights last = random_map(96, 200, 1.0F, random);
  std::vector<PackedLinear> layers;
  layers.emplace_back(random_map(kChannels, 64, 0.0F, random), Precision::float32);
  layers.emplace_back(random_map(64, 96, 0.0F, random), Precision::float32);
  layers.emplace_back(last, Precision::float32);
  const MaxAids aids{{}, CoarseLinear(last)};
  // The second cloud is a single point.
  std::vector<float> points = random_values(kClouds * kPoints * kChannels, random);
  std::fill_n(points.begin() + kPoints * kChannels, kPoints * kChannels, 0.25F);
  const Rows rows{points.data(), kClouds * kPoints, kChannels};
  for (const Kernels* kernels : screening_kernels()) {
    SCOPED_TRACE(testing::Message() << kernels->name << ", seed 29");
    Team team(2);
    Arena arena;
    Context context{team, arena, *kernels};
    std::vector<float> every(kClouds * 200);
    std::vector<float> found(kClouds * 200);
    apply_fused_max(layers, {}, rows, kClouds, every.data(), context);
    apply_fused_max(layers, aids, rows, kClouds, found.data(), context);
    for (std::size_t i = 0; i < every.size(); ++i) EXPECT_NEAR(found[i], every[i], 2e-4F) << i;
    const std::size_t capacity = arena.capacity();
    apply_fused_max(layers, aids, rows, kClouds, found.data(), context);
    EXPECT_EQ(arena.capacity(), capacity);
  }
}

}  // namespace
}  // namespace pointtree::inference::engine
