// SPDX-License-Identifier: Apache-2.0
#include "datasets/observation.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>

#include "datasets/visibility.hpp"
#include "geometry/seed.hpp"

namespace pointtree::datasets {
namespace {

using Indices = std::vector<std::int32_t>;

constexpr double kDegree = 0.017453292519943295;
constexpr double kTwoPi = 6.283185307179586;
constexpr double kRingDuty = 0.35;  // share of the height that the beams of a lidar really touch
// An eye nearer than this many mean radii would see the shape in strong perspective.
constexpr double kNearestEye = 3.0;
constexpr double kFarthestEye = 12.0;
constexpr double kLowestElevation = -15.0;  // degrees
constexpr double kHighestElevation = 45.0;
constexpr int kFewestRings = 8;  // over the height of a cloud
constexpr std::uint64_t kMoreRings = 32;

class Observer {
 public:
  Observer(const geometry::PointsView& points, const ObservationConfig& config,
           geometry::Random& random)
      : points_(points),
        config_(config),
        random_(random),
        kept_(static_cast<std::size_t>(points.rows())) {
    std::iota(kept_.begin(), kept_.end(), 0);
    centre_ = points.cast<double>().colwise().mean();
    radius_ = (points.cast<double>().rowwise() - centre_.transpose()).rowwise().norm().mean();
  }

  Observation look() {
    if (geometry::chance(random_, config_.partial_probability)) look_from_one_side();
    if (config_.crop_share > 0.0) hide_behind_something();
    if (config_.drop_out > 0.0) keep_share(1.0 - random_.uniform(0.0, config_.drop_out));
    if (geometry::chance(random_, config_.sparse_probability)) thin_out();
    Observation seen{points_(kept_, Eigen::all), kept_};
    if (config_.turn || config_.tilt > 0.0) rotate(seen.points);
    if (config_.jitter > 0.0) shake(seen.points);
    return seen;
  }

 private:
  void keep(Indices fewer) {
    if (static_cast<int>(fewer.size()) >= config_.minimum_points) kept_ = std::move(fewer);
  }

  Eigen::Vector3d point(std::int32_t index) const {
    return points_.row(index).cast<double>().transpose();
  }

  void look_from_one_side() {
    const double azimuth = random_.uniform(0.0, kTwoPi);
    const double elevation = random_.uniform(kLowestElevation, kHighestElevation) * kDegree;
    const double distance = random_.uniform(kNearestEye, kFarthestEye) * radius_;
    const Eigen::Vector3d direction(std::cos(azimuth) * std::cos(elevation),
                                    std::sin(azimuth) * std::cos(elevation), std::sin(elevation));
    const Eigen::Vector3d eye = centre_ + distance * direction;
    keep(visible_points(points_, eye));
    if (geometry::chance(random_, config_.ring_probability)) cut_into_rings(eye);
  }

  void cut_into_rings(const Eigen::Vector3d& eye) {
    std::vector<double> slopes;
    slopes.reserve(kept_.size());
    for (const std::int32_t index : kept_) {
      const Eigen::Vector3d ray = point(index) - eye;
      slopes.push_back(ray.z() / std::max(ray.head<2>().norm(), 1e-9));
    }
    const auto [low, high] = std::minmax_element(slopes.begin(), slopes.end());
    const double rings = kFewestRings + static_cast<double>(random_.below(kMoreRings + 1));
    const double step = std::max((*high - *low) / rings, 1e-12);
    const double phase = random_.uniform();
    Indices fewer;
    for (std::size_t i = 0; i < kept_.size(); ++i) {
      const double turns = (slopes[i] - *low) / step + phase;
      if (turns - std::floor(turns) < kRingDuty) fewer.push_back(kept_[i]);
    }
    keep(std::move(fewer));
  }

