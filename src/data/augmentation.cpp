#include "pointtree/data/augmentation.hpp"

#include <stdexcept>

#include "pointtree/data/seed.hpp"

namespace pointtree::data {

void validate(const AugmentationConfig& config) {
  validate(config.observation);
  if (!(config.realign_probability >= 0.0 && config.realign_probability <= 1.0)) {
    throw std::invalid_argument("augmentation: realign_probability should be in 0 to 1, is " +
                                std::to_string(config.realign_probability));
  }
}

void augment_coordinates(geometry::Points& points, const AugmentationConfig& config,
                         const geometry::PreAlignOptions& pre_align, geometry::Random& random) {
  if (chance(random, config.realign_probability)) {
    const geometry::TransformationSampler sampler(geometry::TransformationKind::affine);
    points = geometry::pre_align(sampler.draw(points, random).apply(points), pre_align).points;
  }
  if (config.signed_permutation) {
    const auto& maps = geometry::signed_permutations();
    points = (points * maps[random.below(maps.size())]).eval();
  }
}

}  // namespace pointtree::data
