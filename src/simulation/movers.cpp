// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "object_makers.hpp"

namespace pointtree::simulation {
namespace {

constexpr float kQuarter = 1.5707963F;

TriangleMesh wheel(const Vec3& centre, float radius, float width) {
  TriangleMesh mesh = rod(centre - Vec3(0.0F, width / 2, 0.0F),
                          centre + Vec3(0.0F, width / 2, 0.0F), radius, radius, 20);
  mesh += rod(centre - Vec3(0.0F, width * 0.55F, 0.0F), centre + Vec3(0.0F, width * 0.55F, 0.0F),
              radius * 0.55F, radius * 0.55F, 14);
  return mesh;
}

// A body whose outline (x, z) is given for the middle and drawn in towards the sides.
TriangleMesh shell(const std::vector<Vec2>& outline, float half_width, float taper,
                   const Vec2& centre) {
  std::vector<std::vector<Vec3>> sections;
  for (const auto& [y, scale] :
       {std::pair{-half_width, 1.0F - taper}, std::pair{-half_width * 0.8F, 1.0F},
        std::pair{half_width * 0.8F, 1.0F}, std::pair{half_width, 1.0F - taper}}) {
    std::vector<Vec3> section;
    for (const Vec2& point : outline) {
      const Vec2 drawn = centre + (point - centre) * scale;
      section.emplace_back(drawn.x(), y, drawn.y());
    }
    sections.push_back(section);
  }
  return loft(sections);
}

TriangleMesh limb(const std::vector<Vec3>& joints, float from, float to) {
  TriangleMesh mesh;
  for (std::size_t i = 0; i + 1 < joints.size(); ++i) {
    const float a =
        from + (to - from) * static_cast<float>(i) / static_cast<float>(joints.size() - 1);
    const float b =
        from + (to - from) * static_cast<float>(i + 1) / static_cast<float>(joints.size() - 1);
    mesh += rod(joints[i], joints[i + 1], a, b, 10);
    mesh += ball(joints[i + 1], Vec3::Constant(b), 10);
  }
  return mesh;
}

TriangleMesh make_car(Draw& draw) {
  const float length = draw(3.7, 4.9);
  const float width = draw(1.65, 1.9);
  const float height = draw(1.38, 1.75);
  const float clearance = draw(0.16, 0.24);
  const float bonnet = height * draw(0.55, 0.62);
  const float front = length / 2;
  const float back = -length / 2;
  const float hood = draw(0.22, 0.3) * length;
  const bool estate = draw.chance(0.5);
  const float boot = estate ? 0.02F * length : draw(0.14, 0.2) * length;
  std::vector<Vec2> lower = {{back, clearance},
                             {front, clearance},
                             {front + 0.02F, bonnet * 0.6F},
                             {front - 0.08F, bonnet * 0.86F},
                             {front - hood, bonnet},
                             {back + 0.05F, bonnet},
                             {back - 0.02F, bonnet * 0.7F}};
  TriangleMesh car = shell(lower, width / 2, 0.05F, {0.0F, bonnet * 0.55F});
  const std::vector<Vec2> cabin = {{front - hood + 0.05F, bonnet - 0.02F},
                                   {front - hood - height * 0.42F, height},
                                   {back + boot + (estate ? 0.18F : 0.35F), height * 0.98F},
                                   {back + boot, bonnet - 0.02F}};
  TriangleMesh roof = shell(cabin, width / 2 - 0.05F, 0.0F, {0.0F, height * 0.8F});
  for (Vec3& v : roof.vertices)
    v.y() *= 1.0F - 0.22F * std::max(0.0F, (v.z() - bonnet) / (height - bonnet));
  car += roof;
  const float radius = draw(0.3, 0.36);
  for (const float x : {front - length * 0.19F, back + length * 0.19F}) {
    for (const float side : {-1.0F, 1.0F})
      car += wheel({x, side * (width / 2 - 0.09F), radius}, radius, 0.22F);
  }
  for (const float side : {-1.0F, 1.0F}) {
    car += block({front - hood - 0.15F, side * (width / 2 + 0.07F), bonnet}, {0.1F, 0.16F, 0.13F});
  }
  return car;
}

TriangleMesh make_truck(Draw& draw) {
  const float length = draw(5.5, 8.5);
  const float width = draw(2.0, 2.5);
  const float cab = draw(1.6, 2.1);
  const float cab_height = draw(2.2, 2.8);
  const float cargo = draw(2.6, 3.5);
  TriangleMesh truck = shell({{length / 2 - cab, 0.5F},
                              {length / 2, 0.5F},
                              {length / 2, cab_height * 0.55F},
                              {length / 2 - 0.25F, cab_height},
                              {length / 2 - cab, cab_height}},
                             width / 2, 0.02F, {length / 2 - cab / 2, cab_height * 0.6F});
  truck += box({-length / 2, -width / 2, 0.95F}, {length / 2 - cab - 0.12F, width / 2, cargo});
  truck += box({-length / 2, -width * 0.35F, 0.6F}, {length / 2 - 0.3F, width * 0.35F, 0.95F});
  for (const float x : {length / 2 - 0.9F, -length / 2 + 1.0F, -length / 2 + 2.0F}) {
    for (const float side : {-1.0F, 1.0F})
      truck += wheel({x, side * (width / 2 - 0.15F), 0.46F}, 0.46F, 0.28F);
  }
  return truck;
}

TriangleMesh make_bicycle(Draw& draw) {
  const float radius = draw(0.31, 0.36);
  const float base = draw(0.95, 1.08);
  TriangleMesh bicycle;
  for (const float x : {-base / 2, base / 2}) {
    std::vector<Vec3> rim;
    for (int i = 0; i <= 20; ++i) {
      const float angle = 4 * kQuarter * static_cast<float>(i) / 20.0F;
      rim.emplace_back(x + radius * std::cos(angle), 0.0F, radius + radius * std::sin(angle));
    }
    bicycle += tube(rim, 0.02F, 6);
    for (int i = 0; i < 8; ++i)
      bicycle +=
          rod({x, 0.0F, radius}, rim[static_cast<std::size_t>(i) * 5 / 2], 0.003F, 0.003F, 4);
  }
  const Vec3 rear(-base / 2, 0.0F, radius);
  const Vec3 axle(base / 2, 0.0F, radius);
  const Vec3 crank(-0.06F, 0.0F, 0.28F);
  const Vec3 saddle(-0.22F, 0.0F, draw(0.85, 1.0));
  const Vec3 head(base / 2 - 0.16F, 0.0F, 0.82F);
  const Vec3 bar = head + Vec3(-0.04F, 0.0F, 0.16F);
  for (const auto& [a, b] :
       {std::pair{crank, saddle}, std::pair{crank, head}, std::pair{rear, crank},
        std::pair{head, axle}, std::pair{head, bar}, std::pair{Vec3(-0.19F, 0.0F, 0.76F), head},
        std::pair{Vec3(-0.19F, 0.0F, 0.76F), rear}}) {
    bicycle += rod(a, b, 0.018F);
  }
  bicycle += rod(bar - Vec3(0.0F, 0.3F, 0.0F), bar + Vec3(0.0F, 0.3F, 0.0F), 0.014F);
  bicycle += ball(saddle, {0.14F, 0.07F, 0.03F}, 10);
  bicycle += rod(crank - Vec3(0.1F, 0.12F, 0.1F), crank + Vec3(0.1F, 0.12F, 0.1F), 0.012F);
  return bicycle;
}

TriangleMesh make_person(Draw& draw) {
  const float height = draw(1.5, 1.92);
  const float build = draw(0.9, 1.25);
  const float stride = draw(0.0, 0.22);
  const float swing = draw.chance(0.8) ? stride * 0.8F : draw(0.3, 0.6);
  const float hip = height * 0.52F;
  const float shoulder = height * 0.82F;
  TriangleMesh person = ball(up(height * 0.935F), {0.09F * build, 0.075F * build, height * 0.067F});
  person += rod(up(shoulder), up(height * 0.9F), 0.055F);
  const auto ring = [](float z, float depth, float width) {
    std::vector<Vec3> section;
    for (int i = 0; i < 14; ++i) {
      const float angle = 4 * kQuarter * static_cast<float>(i) / 14.0F;
      section.emplace_back(depth * std::cos(angle), width * std::sin(angle), z);
    }
    return section;
  };
  person += loft(
      {ring(hip - 0.08F, 0.08F * build, 0.13F * build), ring(hip, 0.11F * build, 0.16F * build),
       ring(height * 0.62F, 0.1F * build, 0.145F * build),
       ring(height * 0.74F, 0.12F * build, 0.18F * build),
       ring(shoulder, 0.09F * build, 0.19F * build), ring(shoulder + 0.03F, 0.05F, 0.08F * build)});
  for (const float side : {-1.0F, 1.0F}) {
    const float step = side * stride;
    const float arm = -side * swing;
    const float y = side * 0.09F * build;
    const Vec3 foot(step * 1.3F, y, 0.06F);
    person +=
        limb({{0.0F, y, hip}, {step * 0.8F, y, hip * 0.53F}, foot}, 0.085F * build, 0.05F * build);
    person += ball(foot + Vec3(0.06F, 0.0F, -0.02F), {0.13F, 0.05F, 0.045F}, 10);
    const float out = side * 0.22F * build;
    person += limb({{0.0F, side * 0.19F * build, shoulder - 0.02F},
                    {arm * 0.5F, out, height * 0.63F},
                    {arm * 1.2F + 0.05F, out, height * 0.48F}},
                   0.055F * build, 0.035F * build);
  }
  return person;
}

TriangleMesh make_airplane(Draw& draw) {
  const float length = draw(18.0, 40.0);
  const float radius = length * draw(0.045, 0.06);
  const float span = length * draw(0.85, 1.1);
  const float sweep = length * draw(0.05, 0.18);
  const auto wing = [](const Vec3& root, const Vec3& tip, float root_chord, float tip_chord,
                       float thick) {
    const auto section = [&](const Vec3& at, float chord) {
      return std::vector<Vec3>{
          at + Vec3(chord / 2, 0.0F, 0.0F), at + Vec3(0.1F * chord, 0.0F, thick * chord),
          at + Vec3(-chord / 2, 0.0F, 0.0F), at + Vec3(0.1F * chord, 0.0F, -thick * chord)};
    };
    return loft({section(root, root_chord), section(tip, tip_chord)});
  };
  TriangleMesh body = lathe({{0.02F, -0.5F},
                             {0.35F, -0.42F},
                             {1.0F, -0.2F},
                             {1.0F, 0.32F},
                             {0.8F, 0.42F},
                             {0.4F, 0.48F},
                             {0.02F, 0.5F}},
                            20);
  TriangleMesh airplane;
  for (Vec3& v : body.vertices) v = Vec3(v.z() * length, v.x() * radius, v.y() * radius);
  airplane += body;
  const float low = -radius * draw(0.0, 0.6);
  for (const float side : {-1.0F, 1.0F}) {
    airplane += wing({0.04F * length, 0.0F, low},
                     {0.04F * length - sweep, side * span / 2, low + 0.03F * span}, length * 0.17F,
                     length * 0.06F, 0.06F);
    airplane += wing({-0.45F * length, 0.0F, radius * 0.3F},
                     {-0.45F * length - sweep * 0.3F, side * span * 0.18F, radius * 0.4F},
                     length * 0.08F, length * 0.04F, 0.05F);
    const Vec3 engine(0.04F * length - sweep * 0.25F, side * span * 0.17F, low - radius * 0.55F);
    airplane +=
        rod(engine, engine + Vec3(length * 0.09F, 0.0F, 0.0F), radius * 0.32F, radius * 0.42F, 16);
  }
  TriangleMesh fin = wing(Vec3::Zero(), {-sweep * 0.5F, length * 0.13F, 0.0F}, length * 0.1F,
                          length * 0.05F, 0.05F);
  airplane += moved(turned(fin, Vec3::Zero(), Vec3::UnitX(), kQuarter),
                    {-0.44F * length, 0.0F, radius * 0.6F});
  return airplane;
}

}  // namespace

const std::vector<ObjectKind>& movers() {
  static const std::vector<ObjectKind> kKinds = {{"car", make_car},
                                                 {"truck", make_truck},
                                                 {"bicycle", make_bicycle},
                                                 {"person", make_person},
                                                 {"airplane", make_airplane}};
  return kKinds;
}

}  // namespace pointtree::simulation
