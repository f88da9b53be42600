// SPDX-License-Identifier: Apache-2.0
#include "network/training_kernels.hpp"

#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/autocast_mode.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/addmm.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/full.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/mv.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

#include "network/shared_statistics.hpp"
#include "training_loops.hpp"

namespace pointtree::network {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// Rows of a piece: its 1,024 hidden features take 1 MB, which the second-level caches hold.
constexpr std::int64_t kPieceRows = 256;

struct MaxOfLinear : torch::autograd::Function<MaxOfLinear> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& points,
                            const at::Tensor& weight, const at::Tensor& bias) {
    const auto x = points.contiguous();
    const auto batch = x.size(0);
    const auto count = x.size(1);
    const auto out = weight.size(0);
    const bool half = at::autocast::is_autocast_enabled(at::kCPU);
    const auto type = half ? at::kBFloat16 : at::kFloat;
    const auto factors = x.to(type);
    const auto transposed = weight.t().to(type).contiguous();
    auto largest = at::full({batch, out}, -std::numeric_limits<float>::infinity(), x.options());
    auto winner = at::zeros({batch, out}, x.options().dtype(at::kInt));
    at::parallel_for(0, batch, 1, [&](std::int64_t begin, std::int64_t end) {
      const at::NoGradGuard no_grad;
      auto piece = at::empty({kPieceRows, out}, factors.options());
      for (std::int64_t b = begin; b < end; ++b) {
        for (std::int64_t row = 0; row < count; row += kPieceRows) {
          const auto rows = std::min(kPieceRows, count - row);
          auto values = piece.narrow(0, 0, rows);
          at::mm_out(values, factors[b].narrow(0, row, rows), transposed);
          loops::keep_largest(values.to(at::kFloat).const_data_ptr<float>(), rows, out,
                              static_cast<std::int32_t>(row),
                              largest.mutable_data_ptr<float>() + b * out,
                              winner.mutable_data_ptr<std::int32_t>() + b * out);
        }
      }
    });
    context->save_for_backward({x, weight, winner});
    return largest + bias;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const auto saved = context->get_saved_variables();
    const auto& x = saved[0];
    const auto& weight = saved[1];
    const auto gradient = gradients[0].contiguous();
    const auto batch = x.size(0);
    const auto winner = saved[2].to(at::kLong);
    auto to_points = at::zeros_like(x);
    auto to_weight = at::zeros_like(weight);
    for (std::int64_t b = 0; b < batch; ++b) {
      const auto scale = gradient[b].unsqueeze(1);
      to_weight.addcmul_(x[b].index_select(0, winner[b]), scale);
      to_points[b].index_add_(0, winner[b], weight * scale);
    }
    return {to_points, to_weight, gradient.sum(0)};
  }
};

// The hidden features of some rows before their activation.
void map_rows(const at::Tensor& rows, const at::Tensor& map, const at::Tensor& bias,
              at::Tensor& hidden) {
  if (rows.size(1) != 3) {
    at::addmm_out(hidden, bias, rows, map);
    return;
  }
  loops::map_coordinates(rows.const_data_ptr<float>(), rows.size(0), map.size(1),
                         map.const_data_ptr<float>(), bias.const_data_ptr<float>(),
                         hidden.mutable_data_ptr<float>());
}

// Its gradients: sets those of the rows, adds to those of map and bias.
void map_rows_backward(const at::Tensor& rows, const at::Tensor& gradient, const at::Tensor& map,
                       at::Tensor to_rows, at::Tensor& to_map, at::Tensor& to_bias) {
  if (rows.size(1) != 3) {
    to_map.addmm_(rows.t(), gradient);
    to_bias.add_(gradient.sum(0));
    at::mm_out(to_rows, gradient, map.t());
    return;
  }
  auto map_sum = at::zeros_like(to_map);
  auto bias_sum = at::zeros_like(to_bias);
  loops::map_coordinates_backward(
      rows.const_data_ptr<float>(), gradient.const_data_ptr<float>(), rows.size(0), map.size(1),
      map.const_data_ptr<float>(), to_rows.mutable_data_ptr<float>(),
      map_sum.mutable_data_ptr<float>(), bias_sum.mutable_data_ptr<float>());
  to_map.add_(map_sum);
  to_bias.add_(bias_sum);
}

// xᵀ x, whose gradient takes one product instead of two.
struct SelfProduct : torch::autograd::Function<SelfProduct> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& rows, bool half) {
    context->save_for_backward({rows});
    context->saved_data["half"] = half;
    return rows.t().mm(rows);
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const auto rows = context->get_saved_variables()[0];
    const auto both = gradients[0] + gradients[0].t();
    if (!context->saved_data["half"].toBool()) return {rows.mm(both), at::Tensor()};
    return {rows.to(at::kBFloat16).mm(both.to(at::kBFloat16)).to(at::kFloat), at::Tensor()};
  }
};

