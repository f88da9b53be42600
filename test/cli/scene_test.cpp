// SPDX-License-Identifier: Apache-2.0
#include "cli/scene.hpp"

#include <cairo.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <set>

#include "perception/cloud_bytes.hpp"
#include "perception/fake_recogniser.hpp"
#include "perception/synthetic_scene.hpp"
#include "pointtree/perception/pipeline.hpp"
#include "temporary_folder.hpp"

namespace pointtree::cli {
namespace {

namespace fs = std::filesystem;

Scene street_scene() {
  const auto street = perception::street(perception::flat_ground, 1);
  perception::CloudBytes cloud = perception::to_cloud(street.points);
  perception::Pipeline pipeline(perception::PipelineConfig{},
                                std::make_shared<perception::FakeRecogniser>());
  const auto view = perception::CloudView::make(cloud.raw(), 1'000'000);
  const auto result = pipeline.process(*view, 0);
  return make_scene(*view, *result, pipeline.info(), "a street");
}

TEST(scene, stands_on_the_ground_and_names_what_occurs) {
  const Scene scene = street_scene();
  EXPECT_EQ(scene.boxes.size(), 16U);
  float lowest = 1e9F;
  for (const ScenePoint& point : scene.points) lowest = std::min(lowest, point.position.z());
  EXPECT_NEAR(lowest, 0.0F, 0.1F);
  std::set<std::string> names;
  for (const LegendEntry& entry : scene.legend) names.insert(entry.name);
  EXPECT_EQ(names, (std::set<std::string>{"car", "post", "background", "ground"}));
}

TEST(scene, names_labelled_points_beside_objects) {
  perception::CloudBytes cloud = perception::to_cloud({{1, 0, 0}, {2, 0, 0}, {3, 0, 0}});
  const auto view = perception::CloudView::make(cloud.raw(), 1'000);
  perception::FrameResult result;
  result.labels.resize(3);
  for (std::size_t i = 0; i < 3; ++i) {
    result.labels[i].role = perception::PointRole::object;
    result.labels[i].class_id = static_cast<std::uint8_t>(i / 2);
  }
  inference::EngineInfo model;
  model.classes = {"car", "road"};
  model.colours = {{1, 1, 1}, {2, 2, 2}};
  const auto counts = [&] {
    std::map<std::string, std::size_t> named;
    for (const LegendEntry& entry : make_scene(*view, result, model, "").legend)
      if (entry.is_class) named[entry.name] = entry.objects;
    return named;
  };
  using Counts = std::map<std::string, std::size_t>;
  EXPECT_EQ(counts(), (Counts{{"car", 2}, {"road", 1}})) << "points";
  result.objects.resize(1);
  result.objects[0].class_id = 0;
  EXPECT_EQ(counts(), (Counts{{"car", 1}, {"road", 0}})) << "objects";
}

/// The colours in the left and the right view of a scene's picture.
std::array<std::set<Colour>, 2> colours_of_views(const Scene& scene) {
  const test::TemporaryFolder folder;
  const fs::path path = folder / "scene.png";
  draw_scene(scene, path);
  const std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)> surface(
      cairo_image_surface_create_from_png(path.c_str()), cairo_surface_destroy);
  EXPECT_EQ(cairo_surface_status(surface.get()), CAIRO_STATUS_SUCCESS);
  const int width = cairo_image_surface_get_width(surface.get());
  const int height = cairo_image_surface_get_height(surface.get());
  const int stride = cairo_image_surface_get_stride(surface.get());
  const unsigned char* pixels = cairo_image_surface_get_data(surface.get());
  // Counted in the two views only: between the header and the legend.
  std::array<std::set<Colour>, 2> seen;
  for (int y = 70; y < height - 90; ++y) {
    for (int x = 0; x < width; ++x) {
      const unsigned char* pixel =
          pixels + static_cast<std::ptrdiff_t>(y) * stride + std::ptrdiff_t{4} * x;
      seen[static_cast<std::size_t>(2 * x / width)].insert({pixel[2], pixel[1], pixel[0]});
    }
  }
  return seen;
}

TEST(scene_picture, shows_every_colour_of_the_legend) {
  const Scene scene = street_scene();
  const auto seen = colours_of_views(scene);
  for (const char* name : {"car", "post", "ground"}) {
    for (const LegendEntry& entry : scene.legend) {
      if (entry.name != name) continue;
      EXPECT_EQ(seen[0].count(entry.colour), 1U) << name << " from above";
      EXPECT_EQ(seen[1].count(entry.colour), 1U) << name << " in perspective";
    }
  }
}

TEST(scene_picture, shows_the_truth_beside_what_was_found) {
  constexpr Colour kFound{250, 10, 20};
  constexpr Colour kTrue{10, 250, 20};
  Scene scene = street_scene();
  scene.boxes.clear();
  scene.has_truth = true;
  for (ScenePoint& point : scene.points) {
    point.colour = kFound;
    point.truth = kTrue;
  }
  const auto seen = colours_of_views(scene);
  EXPECT_TRUE(seen[0].count(kFound) == 1 && seen[0].count(kTrue) == 0) << "left";
  EXPECT_TRUE(seen[1].count(kTrue) == 1 && seen[1].count(kFound) == 0) << "right";
}

TEST(scene_picture, tells_that_it_cannot_be_written) {
  EXPECT_THROW(draw_scene(street_scene(), "/no/such/folder/scene.png"), std::runtime_error);
}

TEST(scene_page, needs_nothing_from_elsewhere) {
  const test::TemporaryFolder folder;
  const fs::path path = folder / "page.html";
  Scene scene = street_scene();
  scene.title = "</script><b>";
  write_scene_page({scene, scene}, path);
  const std::string page = test::content_of(path);
  EXPECT_EQ(page.find("http"), std::string::npos);
  EXPECT_EQ(page.find("src="), std::string::npos);
  EXPECT_EQ(page.find("</script><b>"), std::string::npos);
  EXPECT_NE(page.find("\"name\":\"post 90 %\""), std::string::npos);
}

TEST(scene_page, opens_in_a_browser) {
  if (std::system("command -v chromium > /dev/null 2>&1") != 0)
    GTEST_SKIP() << "chromium is not installed";
  const test::TemporaryFolder folder;
  const fs::path page = folder / "open.html";
  const fs::path dump = folder / "dom.html";
  const fs::path shot = folder / "page.png";
  write_scene_page({street_scene()}, page);
  const std::string browser =
      "timeout 100 chromium --headless --no-sandbox --disable-gpu --window-size=1000,700 "
      "--virtual-time-budget=2000 ";
  ASSERT_EQ(std::system((browser + "--dump-dom file://" + page.string() + " > " + dump.string() +
                         " 2> /dev/null")
                            .c_str()),
            0);
  EXPECT_NE(test::content_of(dump).find("data-ready=\"yes\""), std::string::npos)
      << "the page's script stopped";
  ASSERT_EQ(std::system((browser + "--screenshot=" + shot.string() + " file://" + page.string() +
                         " > /dev/null 2>&1")
                            .c_str()),
            0);
  EXPECT_GT(fs::file_size(shot), 30'000U) << "the screenshot is nearly empty";
}

}  // namespace
}  // namespace pointtree::cli
