// SPDX-License-Identifier: Apache-2.0
#include <map>

#include "datasets/readers.hpp"

namespace pointtree::datasets {
namespace {

enum StreetObject : std::int32_t {
  car,
  truck,
  two_wheeler,
  person,
  trunk,
  vegetation,
  pole,
  traffic_sign,
  building,
  fence,
  bin,
  other
};

}  // namespace

const std::vector<std::string>& street_object_classes() {
  static const std::vector<std::string> kClasses = {
      "car",  "truck",        "two-wheeler", "person", "trunk", "vegetation",
      "pole", "traffic-sign", "building",    "fence",  "bin",   "other"};
  return kClasses;
}

std::int32_t street_object_class(std::uint32_t semantic) {
  static const std::map<std::uint32_t, std::int32_t> kClasses = {
      {10, car},         {252, car},                                     // standing, moving
      {11, two_wheeler}, {15, two_wheeler},                              // bicycle, motorcycle
      {31, two_wheeler}, {253, two_wheeler},                             // with riders
      {32, two_wheeler}, {255, two_wheeler},                             //
      {13, truck},       {16, truck},        {18, truck},  {20, truck},  // bus, tram, truck, other
      {256, truck},      {257, truck},       {258, truck}, {259, truck},     {30, person},
      {254, person},     {50, building},     {51, fence},  {70, vegetation}, {71, trunk},
      {80, pole},        {81, traffic_sign}};
  const auto found = kClasses.find(semantic);
  return found == kClasses.end() ? std::int32_t{other} : found->second;
}

std::int32_t street_object_class(const std::string& simulated_kind) {
  // A simulated tree is mostly crown, which SemanticKITTI calls vegetation.
  static const std::map<std::string, std::int32_t> kClasses = {
      {"car", car},       {"truck", truck},      {"bicycle", two_wheeler},
      {"person", person}, {"tree", vegetation},  {"bush", vegetation},
      {"pole", pole},     {"street_lamp", pole}, {"traffic_sign", traffic_sign},
      {"bollard", pole},  {"trash_bin", bin},    {"building", building},
      {"fence", fence}};
  const auto found = kClasses.find(simulated_kind);
  return found == kClasses.end() ? std::int32_t{other} : found->second;
}

}  // namespace pointtree::datasets
