// SPDX-License-Identifier: Apache-2.0
#include "executor.hpp"

#include <algorithm>

#include "fused_mlp.hpp"
#include "geometry/subtree_shapes.hpp"
#include "row_operations.hpp"

namespace pointtree::inference::engine {
namespace {

// Features of the nodes of one level: [clouds · nodes, width].
struct Level {
  float* data = nullptr;
  std::size_t rows = 0;
  std::size_t width = 0;

  Rows view() const { return {data, rows, width}; }
};

class Run {
 public:
  Run(const PackedNetwork& network, const LeafBatch& batch, Context& context)
      : network_(network),
        clouds_(batch.clouds),
        leaves_(batch.leaves),
        times_(static_cast<std::size_t>(network.config.points) / batch.leaves),
        owner_(batch.owner),
        context_(context),
        channels_(static_cast<std::size_t>(network.config.channels())),
        input_(batch.points) {}

  const float* logits() {
    Rows points{input_, clouds_ * leaves_, channels_};
    if (network_.alignment) points = align(*network_.alignment, points);
    for (std::size_t i = 0; i < network_.blocks.size(); ++i) {
      points = block(network_.blocks[i], points, i > 0);
    }
    if (!network_.decoder) {
      const bool reads_levels = !network_.level_poolings.empty();
      return cloud_head(pool_levels(encode(network_.encoder, points, reads_levels)));
    }
    const Level features = decode(*network_.decoder, encode(network_.encoder, points, true));
    average(features);
    float* answers = context_.arena.take(features.rows * network_.head.back().out());
    apply_fused(network_.head, features.view(), {answers, network_.head.back().out()}, context_);
    return answers;
  }

 private:
  // At most one level per bit of the leaf count, plus the leaves.
  class Levels {
   public:
    void push(const Level& level) { levels_[count_++] = level; }
    const Level& back() const { return levels_[count_ - 1]; }
    const Level& from_leaves(std::size_t step) const { return levels_[step]; }
    const Level& from_root(std::size_t step) const { return levels_[count_ - 1 - step]; }

   private:
    Level levels_[64];
    std::size_t count_ = 0;
  };

  Level take(std::size_t rows, std::size_t width) {
    return {context_.arena.take(rows * width), rows, width};
  }

  Rows align(const PackedAlignment& alignment, const Rows& points) {
    float* moved = context_.arena.take(points.count * channels_);
    std::copy_n(points.data, points.count * channels_, moved);
    const Level pooled = take(clouds_, alignment.point.back().out());
    apply_fused_max(alignment.point, points, clouds_, pooled.data, context_);
    move_points(moved, mlp(alignment.global, pooled));
    const Rows result{moved, points.count, channels_};
    if (alignment.encoder) {
      const Level root = encode(*alignment.encoder, result, false).back();
      move_points(moved, mlp(alignment.head, root));
    }
    return result;
  }

  void move_points(float* points, const Level& maps) {
    for (std::size_t cloud = 0; cloud < clouds_; ++cloud) {
      move_by(maps.data + cloud * maps.width, points + cloud * leaves_ * channels_, leaves_,
              channels_);
    }
  }

  Rows block(const PackedBlock& block, const Rows& points, bool adds) {
    const Level features = decode(block.decoder, encode(block.encoder, points, true));
    average(features);
    if (adds) add_rows(features.data, points.data, features.rows * features.width);
    return features.view();
  }

  Levels encode(const PackedEncoder& encoder, const Rows& points, bool keeps_all) {
    Levels levels;
    Level reused[2];
    if (!keeps_all) {
      for (Level& level : reused) level = take(1, largest_level(encoder, points));
    }
    const auto next = [&](std::size_t l) {
      const std::size_t rows = nodes(points, l);
      const std::size_t width = encoder.widths[l];
      return keeps_all ? take(rows, width) : Level{reused[l % 2].data, rows, width};
    };
    levels.push(next(0));
    apply_fused(encoder.leaf, points, {levels.back().data, levels.back().width}, context_);
    for (std::size_t l = 0; l < encoder.levels.size(); ++l) {
      const Level parents = next(l + 1);
      climb(encoder.levels[l], levels.back(), parents);
      if (!encoder.levels[l].shape.empty()) {
        add_shapes(encoder.levels[l].shape, subtree_rows(points, l, encoder.leaf.front().in()),
                   parents);
      }
      levels.push(parents);
    }
    return levels;
  }

  // Nodes `level` levels above the points; a leaf that stands for equal points stands for all that
  // they have become.
  std::size_t nodes(const Rows& points, std::size_t level) const {
    return points.count / std::max<std::size_t>(1, (std::size_t{1} << level) / times_);
  }

  // Where write_subtree_shapes() puts the subtrees of 2^(level + 1) points, behind what leaves see.
  Rows subtree_rows(const Rows& points, std::size_t level, std::size_t seen_by_leaves) const {
    const std::size_t size = std::size_t{2} << level;
    if (size <= times_) {
      const auto block = static_cast<std::size_t>(geometry::equal_scales(Eigen::Index(size)));
      return {points.row(block * points.count) + seen_by_leaves, points.count, points.stride};
    }
    const std::size_t width = size / times_;
    return {points.row(width / 2) + seen_by_leaves, points.count / width, width * points.stride};
  }

