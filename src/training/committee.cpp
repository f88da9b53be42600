#include "committee.hpp"

#include <ATen/TensorOperators.h>

#include <algorithm>
#include <stdexcept>

#include "geometry/describe.hpp"
#include "geometry/proportions.hpp"
#include "geometry/subtree_shapes.hpp"
#include "inference/bundle.hpp"
#include "network/network_weights.hpp"

namespace pointtree::training {
namespace {

// Mirrors every cloud at the coordinate planes of the axes in `frame`'s bits. A mirrored cloud's
// tree is the same up to swapped children. Of the map to its pose nothing is known here but the
// proportions, so those are mirrored as well instead of being described again.
at::Tensor mirrored(const at::Tensor& points, int frame, const inference::ModelConfig& config) {
  if (frame == 0) return points;
  auto rows = points.clone();
  for (int axis = 0; axis < 3; ++axis) {
    if ((frame >> axis & 1) != 0) rows.select(2, axis).neg_();
  }
  const auto stride = rows.size(2);
  for (std::int64_t b = 0; b < rows.size(0); ++b) {
    auto* first = rows[b].mutable_data_ptr<float>();
    const Eigen::Map<const geometry::Points, 0, Eigen::OuterStride<>> leaves(
        first, rows.size(1), 3, Eigen::OuterStride<>(stride));
    geometry::describe(leaves, Eigen::Matrix3d::Identity(), config.description(),
                       first + 3 + config.extra_channels, stride);
    if (!config.proportions) continue;
    const auto place = (geometry::proportions_row(rows.size(1)) + 1) * stride -
                       geometry::kSubtreeChannels;  // the subtrees' columns are the last
    std::copy_n(points[b].const_data_ptr<float>() + place, geometry::kProportionChannels,
                first + place);
    geometry::mirror_proportions(frame, first + place);
  }
  return rows;
}

void check_committee(const std::vector<Member>& members) {
  const inference::Manifest& first = members.front().manifest;
  for (std::size_t i = 1; i < members.size(); ++i) {
    const inference::Manifest& other = members[i].manifest;
    const bool same_classes = std::equal(
        first.classes.begin(), first.classes.end(), other.classes.begin(), other.classes.end(),
        [](const auto& one, const auto& two) { return one.name == two.name; });
    const bool classify = first.model.task == inference::Task::classification &&
                          other.model.task == inference::Task::classification;
    if (!classify || !same_classes || first.channels != other.channels) {
      throw std::invalid_argument(
          "models: expected classifiers with the same classes and channels, " + first.name +
          " and " + other.name + " differ");
    }
  }
}

Member load_member(const std::filesystem::path& path, const EvaluationRequest& request) {
  const inference::Bundle bundle(path);
  const inference::Manifest& manifest = bundle.manifest();
  const int views = request.views > 0 ? request.views : manifest.looks;
  if (views > 1 && manifest.model.task == inference::Task::segmentation) {
    throw std::invalid_argument("views: expected 1 for a model that segments");
  }
  Member member{manifest, network::load_network(bundle), manifest.model, views};
  if (request.pre_align) member.config.pre_align = *request.pre_align;
  return member;
}

}  // namespace

std::vector<Member> load_members(const EvaluationRequest& request) {
  if (request.models.empty()) throw std::invalid_argument("models: expected at least one");
  std::vector<Member> members;
  for (const auto& path : request.models) members.push_back(load_member(path, request));
  if (members.size() == 1 && !request.alone) {
    const auto& named = request.models.front();
    const auto others = members.front().manifest.votes_with;
    for (const auto& name : others) {
      const auto path = (named / ".." / name).lexically_normal();
      if (!std::filesystem::exists(path)) {
        throw std::runtime_error(named.string() + ": votes with " + path.string() +
                                 ", which is missing; --alone judges it without");
      }
      members.push_back(load_member(path, request));
    }
  }
  check_committee(members);
  return members;
}

std::string joined(const std::vector<Member>& members, std::string inference::Manifest::*field) {
  std::string text;
  for (const Member& member : members) {
    text += (text.empty() ? "" : " + ") + member.manifest.*field;
  }
  return text;
}

at::Tensor vote(Member& member, const Batch& batch, int votes) {
  at::Tensor sum;
  for (int frame = 0; frame < votes; ++frame) {
    const auto points = mirrored(batch.points, frame, member.config);
    const auto likelihoods = member.network->forward(points, batch.owner).logits.softmax(-1);
    sum = sum.defined() ? sum + likelihoods : likelihoods;
  }
  return sum / (votes * member.views);
}

}  // namespace pointtree::training