struct PreluMlp : torch::autograd::Function<PreluMlp> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& rows,
                            const at::Tensor& first, const at::Tensor& first_bias,
                            const at::Tensor& slope, const at::Tensor& weight,
                            const at::Tensor& bias) {
    const auto x = rows.contiguous();
    const auto count = x.size(0);
    const auto into_hidden = first.t().contiguous();
    const auto out_of_hidden = weight.t().contiguous();
    const float a = slope.item<float>();
    auto result = at::empty({count, weight.size(0)}, x.options());
    at::parallel_for(0, (count + kPieceRows - 1) / kPieceRows, 1,
                     [&](std::int64_t begin, std::int64_t end) {
                       const at::NoGradGuard no_grad;
                       auto buffer = at::empty({kPieceRows, first.size(0)}, x.options());
                       for (std::int64_t piece = begin; piece < end; ++piece) {
                         const auto row = piece * kPieceRows;
                         const auto size = std::min(kPieceRows, count - row);
                         auto hidden = buffer.narrow(0, 0, size);
                         map_rows(x.narrow(0, row, size), into_hidden, first_bias, hidden);
                         loops::apply_prelu(hidden.mutable_data_ptr<float>(), hidden.numel(), a);
                         auto target = result.narrow(0, row, size);
                         at::addmm_out(target, bias, hidden, out_of_hidden);
                       }
                     });
    context->save_for_backward({x, first, first_bias, slope, weight});
    return result;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const auto saved = context->get_saved_variables();
    const auto& x = saved[0];
    const auto& first = saved[1];
    const auto& weight = saved[4];
    const auto gradient = gradients[0].contiguous();
    const auto count = x.size(0);
    const auto hidden_width = first.size(0);
    const auto into_hidden = first.t().contiguous();
    const float a = saved[3].item<float>();
    auto to_x = at::empty_like(x);
    auto to_first = at::zeros_like(into_hidden);
    auto to_first_bias = at::zeros_like(saved[2]);
    auto to_weight = at::zeros_like(weight);
    double to_slope = 0.0;
    auto before = at::empty({kPieceRows, hidden_width}, x.options());
    auto after = at::empty_like(before);
    auto flowing = at::empty_like(before);
    // One piece after the other, so that sums have one order whatever the number of threads.
    for (std::int64_t row = 0; row < count; row += kPieceRows) {
      const auto size = std::min(kPieceRows, count - row);
      const auto piece = x.narrow(0, row, size);
      const auto from_above = gradient.narrow(0, row, size);
      auto h = before.narrow(0, 0, size);
      map_rows(piece, into_hidden, saved[2], h);
      auto activated = after.narrow(0, 0, size);
      activated.copy_(h);
      loops::apply_prelu(activated.mutable_data_ptr<float>(), activated.numel(), a);
      to_weight.addmm_(from_above.t(), activated);
      auto g = flowing.narrow(0, 0, size);
      at::mm_out(g, from_above, weight);
      to_slope += loops::prelu_backward(h.const_data_ptr<float>(), g.mutable_data_ptr<float>(),
                                        g.numel(), a);
      map_rows_backward(piece, g, into_hidden, to_x.narrow(0, row, size), to_first, to_first_bias);
    }
    return {to_x,      to_first.t(),   to_first_bias, at::full_like(saved[3], to_slope),
            to_weight, gradient.sum(0)};
  }
};

struct NormalisedMax : torch::autograd::Function<NormalisedMax> {
  // Statistics [2, C]: mean and 1/σ. Running statistics are the caller's.
  static at::Tensor forward(AutogradContext* context, const at::Tensor& rows,
                            const at::Tensor& gamma, const at::Tensor& beta, const at::Tensor& mean,
                            const at::Tensor& inverse_sigma, double total_rows) {
    const auto y = rows.contiguous();
    const auto pairs = y.size(0) / 2;
    const auto channels = y.size(1);
    const auto scale = gamma * inverse_sigma;
    const auto shift = beta - mean * scale;
    auto result = at::empty({pairs, channels}, y.options());
    const auto* s = scale.const_data_ptr<float>();
    const auto* t = shift.const_data_ptr<float>();
    at::parallel_for(0, pairs, 1 + (1 << 15) / channels, [&](std::int64_t begin, std::int64_t end) {
      loops::scaled_max(y.const_data_ptr<float>() + 2 * begin * channels, end - begin, channels, s,
                        t, result.mutable_data_ptr<float>() + begin * channels);
    });
    context->save_for_backward({y, gamma, mean, inverse_sigma});
    context->saved_data["rows"] = total_rows;
    return result;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const auto saved = context->get_saved_variables();
    const auto& y = saved[0];
    const auto gradient = gradients[0].contiguous();
    const auto pairs = gradient.size(0);
    const auto channels = gradient.size(1);
    const auto scale = saved[1] * saved[3];
    const auto* s = scale.const_data_ptr<float>();
    const auto* m = saved[2].const_data_ptr<float>();
    const auto* i = saved[3].const_data_ptr<float>();
    // Σ g and Σ g ŷ of the winners, the gradients of shift and scale; double, since rows are many.
    auto sums = at::zeros({2, channels}, at::kDouble);
    auto* to_beta = sums.mutable_data_ptr<double>();
    auto* to_gamma = to_beta + channels;
    const auto* g = gradient.const_data_ptr<float>();
    const auto* values = y.const_data_ptr<float>();
    loops::add_winner_gradients(values, g, pairs, channels, s, m, i, to_beta, to_gamma);
    auto shared = sums.to(y.scalar_type());
    const auto own = shared.clone();
    sum_statistics(shared);
    const auto inverse_rows = 1.0 / context->saved_data["rows"].toDouble();
    // dy = scale · (g − mean(g) − ŷ mean(g ŷ)), with ŷ = (y − m) · i.
    const auto slope = (shared[1] * saved[3] * inverse_rows).contiguous();
    const auto constant = (shared[0] * inverse_rows - slope * saved[2]).contiguous();
    const auto* k = slope.const_data_ptr<float>();
    const auto* q = constant.const_data_ptr<float>();
    auto to_rows = at::empty_like(y);
    at::parallel_for(0, pairs, 1 + (1 << 15) / channels, [&](std::int64_t begin, std::int64_t end) {
      const auto offset = 2 * begin * channels;
      loops::spread_to_pairs(values + offset, g + begin * channels, end - begin, channels, s, q, k,
                             to_rows.mutable_data_ptr<float>() + offset);
    });
    return {to_rows, own[1], own[0], at::Tensor(), at::Tensor(), at::Tensor()};
  }
};