  void add_shapes(const PackedMlp& map, const Rows& shapes, const Level& parents) {
    const Arena::Mark mark = context_.arena.mark();
    const Level mapped = take(parents.rows, parents.width);
    apply_fused(map, shapes, {mapped.data, mapped.width}, context_);
    add_rows(parents.data, mapped.data, parents.rows * parents.width);
    context_.arena.release(mark);
  }

  std::size_t largest_level(const PackedEncoder& encoder, const Rows& points) const {
    std::size_t largest = 0;
    for (std::size_t l = 0; l < encoder.widths.size(); ++l) {
      largest = std::max(largest, nodes(points, l) * encoder.widths[l]);
    }
    return largest;
  }

  void climb(const PackedLevel& level, const Level& children, const Level& parents) {
    const bool merges = parents.rows < children.rows;
    if (!level.map && !merges) {
      std::copy_n(children.data, children.rows * children.width, parents.data);
      return;
    }
    if (!level.map) {
      max_of_pairs(children.data, parents.rows, children.width, parents.data);
      return;
    }
    LinearTarget target{parents.data, parents.width};
    if (level.concatenates) {
      // Two adjacent rows are one row of twice the width.
      apply(*level.map, {children.data, parents.rows, 2 * children.width}, target, context_);
      return;
    }
    if (merges) target.merge = RowMerge::pairs;
    apply(*level.map, children.view(), target, context_);
  }

  // The root's feature followed by those of the pooled levels.
  Level pool_levels(const Levels& features) {
    const Level& root = features.back();
    if (network_.level_poolings.empty()) return root;
    std::size_t width = root.width;
    for (const PackedLevelPooling& pooling : network_.level_poolings)
      width += pooling.map.back().out();
    const Level seen = take(clouds_, width);
    std::size_t column = 0;
    const auto append = [&](const Level& part) {
      for (std::size_t cloud = 0; cloud < clouds_; ++cloud) {
        std::copy_n(part.data + cloud * part.width, part.width, seen.data + cloud * width + column);
      }
      column += part.width;
    };
    append(root);
    for (const PackedLevelPooling& pooling : network_.level_poolings) {
      const Level largest = take(clouds_, pooling.map.back().out());
      const Level& level = features.from_leaves(pooling.level);
      apply_fused_max(pooling.map, level.view(), clouds_, largest.data, context_);
      append(largest);
    }
    return seen;
  }

  Level decode(const PackedDecoder& decoder, const Levels& features) {
    std::size_t largest = 0;
    for (std::size_t l = 0; l < decoder.levels.size(); ++l) {
      largest = std::max(largest, features.from_root(l + 1).rows * decoder.levels[l].own.out());
    }
    float* carries[2] = {context_.arena.take(largest), context_.arena.take(largest)};
    const Arena::Mark mark = context_.arena.mark();
    float* from_parent = context_.arena.take(largest / 2);
    Level carry = features.back();
    for (std::size_t l = 0; l < decoder.levels.size(); ++l) {
      const Level& own = features.from_root(l + 1);
      const std::size_t width = decoder.levels[l].own.out();
      apply(decoder.levels[l].parent, carry.view(), {from_parent, width}, context_);
      const Level children{carries[l % 2], own.rows, width};
      LinearTarget target{children.data, width};
      target.before = from_parent;
      target.before_stride = width;
      apply(decoder.levels[l].own, own.view(), target, context_);
      carry = children;
    }
    context_.arena.release(mark);
    return carry;
  }

  void average(const Level& features) {
    if (owner_ == nullptr) return;
    const Arena::Mark mark = context_.arena.mark();
    auto* scratch = context_.arena.take<std::int32_t>(2 * leaves_);
    for (std::size_t cloud = 0; cloud < clouds_; ++cloud) {
      average_repeated(features.data + cloud * leaves_ * features.width, leaves_, features.width,
                       owner_ + cloud * leaves_, scratch);
    }
    context_.arena.release(mark);
  }

  Level mlp(const PackedMlp& layers, Level features) {
    for (const PackedLinear& layer : layers) {
      const Level result = take(features.rows, layer.out());
      apply(layer, features.view(), {result.data, result.width}, context_);
      features = result;
    }
    return features;
  }

  const float* cloud_head(const Level& roots) { return mlp(network_.head, roots).data; }

  const PackedNetwork& network_;
  std::size_t clouds_;
  std::size_t leaves_;
  std::size_t times_;  // points that a leaf stands for
  const std::int32_t* owner_;
  Context& context_;
  std::size_t channels_;
  const float* input_;
};

}  // namespace

const float* run_network(const PackedNetwork& network, const LeafBatch& batch, Context& context) {
  return Run(network, batch, context).logits();
}

}  // namespace pointtree::inference::engine
