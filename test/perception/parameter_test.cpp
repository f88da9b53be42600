// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <set>

#include "io/fields.hpp"
#include "pointtree/perception/pipeline_config.hpp"
#include "temporary_folder.hpp"

namespace pointtree::perception {
namespace {

std::string contents(const std::string& path) {
  return test::content_of(std::string(POINTTREE_SOURCE) + "/" + path);
}

std::string error_of(const std::string& yaml) {
  return test::error_of([&] { parse_config(yaml, "robot.yaml"); });
}

void expect_equal(const PipelineConfig& a, const PipelineConfig& b) {
  EXPECT_EQ(to_yaml(a), to_yaml(b));
}

/// The table of parameters in docs/pipeline.md.
std::string parameter_table() {
  PipelineConfig objects = default_config(Mode::objects);
  PipelineConfig blocks = default_config(Mode::blocks);
  PipelineConfig scene = default_config(Mode::scene);
  const io::Fields in_blocks = fields_of(blocks);
  const io::Fields in_scene = fields_of(scene);
  std::string table =
      "| parameter | type | objects | blocks | scene | allowed | unit | meaning "
      "|\n|---|---|---|---|---|---|---|---|\n";
  for (const io::Field& field : fields_of(objects)) {
    for (const std::string& cell :
         {"`" + field.name + "`", std::string(io::type_name(field.get())), io::to_text(field.get()),
          io::to_text(io::find_field(in_blocks, field.name)->get()),
          io::to_text(io::find_field(in_scene, field.name)->get()), io::allowed_values(field),
          field.range.unit, field.help})
      table += "| " + cell + " ";
    table += "|\n";
  }
  return table;
}

TEST(parameters, have_unique_names_help_and_valid_defaults) {
  std::set<std::string> names;
  PipelineConfig config;
  for (const io::Field& field : fields_of(config)) {
    EXPECT_TRUE(names.insert(field.name).second) << field.name << " is described twice";
    EXPECT_FALSE(field.help.empty()) << field.name;
  }
  EXPECT_TRUE(validate(default_config(Mode::objects)).empty());
  EXPECT_TRUE(validate(default_config(Mode::blocks)).empty());
}

TEST(parameters, can_each_be_set_and_read_back) {
  PipelineConfig config;
  const io::Fields fields = fields_of(config);
  for (const io::Field& field : fields) {
    io::FieldValue wanted = field.get();
    if (auto* flag = std::get_if<bool>(&wanted)) *flag = !*flag;
    if (auto* whole = std::get_if<std::int64_t>(&wanted))
      *whole = static_cast<std::int64_t>(field.range.most);
    if (auto* real = std::get_if<double>(&wanted)) *real = field.range.most;
    if (auto* text = std::get_if<std::string>(&wanted))
      *text = field.choices.empty() ? "any text" : field.choices.back();
    const auto done = io::assign(fields, field.name, wanted);
    ASSERT_TRUE(done) << done.error();
    EXPECT_EQ(field.get(), wanted) << field.name;
  }
}

TEST(parameters, are_refused_by_name_when_wrong) {
  PipelineConfig config;
  const auto error = [&](const char* name, const io::FieldValue& value) {
    const auto done = io::assign(fields_of(config), name, value);
    return done ? std::string("accepted") : done.error();
  };
  EXPECT_EQ(error("no.such", 1.0), "there is no parameter 'no.such'");
  EXPECT_EQ(error("voxel_size", -1.0), "voxel_size: expected a number from 0 to 10 m, found -1.0");
  EXPECT_EQ(error("voxel_size", std::numeric_limits<double>::quiet_NaN()).substr(0, 10),
            "voxel_size");
  EXPECT_EQ(error("max_objects", 2.5),
            "max_objects: expected an integer from 1 to 4096, found 2.5");
  EXPECT_EQ(error("max_objects", std::int64_t{1} << 40).substr(0, 11), "max_objects");
  EXPECT_EQ(error("mode", std::string("rooms")),
            "mode: expected objects | blocks | scene, found 'rooms'");
  EXPECT_EQ(error("ground.remove", std::int64_t{1}),
            "ground.remove: expected true or false, found 1");
  expect_equal(config, PipelineConfig{});
}

TEST(parameters, take_a_whole_number_for_a_real_one) {
  PipelineConfig config;
  ASSERT_TRUE(io::assign(fields_of(config), "crop.max_range", std::int64_t{50}));
  EXPECT_EQ(config.crop.max_range, 50.0);
}

TEST(parameters, are_checked_against_each_other) {
  PipelineConfig config;
  config.crop.min_range = 90.0;
  config.blocks.stride = 3.0;
  const auto faults = validate(config);
  ASSERT_EQ(faults.size(), 2U);
  EXPECT_NE(faults[0].find("crop.min_range"), std::string::npos);
  EXPECT_NE(faults[1].find("blocks.stride"), std::string::npos);
}

TEST(config_file, reads_back_what_it_writes) {
  PipelineConfig config = default_config(Mode::blocks);
  config.up = UpDirection::z;
  config.cluster.tolerance = 0.37;
  config.ground.remove = true;
  config.seed = 99;
  config.classes.deny = "car, \"big\" van";
  expect_equal(parse_config(to_yaml(config), "written"), config);
}

TEST(config_file, starts_from_the_defaults_of_its_mode) {
  expect_equal(parse_config("mode: blocks", "short"), default_config(Mode::blocks));
  expect_equal(parse_config("mode: objects", "short"), default_config(Mode::objects));
}

TEST(config_file, names_file_and_keys_in_errors) {
  EXPECT_EQ(error_of("voxel_sise: 1"),
            "robot.yaml: line 1: there is no parameter 'voxel_sise'; did you mean 'voxel_size'?");
  EXPECT_EQ(
      error_of("ground: {cell_size: fine}"),
      "robot.yaml: line 1: ground.cell_size: expected a number from 0.02 to 10 m, found 'fine'");
  EXPECT_EQ(error_of("ground: [1, 2]"),
            "robot.yaml: line 1: ground: expected a map of keys, found a list");
  EXPECT_EQ(error_of("voxel_size: [1, 2]"),
            "robot.yaml: line 1: voxel_size: expected a number from 0 to 10 m, found a list");
  EXPECT_EQ(error_of("[1").substr(0, 11), "robot.yaml:");
  EXPECT_EQ(error_of("plain text"), "robot.yaml: expected a map of parameters");
  EXPECT_NE(error_of("crop: {min_range: 9, max_range: 3}").find("crop.min_range is 9"),
            std::string::npos);
  EXPECT_THROW(read_config("does/not/exist.yaml"), std::runtime_error);
}

TEST(config_file, shipped_files_hold_the_defaults) {
  EXPECT_EQ(contents("config/objects.yaml"), to_yaml(default_config(Mode::objects)));
  EXPECT_EQ(contents("config/blocks.yaml"), to_yaml(default_config(Mode::blocks)));
  EXPECT_EQ(contents("config/scene.yaml"), to_yaml(default_config(Mode::scene)));
}

TEST(config_file, documentation_holds_the_table_of_parameters) {
  EXPECT_NE(contents("docs/pipeline.md").find(parameter_table()), std::string::npos)
      << "docs/pipeline.md should contain\n"
      << parameter_table();
}

}  // namespace
}  // namespace pointtree::perception