// Mean and variance of every column, float32 [R, C] → [C] each, in two passes.
std::pair<at::Tensor, at::Tensor> column_moments(const at::Tensor& rows) {
  const auto x = rows.contiguous();
  const auto count = x.size(0);
  const auto columns = x.size(1);
  const auto mean_power = [&](const at::Tensor& centre, int power) {
    auto sums = at::zeros({columns}, at::kDouble);
    at::parallel_for(0, columns, 1 + (1 << 18) / count, [&](std::int64_t begin, std::int64_t end) {
      loops::add_column_powers(x.const_data_ptr<float>(), count, columns, begin, end,
                               centre.const_data_ptr<float>() + begin, power,
                               sums.mutable_data_ptr<double>() + begin);
    });
    return sums.div_(static_cast<double>(count)).to(at::kFloat);
  };
  const auto mean = mean_power(at::zeros({columns}, x.options()), 1);
  return {mean, mean_power(mean, 2)};
}

}  // namespace

bool fits_training_kernels(const at::Tensor& features) {
  return at::GradMode::is_enabled() && features.device().is_cpu() &&
         features.scalar_type() == at::kFloat;
}

at::Tensor linear_product(torch::nn::Linear linear, const at::Tensor& input) {
  const auto product = linear(input);
  return product.device().is_cpu() ? product.to(linear->weight.scalar_type()) : product;
}

FoldedLinear fold_normalisation(const at::Tensor& rows, const torch::nn::Linear& linear,
                                torch::nn::BatchNorm1d norm) {
  const bool half = at::autocast::is_autocast_enabled(at::kCPU);
  const FullPrecision full_precision;
  const auto count = static_cast<double>(rows.size(0)) * statistics_processes();
  const auto mean = differentiable_sum(rows.sum(0)) / count;
  const auto centred = rows - mean;
  const auto covariance = differentiable_sum(SelfProduct::apply(centred, half)) / count;
  const auto& weight = linear->weight;
  const auto variance = (weight.mm(covariance) * weight).sum(1).clamp_min(0.0);
  const auto mapped_mean = weight.mv(mean);
  const auto scale = norm->weight * (variance + norm->options.eps()).rsqrt();
  update_running_statistics(norm, mapped_mean + linear->bias, variance, count);
  // The map's own bias moves mean and values alike and so cancels.
  return {weight * scale.unsqueeze(1), norm->bias - scale * mapped_mean};
}

at::Tensor max_of_linear(const at::Tensor& points, const FoldedLinear& map) {
  return MaxOfLinear::apply(points, map.weight, map.bias);
}

at::Tensor prelu_mlp(const at::Tensor& rows, const FoldedLinear& first, const at::Tensor& slope,
                     const at::Tensor& weight, const at::Tensor& bias) {
  return PreluMlp::apply(rows, first.weight, first.bias, slope, weight, bias);
}

at::Tensor normalised_max_of_pairs(const at::Tensor& features, torch::nn::BatchNorm1d norm) {
  const auto rows = features.reshape({-1, features.size(2)});
  const auto count = static_cast<double>(rows.size(0)) * statistics_processes();
  at::Tensor mean;
  at::Tensor variance;
  {
    const at::NoGradGuard no_grad;
    if (statistics_processes() == 1) {
      std::tie(mean, variance) = column_moments(rows);
    } else {
      mean = rows.sum(0);
      sum_statistics(mean);
      mean.div_(count);
      variance = (rows - mean).square_().sum(0);
      sum_statistics(variance);
      variance.div_(count);
    }
  }
  update_running_statistics(norm, mean, variance, count);
  const auto inverse_sigma = (variance + norm->options.eps()).rsqrt();
  return NormalisedMax::apply(rows, norm->weight, norm->bias, mean, inverse_sigma, count)
      .view({features.size(0), features.size(1) / 2, features.size(2)});
}

}  // namespace pointtree::network
