// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cairo.h>

#include <filesystem>
#include <memory>
#include <string>

namespace pointtree::training {

/// A colour with components in 0…1.
struct Rgb {
  double red = 0.0;
  double green = 0.0;
  double blue = 0.0;
};

/// Where text lies relative to its anchor.
enum class TextAnchor { left, centre, right };

/// A white picture to draw on with pixel coordinates, written as PNG.
class Canvas {
 public:
  Canvas(int width, int height);

  cairo_t* context() const { return context_.get(); }
  void set_colour(const Rgb& colour);
  void line(double x0, double y0, double x1, double y1, double width);
  void fill_rectangle(double x, double y, double width, double height);

  /// Text on the base line y; `quarter_turn` writes it upwards.
  void text(const std::string& words, double x, double y, double size, TextAnchor anchor,
            bool quarter_turn = false);
  double text_width(const std::string& words, double size);

  /// Writes the picture beside its final name first, so that a reader never sees half of it.
  void write_png(const std::filesystem::path& png) const;

 private:
  struct DestroySurface {
    void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
  };
  struct DestroyContext {
    void operator()(cairo_t* context) const { cairo_destroy(context); }
  };
  std::unique_ptr<cairo_surface_t, DestroySurface> surface_;
  std::unique_ptr<cairo_t, DestroyContext> context_;
};

}  // namespace pointtree::training
