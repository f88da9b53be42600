// SPDX-License-Identifier: Apache-2.0
#include "datasets/scan_augmentation.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "geometry/seed.hpp"

namespace pointtree::datasets {
namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr double kRingSpacing = 26.9 / 64.0 * kPi / 180.0;

bool grounded(std::int32_t label, const std::vector<std::uint8_t>& is_ground) {
  return label >= 0 && is_ground[static_cast<std::size_t>(label)] != 0;
}

struct Circle {
  Eigen::Vector2f centre;
  float radius;
};

Circle footprint(const perception::PointBuffer& points) {
  Eigen::Array2f low = points.front().head<2>();
  Eigen::Array2f high = low;
  for (const Eigen::Vector3f& p : points) {
    low = low.min(p.head<2>().array());
    high = high.max(p.head<2>().array());
  }
  return {(0.5F * (low + high)).matrix(), 0.5F * (high - low).matrix().norm() + 0.2F};
}

/// What stands in a circle of a scan.
struct Site {
  int ground_points = 0;
  int other_points = 0;  ///< that stick out of the ground
  float ground = 0.0F;   ///< mean height
};

Site survey(const Scan& scan, const Circle& circle, const std::vector<std::uint8_t>& is_ground,
            std::uint32_t except) {
  Site site;
  double sum = 0.0;
  const float reach = circle.radius * circle.radius;
  for (std::size_t i = 0; i < scan.points.size(); ++i) {
    if ((scan.points[i].head<2>() - circle.centre).squaredNorm() > reach) continue;
    if (grounded(scan.labels[i], is_ground)) {
      ++site.ground_points;
      sum += scan.points[i].z();
    } else if (except == 0 || scan.instance[i] != except) {
      ++site.other_points;
    }
  }
  if (site.ground_points > 0) site.ground = static_cast<float>(sum / site.ground_points);
  return site;
}

/// Which directions a thing hides, and from which range on.
class Shadow {
 public:
  explicit Shadow(const perception::PointBuffer& points) {
    for (const Eigen::Vector3f& p : points) {
      float& nearest = cells_[cell(p)];
      nearest = nearest == 0.0F ? p.norm() : std::min(nearest, p.norm());
    }
  }

  bool hides(const Eigen::Vector3f& p) const {
    const auto found = cells_.find(cell(p));
    return found != cells_.end() && p.norm() > found->second + 0.3F;
  }

 private:
  static std::int64_t cell(const Eigen::Vector3f& p) {
    constexpr double kWide = 0.5 * kPi / 180.0;
    const auto azimuth = static_cast<std::int64_t>(std::floor(std::atan2(p.y(), p.x()) / kWide));
    const double slope = std::atan2(p.z(), p.head<2>().norm());
    return azimuth * 1024 + static_cast<std::int64_t>(std::floor(slope / kRingSpacing)) + 512;
  }

