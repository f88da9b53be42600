// SPDX-License-Identifier: Apache-2.0
#include <cairo.h>
#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>

#include "scene.hpp"

namespace pointtree::cli {
namespace {

constexpr int kViewWidth = 1100;
constexpr int kViewHeight = 900;
constexpr int kHeaderHeight = 64;
constexpr int kLegendHeight = 84;
constexpr int kWidth = 2 * kViewWidth;
constexpr int kHeight = kHeaderHeight + kViewHeight + kLegendHeight;
constexpr Colour kPlain{225, 228, 235};
constexpr double kPaper[3] = {0.075, 0.085, 0.105};

/// Where a point of the scene appears in a view, in pixels; `depth` grows away from the eye.
struct Projected {
  float x;
  float y;
  float depth;
};

/// A camera over one half of the picture.
class View {
 public:
  /// From straight above, x to the right, `metres` wide around `center`.
  static View from_above(const Eigen::Vector2f& center, float metres, int left) {
    View view(left);
    view.center_ = center;
    view.scale_ = static_cast<float>(std::min(kViewWidth, kViewHeight)) / metres;
    return view;
  }

  /// From behind and above the sensor, looking ahead along x.
  static View in_perspective(const Eigen::Vector3f& eye, const Eigen::Vector3f& target, int left) {
    View view(left);
    view.perspective_ = true;
    view.eye_ = eye;
    view.forward_ = (target - eye).normalized();
    view.right_ = view.forward_.cross(Eigen::Vector3f::UnitZ()).normalized();
    view.up_ = view.right_.cross(view.forward_);
    view.scale_ = 0.75F * static_cast<float>(kViewWidth);
    return view;
  }

  std::optional<Projected> project(const Eigen::Vector3f& point) const {
    const float middle_x = static_cast<float>(left_) + 0.5F * kViewWidth;
    const float middle_y = static_cast<float>(kHeaderHeight) + 0.5F * kViewHeight;
    if (!perspective_) {
      const Eigen::Vector2f offset = scale_ * (point.head<2>() - center_);
      return Projected{middle_x + offset.x(), middle_y - offset.y(), -point.z()};
    }
    const Eigen::Vector3f ray = point - eye_;
    const float depth = ray.dot(forward_);
    if (depth < 1.0F) return std::nullopt;
    return Projected{middle_x + scale_ * ray.dot(right_) / depth,
                     middle_y - scale_ * ray.dot(up_) / depth, depth};
  }

  bool holds(const Projected& place) const {
    return place.x >= static_cast<float>(left_) + 1 &&
           place.x < static_cast<float>(left_ + kViewWidth) - 2 && place.y >= kHeaderHeight + 1 &&
           place.y < kHeaderHeight + kViewHeight - 2;
  }

  int left() const { return left_; }
  bool perspective() const { return perspective_; }

 private:
  explicit View(int left) : left_(left) {}