  // Something in front hides the points on one side of a plane.
  void hide_behind_something() {
    const Eigen::Vector3d normal = random_.direction().transpose();
    std::vector<double> heights;
    heights.reserve(kept_.size());
    for (const std::int32_t index : kept_) heights.push_back(normal.dot(point(index)));
    const double share = random_.uniform(0.0, config_.crop_share);
    const auto hidden = static_cast<std::size_t>(share * static_cast<double>(kept_.size()));
    std::vector<double> sorted = heights;
    std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(hidden),
                     sorted.end());
    Indices fewer;
    for (std::size_t i = 0; i < kept_.size(); ++i) {
      if (heights[i] >= sorted[hidden]) fewer.push_back(kept_[i]);
    }
    keep(std::move(fewer));
  }

  void keep_share(double share) {
    Indices fewer;
    for (const std::int32_t index : kept_) {
      if (geometry::chance(random_, share)) fewer.push_back(index);
    }
    keep(std::move(fewer));
  }

  void thin_out() {
    const auto all = static_cast<double>(kept_.size());
    const double least = std::min<double>(config_.minimum_points, all);
    const auto wanted = static_cast<std::size_t>(least * std::pow(all / least, random_.uniform()));
    Indices fewer = kept_;
    geometry::shuffle(fewer, random_);
    fewer.resize(std::max<std::size_t>(wanted, 1));
    std::sort(fewer.begin(), fewer.end());
    keep(std::move(fewer));
  }

  void rotate(geometry::Points& points) {
    const double turn = config_.turn ? random_.uniform(0.0, kTwoPi) : 0.0;
    const double direction = random_.uniform(0.0, kTwoPi);
    const double tilt = random_.uniform(0.0, config_.tilt) * kDegree;
    const Eigen::Vector3d axis(std::cos(direction), std::sin(direction), 0.0);
    const Eigen::Matrix3d rotation =
        (Eigen::AngleAxisd(tilt, axis) * Eigen::AngleAxisd(turn, Eigen::Vector3d::UnitZ()))
            .toRotationMatrix();
    points = (((points.cast<double>().rowwise() - centre_.transpose()) * rotation.transpose())
                  .rowwise() +
              centre_.transpose())
                 .cast<float>();
  }

  void shake(geometry::Points& points) {
    const double deviation = config_.jitter * radius_;
    for (Eigen::Index i = 0; i < points.size(); ++i) {
      points.data()[i] += static_cast<float>(deviation * std::clamp(random_.normal(), -3.0, 3.0));
    }
  }

  const geometry::PointsView& points_;
  const ObservationConfig& config_;
  geometry::Random& random_;
  Indices kept_;
  Eigen::Vector3d centre_;
  double radius_ = 0.0;
};

void expect(bool fits, const std::string& message) {
  if (!fits) throw std::invalid_argument("observation: " + message);
}

void expect_share(double value, const std::string& name) {
  expect(value >= 0.0 && value <= 1.0, name + " should be in 0 to 1, is " + std::to_string(value));
}

}  // namespace

void validate(const ObservationConfig& config) {
  expect_share(config.partial_probability, "partial_probability");
  expect_share(config.ring_probability, "ring_probability");
  expect_share(config.sparse_probability, "sparse_probability");
  expect(config.crop_share >= 0.0 && config.crop_share < 1.0, "crop_share should be in 0 to 1");
  expect(config.drop_out >= 0.0 && config.drop_out < 1.0, "drop_out should be in 0 to 1");
  expect(config.jitter >= 0.0, "jitter should not be negative");
  expect(config.tilt >= 0.0 && config.tilt <= 180.0, "tilt should be in 0 to 180 degrees");
  expect(config.minimum_points >= 1, "minimum_points should be at least 1");
}

ObservationConfig lidar_observation() {
  ObservationConfig config;
  config.partial_probability = 1.0;
  config.ring_probability = 0.7;
  config.drop_out = 0.2;
  config.sparse_probability = 0.5;
  config.jitter = 0.01;
  config.tilt = 5.0;
  config.turn = true;
  config.minimum_points = 48;
  return config;
}

Observation observe(const geometry::PointsView& points, const ObservationConfig& config,
                    geometry::Random& random) {
  if (points.rows() == 0) throw std::invalid_argument("cannot observe an empty cloud");
  return Observer(points, config, random).look();
}

}  // namespace pointtree::datasets