  std::map<std::int64_t, float> cells_;
};

void append(Scan& scan, const Scan& more) {
  scan.points.insert(scan.points.end(), more.points.begin(), more.points.end());
  scan.labels.insert(scan.labels.end(), more.labels.begin(), more.labels.end());
  scan.instance.insert(scan.instance.end(), more.instance.begin(), more.instance.end());
  scan.intensity.insert(scan.intensity.end(), more.intensity.begin(), more.intensity.end());
  scan.intensity.resize(scan.intensity.empty() ? 0 : scan.points.size());
}

void change_coordinates(Scan& scan, const ScanAugmentation& augmentation,
                        geometry::Random& random) {
  Eigen::Matrix3f map = Eigen::AngleAxisf(static_cast<float>(random.uniform(0.0, 2.0 * kPi)),
                                          Eigen::Vector3f::UnitZ())
                            .toRotationMatrix();
  if (geometry::chance(random, 0.5)) map.row(1) *= -1.0F;
  const double scale = random.uniform(1.0 - augmentation.scale, 1.0 + augmentation.scale);
  map *= static_cast<float>(scale);
  const double tilt = augmentation.tilt * kPi / 180.0 * random.normal();
  const Eigen::Matrix3f level =
      Eigen::AngleAxisf(static_cast<float>(tilt), Eigen::Vector3f::UnitX()).toRotationMatrix();
  map = (level * map).eval();
  scan.ground_height *= static_cast<float>(scale);
  scan.ground_height += static_cast<float>(augmentation.shift * random.normal());
  const double noise = random.uniform(0.0, augmentation.range_noise);
  for (Eigen::Vector3f& p : scan.points) {
    p = (map * p).eval();
    p *= 1.0F + static_cast<float>(noise * random.normal()) / std::max(p.norm(), 0.5F);
  }
}

void lose_points(Scan& scan, const ScanAugmentation& augmentation, geometry::Random& random) {
  const double everywhere = random.uniform(0.0, augmentation.drop_out);
  const double far = random.uniform(0.0, augmentation.drop_far);
  std::vector<std::uint8_t> keep(scan.points.size());
  for (std::size_t i = 0; i < keep.size(); ++i) {
    const double share = everywhere + far * std::min(1.0, scan.points[i].norm() / 80.0);
    keep[i] = static_cast<std::uint8_t>(!geometry::chance(random, share));
  }
  scan.filter(keep);
}

void change_intensity(Scan& scan, const ScanAugmentation& augmentation, geometry::Random& random) {
  const double gamma = std::exp(augmentation.intensity_gamma * random.normal());
  if (geometry::chance(random, augmentation.no_intensity)) scan.intensity.clear();
  for (float& value : scan.intensity)
    value = std::pow(std::max(value, 0.0F), static_cast<float>(gamma));
}

}  // namespace

void Scan::filter(const std::vector<std::uint8_t>& keep) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (keep[i] == 0) continue;
    points[kept] = points[i];
    labels[kept] = labels[i];
    instance[kept] = instance[i];
    if (!intensity.empty()) intensity[kept] = intensity[i];
    ++kept;
  }
  points.resize(kept);
  labels.resize(kept);
  instance.resize(kept);
  intensity.resize(intensity.empty() ? 0 : kept);
}

std::vector<Thing> find_things(const Scan& scan, int classes, std::size_t least,
                               const std::vector<std::uint8_t>& is_ground) {
  std::map<std::uint32_t, std::vector<std::size_t>> members;
  for (std::size_t i = 0; i < scan.points.size(); ++i) {
    if (scan.instance[i] != 0 && scan.labels[i] >= 0 && scan.labels[i] < classes)
      members[scan.instance[i]].push_back(i);
  }
  std::vector<Thing> things;
  for (const auto& [instance, indices] : members) {
    if (indices.size() < least) continue;
    Thing thing;
    for (const std::size_t i : indices) {
      thing.scan.points.push_back(scan.points[i]);
      thing.scan.labels.push_back(scan.labels[i]);
      thing.scan.instance.push_back(instance);
      if (!scan.intensity.empty()) thing.scan.intensity.push_back(scan.intensity[i]);
    }
    Circle circle = footprint(thing.scan.points);
    circle.radius += 1.0F;
    const Site site = survey(scan, circle, is_ground, instance);
    if (site.ground_points < 5) continue;
    thing.ground = site.ground;
    things.push_back(std::move(thing));
  }
  return things;
}

void mix_sectors(Scan& scan, const Scan& other, geometry::Random& random) {
  const double start = random.uniform(-kPi, kPi);
  const double width = random.uniform(kPi / 3.0, kPi);
  const auto inside = [&](const Eigen::Vector3f& p) {
    double turn = std::atan2(p.y(), p.x()) - start;
    if (turn < 0.0) turn += 2.0 * kPi;
    return turn < width;
  };
  std::vector<std::uint8_t> keep(scan.points.size());
  for (std::size_t i = 0; i < keep.size(); ++i)
    keep[i] = static_cast<std::uint8_t>(!inside(scan.points[i]));
  scan.filter(keep);
  Scan sector = other;
  keep.resize(other.points.size());
  for (std::size_t i = 0; i < keep.size(); ++i)
    keep[i] = static_cast<std::uint8_t>(inside(other.points[i]));
  sector.filter(keep);
  const float lift = scan.ground_height - other.ground_height;
  for (Eigen::Vector3f& p : sector.points) p.z() += lift;
  append(scan, sector);
}

