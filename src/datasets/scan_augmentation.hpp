// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "pointtree/geometry/random.hpp"
#include "pointtree/perception/point_buffer.hpp"

namespace pointtree::datasets {

/// A labelled lidar scan, levelled: z up, metres, the sensor at the origin.
struct Scan {
  perception::PointBuffer points;
  std::vector<float> intensity;         ///< one per point, or none
  std::vector<std::int32_t> labels;     ///< class per point; kNoLabel: not known
  std::vector<std::uint32_t> instance;  ///< which thing; 0: none
  float ground_height = 0.0F;           ///< z of the ground plane at the sensor

  /// Keeps the points for which keep[i] is not 0.
  void filter(const std::vector<std::uint8_t>& keep);
};

/// A thing cut out of a scan, with the height of the ground it stood on.
struct Thing {
  Scan scan;
  float ground = 0.0F;
};

/// The things (classes below `classes`) of a scan that have at least `least` points and ground
/// (is_ground[class]) around them.
std::vector<Thing> find_things(const Scan& scan, int classes, std::size_t least,
                               const std::vector<std::uint8_t>& is_ground);

/// How a scan is varied, for few places are in the data and other sensors see other patterns.
struct ScanAugmentation {
  double mix_probability = 0.5;      ///< a sector of another scan replaces the scan's own
  int things = 8;                    ///< up to so many things are pasted in
  double scale = 0.08;               ///< up to this much larger or smaller
  double tilt = 0.6;                 ///< degrees, standard deviation of the error of level
  double shift = 0.06;               ///< m, standard deviation of the error of the ground's height
  double half_probability = 0.3;     ///< every second ring is dropped
  double quarter_probability = 0.1;  ///< three of four rings are dropped
  double top_probability = 0.3;      ///< the highest beams are lost, other sensors look up less
  double lowest_top = -4.0;          ///< degrees, lowest elevation of the highest beam then
  double mounting = 0.3;             ///< m, greatest change of the sensor's height
  double range_noise = 0.03;         ///< m, greatest standard deviation
  double drop_out = 0.3;             ///< greatest share of lost points
  double drop_far = 0.5;             ///< greatest share lost at 80 m, less nearer in proportion
  double no_intensity = 0.15;        ///< share of scans whose lidar has no intensity
  double intensity_gamma = 0.3;      ///< deviation of the logarithm of the intensity's exponent
};

/// Replaces the points of a random sector of `scan` by those of `other`, both on one ground.
void mix_sectors(Scan& scan, const Scan& other, geometry::Random& random);

/// Puts a thing, at its own range and at any heading, on free ground of a scan and removes what it
/// hides; false where no free ground was found.
bool paste(Scan& scan, const Thing& thing, const std::vector<std::uint8_t>& is_ground,
           geometry::Random& random);

/// Drops all but every `keep_one_of`-th ring of a scan with 64 rings over 27 degrees, rings told
/// from the elevation.
void drop_rings(Scan& scan, int keep_one_of, geometry::Random& random);

/// Loses the beams above a random elevation between `lowest` degrees and the scan's own highest.
void lower_top(Scan& scan, double lowest, geometry::Random& random);

/// Rings, highest beam, mounting height, lost points, heading, mirroring, scale, level, noise and
/// intensity, in this order.
void vary(Scan& scan, const ScanAugmentation& augmentation, geometry::Random& random);

}  // namespace pointtree::datasets
