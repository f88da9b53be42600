// SPDX-License-Identifier: Apache-2.0
#include "canvas.hpp"

#include <stdexcept>

namespace pointtree::training {

Canvas::Canvas(int width, int height)
    : surface_(cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height)),
      context_(cairo_create(surface_.get())) {
  if (cairo_status(context_.get()) != CAIRO_STATUS_SUCCESS) {
    throw std::runtime_error("cannot make a picture of " + std::to_string(width) + " x " +
                             std::to_string(height) + " pixels");
  }
  cairo_set_source_rgb(context_.get(), 1.0, 1.0, 1.0);
  cairo_paint(context_.get());
  cairo_select_font_face(context_.get(), "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                         CAIRO_FONT_WEIGHT_NORMAL);
}

void Canvas::set_colour(const Rgb& colour) {
  cairo_set_source_rgb(context(), colour.red, colour.green, colour.blue);
}

void Canvas::line(double x0, double y0, double x1, double y1, double width) {
  cairo_set_line_width(context(), width);
  cairo_move_to(context(), x0, y0);
  cairo_line_to(context(), x1, y1);
  cairo_stroke(context());
}

void Canvas::fill_rectangle(double x, double y, double width, double height) {
  cairo_rectangle(context(), x, y, width, height);
  cairo_fill(context());
}

double Canvas::text_width(const std::string& words, double size) {
  cairo_set_font_size(context(), size);
  cairo_text_extents_t extents;
  cairo_text_extents(context(), words.c_str(), &extents);
  return extents.x_advance;
}

void Canvas::text(const std::string& words, double x, double y, double size, TextAnchor anchor,
                  bool quarter_turn) {
  const double width = text_width(words, size);
  const double shift = anchor == TextAnchor::left     ? 0.0
                       : anchor == TextAnchor::centre ? -0.5 * width
                                                      : -width;
  constexpr double kQuarter = -1.57079632679489661923;
  cairo_save(context());
  cairo_translate(context(), x, y);
  if (quarter_turn) cairo_rotate(context(), kQuarter);
  cairo_move_to(context(), shift, 0.0);
  cairo_show_text(context(), words.c_str());
  cairo_restore(context());
}

void Canvas::write_png(const std::filesystem::path& png) const {
  auto unfinished = png;
  unfinished += ".part";
  cairo_surface_flush(surface_.get());
  const auto status = cairo_surface_write_to_png(surface_.get(), unfinished.c_str());
  if (status != CAIRO_STATUS_SUCCESS) {
    throw std::runtime_error("cannot write " + png.string() + ": " +
                             cairo_status_to_string(status));
  }
  std::filesystem::rename(unfinished, png);
}

}  // namespace pointtree::training