bool paste(Scan& scan, const Thing& thing, const std::vector<std::uint8_t>& is_ground,
           geometry::Random& random) {
  constexpr int kTrials = 3;
  for (int trial = 0; trial < kTrials; ++trial) {
    Thing placed = thing;
    Eigen::Matrix3f map = Eigen::AngleAxisf(static_cast<float>(random.uniform(0.0, 2.0 * kPi)),
                                            Eigen::Vector3f::UnitZ())
                              .toRotationMatrix();
    if (geometry::chance(random, 0.5)) map.row(1) *= -1.0F;
    for (Eigen::Vector3f& p : placed.scan.points) p = (map * p).eval();
    const Site site = survey(scan, footprint(placed.scan.points), is_ground, 0);
    if (site.ground_points < 10 || site.other_points > 3) continue;
    for (Eigen::Vector3f& p : placed.scan.points) p.z() += site.ground - thing.ground;
    const Shadow shadow(placed.scan.points);
    std::vector<std::uint8_t> keep(scan.points.size());
    for (std::size_t i = 0; i < keep.size(); ++i)
      keep[i] = static_cast<std::uint8_t>(!shadow.hides(scan.points[i]));
    scan.filter(keep);
    append(scan, placed.scan);
    return true;
  }
  return false;
}

void drop_rings(Scan& scan, int keep_one_of, geometry::Random& random) {
  const auto phase = static_cast<int>(random.below(static_cast<std::uint64_t>(keep_one_of)));
  std::vector<std::uint8_t> keep(scan.points.size());
  for (std::size_t i = 0; i < keep.size(); ++i) {
    const Eigen::Vector3f& p = scan.points[i];
    const double slope = std::atan2(p.z(), p.head<2>().norm()) + kPi;
    const int ring = static_cast<int>(slope / kRingSpacing);
    keep[i] = static_cast<std::uint8_t>(ring % keep_one_of == phase);
  }
  scan.filter(keep);
}

void lower_top(Scan& scan, double lowest, geometry::Random& random) {
  std::vector<double> slopes;
  slopes.reserve(scan.points.size());
  for (const Eigen::Vector3f& p : scan.points) slopes.push_back(p.z() / p.head<2>().norm());
  if (slopes.empty()) return;
  const double highest = std::atan(*std::max_element(slopes.begin(), slopes.end()));
  const double limit = std::tan(random.uniform(std::min(lowest * kPi / 180.0, highest), highest));
  std::vector<std::uint8_t> keep(slopes.size());
  for (std::size_t i = 0; i < keep.size(); ++i)
    keep[i] = static_cast<std::uint8_t>(slopes[i] <= limit);
  scan.filter(keep);
}

void vary(Scan& scan, const ScanAugmentation& augmentation, geometry::Random& random) {
  const double rings = random.uniform();
  if (rings < augmentation.quarter_probability) {
    drop_rings(scan, 4, random);
  } else if (rings < augmentation.quarter_probability + augmentation.half_probability) {
    drop_rings(scan, 2, random);
  }
  if (geometry::chance(random, augmentation.top_probability))
    lower_top(scan, augmentation.lowest_top, random);
  const auto lift =
      static_cast<float>(random.uniform(-augmentation.mounting, augmentation.mounting));
  for (Eigen::Vector3f& p : scan.points) p.z() += lift;
  scan.ground_height += lift;
  lose_points(scan, augmentation, random);
  change_coordinates(scan, augmentation, random);
  change_intensity(scan, augmentation, random);
}

}  // namespace pointtree::datasets
