#include "pointtree/model/training_kernels.hpp"

#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/addmm.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/full.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/mv.h>
#include <ATen/ops/var_mean.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <limits>
#include <tuple>

#include "pointtree/model/shared_statistics.hpp"

namespace pointtree::model {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// Rows of a piece: its 1,024 hidden features take 1 MB, which the second-level caches hold.
constexpr std::int64_t kPieceRows = 256;

// Keeps the largest value seen in each column and the row it came from.
void keep_largest(const float* values, std::int64_t rows, std::int64_t columns,
                  std::int32_t first_row, float* __restrict largest,
                  std::int32_t* __restrict winner) {
  for (std::int64_t r = 0; r < rows; ++r) {
    const float* __restrict row = values + r * columns;
    const auto number = static_cast<std::int32_t>(first_row + r);
    for (std::int64_t c = 0; c < columns; ++c) {
      const bool larger = row[c] > largest[c];
      winner[c] = larger ? number : winner[c];
      largest[c] = larger ? row[c] : largest[c];
    }
  }
}

struct MaxOfLinear : torch::autograd::Function<MaxOfLinear> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& points,
                            const at::Tensor& weight, const at::Tensor& bias) {
    const auto x = points.contiguous();
    const auto batch = x.size(0);
    const auto count = x.size(1);
    const auto out = weight.size(0);
    const auto transposed = weight.t().contiguous();
    auto largest = at::full({batch, out}, -std::numeric_limits<float>::infinity(), x.options());
    auto winner = at::zeros({batch, out}, x.options().dtype(at::kInt));
    at::parallel_for(0, batch, 1, [&](std::int64_t begin, std::int64_t end) {
      const at::NoGradGuard no_grad;
      auto piece = at::empty({kPieceRows, out}, x.options());
      for (std::int64_t b = begin; b < end; ++b) {
        for (std::int64_t row = 0; row < count; row += kPieceRows) {
          const auto rows = std::min(kPieceRows, count - row);
          auto values = piece.narrow(0, 0, rows);
          at::mm_out(values, x[b].narrow(0, row, rows), transposed);
          keep_largest(values.const_data_ptr<float>(), rows, out, static_cast<std::int32_t>(row),
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

// In place: v ← v where positive, slope · v elsewhere.
void apply_prelu(float* __restrict values, std::int64_t count, float slope) {
  for (std::int64_t i = 0; i < count; ++i)
    values[i] = values[i] > 0.0F ? values[i] : slope * values[i];
}

// Turns the gradient of prelu's output into that of its input, in place, and returns that of the
// slope.
double prelu_backward(const float* __restrict before, float* __restrict gradient,
                      std::int64_t count, float slope) {
  double to_slope = 0.0;
  constexpr std::int64_t kRun = 1024;  // float sums over short runs, double over the runs
  for (std::int64_t start = 0; start < count; start += kRun) {
    float sum = 0.0F;
    const auto end = std::min(count, start + kRun);
    for (std::int64_t i = start; i < end; ++i) {
      const bool positive = before[i] > 0.0F;
      sum += positive ? 0.0F : gradient[i] * before[i];
      gradient[i] = positive ? gradient[i] : slope * gradient[i];
    }
    to_slope += static_cast<double>(sum);
  }
  return to_slope;
}

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
                         at::addmm_out(hidden, first_bias, x.narrow(0, row, size), into_hidden);
                         apply_prelu(hidden.mutable_data_ptr<float>(), hidden.numel(), a);
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
    auto to_first = at::zeros_like(first);
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
      at::addmm_out(h, saved[2], piece, into_hidden);
      auto activated = after.narrow(0, 0, size);
      activated.copy_(h);
      apply_prelu(activated.mutable_data_ptr<float>(), activated.numel(), a);
      to_weight.addmm_(from_above.t(), activated);
      auto g = flowing.narrow(0, 0, size);
      at::mm_out(g, from_above, weight);
      to_slope +=
          prelu_backward(h.const_data_ptr<float>(), g.mutable_data_ptr<float>(), g.numel(), a);
      to_first.addmm_(g.t(), piece);
      to_first_bias.add_(g.sum(0));
      auto target = to_x.narrow(0, row, size);
      at::mm_out(target, g, first);
    }
    return {to_x,      to_first,       to_first_bias, at::full_like(saved[3], to_slope),
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
      for (std::int64_t p = begin; p < end; ++p) {
        const float* left = y.const_data_ptr<float>() + 2 * p * channels;
        const float* right = left + channels;
        float* __restrict out = result.mutable_data_ptr<float>() + p * channels;
        for (std::int64_t c = 0; c < channels; ++c) {
          const float l = s[c] * left[c];
          const float r = s[c] * right[c];
          out[c] = (l >= r ? l : r) + t[c];
        }
      }
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
    for (std::int64_t p = 0; p < pairs; ++p) {
      const float* left = values + 2 * p * channels;
      const float* right = left + channels;
      const float* row = g + p * channels;
      for (std::int64_t c = 0; c < channels; ++c) {
        const float winner = s[c] * left[c] >= s[c] * right[c] ? left[c] : right[c];
        to_beta[c] += static_cast<double>(row[c]);
        to_gamma[c] += static_cast<double>(row[c] * (winner - m[c]) * i[c]);
      }
    }
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
      for (std::int64_t p = begin; p < end; ++p) {
        const float* left = values + 2 * p * channels;
        const float* right = left + channels;
        const float* row = g + p * channels;
        float* __restrict to_left = to_rows.mutable_data_ptr<float>() + 2 * p * channels;
        float* __restrict to_right = to_left + channels;
        for (std::int64_t c = 0; c < channels; ++c) {
          const bool left_wins = s[c] * left[c] >= s[c] * right[c];
          to_left[c] = s[c] * ((left_wins ? row[c] : 0.0F) - q[c] - k[c] * left[c]);
          to_right[c] = s[c] * ((left_wins ? 0.0F : row[c]) - q[c] - k[c] * right[c]);
        }
      }
    });
    return {to_rows, own[1], own[0], at::Tensor(), at::Tensor(), at::Tensor()};
  }
};

}  // namespace

bool fits_training_kernels(const at::Tensor& features) {
  return at::GradMode::is_enabled() && features.device().is_cpu() &&
         features.scalar_type() == at::kFloat;
}

FoldedLinear fold_normalisation(const at::Tensor& rows, const torch::nn::Linear& linear,
                                torch::nn::BatchNorm1d norm) {
  const auto count = static_cast<double>(rows.size(0)) * statistics_processes();
  const auto mean = differentiable_sum(rows.sum(0)) / count;
  const auto centred = rows - mean;
  const auto covariance = differentiable_sum(centred.t().mm(centred)) / count;
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
      std::tie(variance, mean) = at::var_mean(rows, at::IntArrayRef{0}, /*unbiased=*/false);
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

}  // namespace pointtree::model