  int left_;
  bool perspective_ = false;
  Eigen::Vector2f center_ = Eigen::Vector2f::Zero();
  float scale_ = 1.0F;
  Eigen::Vector3f eye_ = Eigen::Vector3f::Zero();
  Eigen::Vector3f forward_ = Eigen::Vector3f::UnitX();
  Eigen::Vector3f right_ = Eigen::Vector3f::UnitY();
  Eigen::Vector3f up_ = Eigen::Vector3f::UnitZ();
};

/// The picture: points go straight to its pixels with a depth test, lines and text through cairo.
class Canvas {
 public:
  Canvas()
      : surface_(cairo_image_surface_create(CAIRO_FORMAT_RGB24, kWidth, kHeight),
                 cairo_surface_destroy),
        context_(cairo_create(surface_.get()), cairo_destroy),
        depth_(static_cast<std::size_t>(kWidth) * kHeight, std::numeric_limits<float>::max()) {
    cairo_set_source_rgb(context_.get(), kPaper[0], kPaper[1], kPaper[2]);
    cairo_paint(context_.get());
    cairo_select_font_face(context_.get(), "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                           CAIRO_FONT_WEIGHT_NORMAL);
  }

  /// Must be followed by dots only, and by end_dots().
  void begin_dots() { cairo_surface_flush(surface_.get()); }
  void end_dots() { cairo_surface_mark_dirty(surface_.get()); }

  void dot(const Projected& place, const Colour& colour, int size) {
    auto* pixels = cairo_image_surface_get_data(surface_.get());
    const int stride = cairo_image_surface_get_stride(surface_.get());
    for (int dy = 0; dy < size; ++dy) {
      for (int dx = 0; dx < size; ++dx) {
        const int x = static_cast<int>(place.x) + dx;
        const int y = static_cast<int>(place.y) + dy;
        float& nearest = depth_[static_cast<std::size_t>(y) * kWidth + static_cast<std::size_t>(x)];
        if (place.depth >= nearest) continue;
        nearest = place.depth;
        unsigned char* pixel =
            pixels + static_cast<std::ptrdiff_t>(y) * stride + std::ptrdiff_t{4} * x;
        for (std::size_t c = 0; c < 3; ++c) pixel[2 - c] = colour[c];
      }
    }
  }

  void line(const Projected& from, const Projected& to, const Colour& colour, double width) {
    set_colour(colour, 0.95);
    cairo_set_line_width(context_.get(), width);
    cairo_move_to(context_.get(), from.x, from.y);
    cairo_line_to(context_.get(), to.x, to.y);
    cairo_stroke(context_.get());
  }

  void circle(const Projected& center, double radius, const Colour& colour) {
    set_colour(colour, 0.5);
    cairo_set_line_width(context_.get(), 1.0);
    cairo_new_path(context_.get());
    cairo_arc(context_.get(), center.x, center.y, radius, 0.0, 6.283185307);
    cairo_stroke(context_.get());
  }

  void patch(double x, double y, double size, const Colour& colour) {
    set_colour(colour, 1.0);
    cairo_rectangle(context_.get(), x, y, size, size);
    cairo_fill(context_.get());
  }

  /// Text with a dark shadow that keeps it readable over points; returns its width.
  double text(double x, double y, const std::string& words, double size, const Colour& colour) {
    cairo_set_font_size(context_.get(), size);
    cairo_set_source_rgba(context_.get(), 0.0, 0.0, 0.0, 0.85);
    cairo_move_to(context_.get(), x, y);
    cairo_text_path(context_.get(), words.c_str());
    cairo_set_line_width(context_.get(), 3.0);
    cairo_stroke(context_.get());
    set_colour(colour, 1.0);
    cairo_move_to(context_.get(), x, y);
    cairo_show_text(context_.get(), words.c_str());
    cairo_text_extents_t extents;
    cairo_text_extents(context_.get(), words.c_str(), &extents);
    return extents.x_advance;
  }

  void clip_to(const View& view) {
    cairo_rectangle(context_.get(), view.left(), kHeaderHeight, kViewWidth, kViewHeight);
    cairo_clip(context_.get());
  }

  void unclip() { cairo_reset_clip(context_.get()); }

  void save(const std::filesystem::path& path) {
    const cairo_status_t status = cairo_surface_write_to_png(surface_.get(), path.c_str());
    if (status != CAIRO_STATUS_SUCCESS) {
      throw std::runtime_error(
          fmt::format("{}: {}", path.string(), cairo_status_to_string(status)));
    }
  }

 private:
  void set_colour(const Colour& colour, double alpha) {
    cairo_set_source_rgba(context_.get(), colour[0] / 255.0, colour[1] / 255.0, colour[2] / 255.0,
                          alpha);
  }

  std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)> surface_;
  std::unique_ptr<cairo_t, decltype(&cairo_destroy)> context_;
  std::vector<float> depth_;
};

void draw_points(const Scene& scene, const View& view, bool truth, Canvas& canvas) {
  canvas.begin_dots();
  for (const ScenePoint& point : scene.points) {
    const auto place = view.project(point.position);
    if (!place || !view.holds(*place)) continue;
    const bool near = view.perspective() && place->depth < 25.0F;
    canvas.dot(*place, truth ? point.truth : point.colour, near ? 2 : 1);
  }
  canvas.end_dots();
}

void draw_boxes(const Scene& scene, const View& view, Canvas& canvas) {
  for (const SceneBox& box : scene.boxes) {
    const auto corners = corners_of(box.box);
    for (const auto& edge : box_edges()) {
      const auto from = view.project(corners[static_cast<std::size_t>(edge[0])]);
      const auto to = view.project(corners[static_cast<std::size_t>(edge[1])]);
      if (from && to) canvas.line(*from, *to, box.colour, box.name.empty() ? 0.7 : 1.3);
    }
  }
}

/// A name of a dark class could not be read on the dark paper.
Colour half_white(const Colour& colour) {
  Colour light = colour;
  for (auto& part : light) part = static_cast<std::uint8_t>((part + 255) / 2);
  return light;
}

/// Names go over everything else, the nearest objects' last; a name that would cover another is
/// left out.
void draw_names(const Scene& scene, const View& view, bool truth, Canvas& canvas) {
  constexpr float kNameHeight = 15.0F;
  constexpr float kNameWidth = 90.0F;
  std::vector<Projected> taken;
  for (const SceneBox& box : scene.boxes) {
    const std::string& name = truth ? box.truth : box.name;
    if (name.empty()) continue;
    const Eigen::Vector3f top =
        box.box.center + Eigen::Vector3f(0, 0, 0.5F * box.box.size.z() + 0.2F);
    const auto place = view.project(top);
    if (!place || !view.holds(*place)) continue;
    const bool covered = std::any_of(taken.begin(), taken.end(), [&](const Projected& other) {
      return std::abs(other.x - place->x) < kNameWidth &&
             std::abs(other.y - place->y) < kNameHeight;
    });
    if (covered) continue;
    taken.push_back(*place);
    canvas.text(place->x + 3, place->y - 2, name, 13.0, truth ? kPlain : half_white(box.colour));
  }
}

/// A range that holds nine tenths of the points, rounded to what people read on maps.
float extent_of(const Scene& scene) {
  std::vector<float> ranges;
  for (const ScenePoint& point : scene.points)
    ranges.push_back(point.position.head<2>().cwiseAbs().maxCoeff());
  if (ranges.empty()) return 10.0F;
  const auto place = ranges.begin() + static_cast<std::ptrdiff_t>(ranges.size() * 95 / 100);
  std::nth_element(ranges.begin(), place, ranges.end());
  return std::max(1.0F, *place);
}

void draw_range_rings(const View& view, float extent, Canvas& canvas) {
  const float spacing = extent > 30.0F ? 20.0F : extent > 10.0F ? 5.0F : 1.0F;
  const auto center = view.project(Eigen::Vector3f::Zero());
  for (float range = spacing; range <= extent; range += spacing) {
    const auto edge = view.project(Eigen::Vector3f(range, 0, 0));
    canvas.circle(*center, edge->x - center->x, {120, 130, 150});
    canvas.text(edge->x + 2, edge->y - 2, fmt::format("{:.0f} m", range), 12.0, {150, 160, 180});
  }
}

void draw_legend(const Scene& scene, Canvas& canvas) {
  double x = 24.0;
  double y = kHeaderHeight + kViewHeight + 30.0;
  for (const LegendEntry& entry : scene.legend) {
    const std::string words =
        entry.objects > 0 ? fmt::format("{} ({})", entry.name, entry.objects) : entry.name;
    if (x > kWidth - 220.0) {
      x = 24.0;
      y += 28.0;
    }
    canvas.patch(x, y - 13.0, 16.0, entry.colour);
    x += 24.0 + canvas.text(x + 22.0, y, words, 16.0, {225, 228, 235}) + 18.0;
  }
}

}  // namespace

void draw_scene(const Scene& scene, const std::filesystem::path& path) {
  Canvas canvas;
  const float extent = extent_of(scene);
  const View above = View::from_above(Eigen::Vector2f::Zero(), 2.0F * extent, 0);
  const float back = std::clamp(0.35F * extent, 2.0F, 16.0F);
  const auto ahead = [&](int left) {
    return View::in_perspective({-back, 0.0F, 0.65F * back + 2.0F}, {0.9F * back, 0.0F, 0.5F},
                                left);
  };
  // Where the truth is known it stands beside what was found, seen from the same place.
  const View left = scene.has_truth ? ahead(0) : above;
  for (const View& view : {left, ahead(kViewWidth)}) {
    const bool truth = scene.has_truth && view.left() > 0;
    draw_points(scene, view, truth, canvas);
    canvas.clip_to(view);
    if (!view.perspective()) draw_range_rings(view, extent, canvas);
    draw_boxes(scene, view, canvas);
    draw_names(scene, view, truth, canvas);
    canvas.unclip();
    if (scene.has_truth) {
      canvas.text(view.left() + 24.0, kHeaderHeight + 24.0, truth ? "true" : "found", 18.0, kPlain);
    }
  }
  canvas.text(24.0, 30.0, scene.title, 24.0, {240, 242, 246});
  canvas.text(24.0, 54.0, scene.subtitle, 15.0, {170, 178, 190});
  draw_legend(scene, canvas);
  canvas.save(path);
}

}  // namespace pointtree::cli
