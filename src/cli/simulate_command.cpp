// SPDX-License-Identifier: Apache-2.0
#include <spdlog/spdlog.h>

#include <cmath>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "exit_code.hpp"
#include "io/cdr.hpp"
#include "io/file_bytes.hpp"
#include "io/outputs.hpp"
#include "pointtree/io/bag_writer.hpp"
#include "pointtree/io/cloud_file.hpp"
#include "scene.hpp"
#include "simulation/simulation.hpp"

namespace pointtree::cli {
namespace {

namespace fs = std::filesystem;

// Recordings begin at a fixed date, so that the same seed gives the same bytes.
constexpr std::int64_t kEpoch = 1'700'000'000'000'000'000;

struct SimulateOptions {
  std::string place = "street";
  std::uint64_t seed = 1;
  int frames = 50;
  std::optional<double> speed;
  double tilt = 0.0;
  std::optional<int> beams;
  std::optional<int> columns;
  std::string output;
  std::string topic = "/lidar/points";
  std::string picture;
  bool json = false;
  bool overwrite = false;
};

simulation::Simulation simulate(const SimulateOptions& options) {
  const bool street = options.place == "street";
  simulation::SimulationConfig config =
      street ? simulation::SimulationConfig{} : simulation::indoor_simulation();
  config.frames = options.frames;
  config.tilt = options.tilt;
  config.speed = options.speed.value_or(config.speed);
  config.lidar.beams = options.beams.value_or(config.lidar.beams);
  config.lidar.columns = options.columns.value_or(config.lidar.columns);
  return street ? simulation::simulate_street(options.seed, config)
                : simulation::simulate_room(options.seed, config);
}

std::int64_t stamp(const simulation::Scan& scan) { return kEpoch + std::llround(scan.time * 1e9); }

void write_bag(const simulation::Simulation& simulation, const SimulateOptions& options,
               const fs::path& path) {
  io::BagWriter bag(path);
  io::BagTopic cloud_topic;
  cloud_topic.name = options.topic;
  cloud_topic.type = std::string(io::kPointCloud2Type);
  io::BagTopic pose_topic;
  pose_topic.name = "/tf";
  pose_topic.type = std::string(io::kTransformsType);
  const std::size_t clouds = bag.add_topic(cloud_topic);
  const std::size_t poses = bag.add_topic(pose_topic);
  for (const simulation::Scan& scan : simulation.scans) {
    io::TransformMessage pose;
    pose.header = io::make_header(stamp(scan), "map");
    pose.child_frame_id = "lidar";
    pose.translation = scan.pose.translation();
    pose.rotation = Eigen::Quaterniond(scan.pose.linear());
    bag.write(poses, stamp(scan), io::encode_transforms({pose}));
    const auto message =
        io::make_point_cloud2(simulation::to_cloud(scan), io::make_header(stamp(scan), "lidar"));
    bag.write(clouds, stamp(scan), io::encode_point_cloud2(message));
  }
  bag.close();
}

void write_files(const simulation::Simulation& simulation, const fs::path& folder) {
  char name[32];
  for (std::size_t i = 0; i < simulation.scans.size(); ++i) {
    std::snprintf(name, sizeof(name), "%06zu.pcd", i);
    io::write_cloud(folder / name, simulation::to_cloud(simulation.scans[i]));
  }
}

nlohmann::json describe(const simulation::Simulation& simulation, const SimulateOptions& options) {
  nlohmann::json truth;
  truth["scene"] = options.place;
  truth["seed"] = options.seed;
  truth["frames"] = simulation.scans.size();
  truth["classes"] = simulation.scene.classes;
  truth["poses"] = nlohmann::json::array();
  for (const simulation::Scan& scan : simulation.scans) {
    const Eigen::Quaterniond q(scan.pose.linear());
    const Eigen::Vector3d t = scan.pose.translation();
    truth["poses"].push_back({{"stamp", stamp(scan)},
                              {"translation", {t.x(), t.y(), t.z()}},
                              {"rotation_xyzw", {q.x(), q.y(), q.z(), q.w()}}});
  }
  truth["objects"] = nlohmann::json::array();
  for (const auto& object : simulation.scene.objects) {
    if (object.instance == 0) continue;
    truth["objects"].push_back(
        {{"instance", object.instance},
         {"kind", object.kind},
         {"label", object.label},
         {"centre", {object.box.centre.x(), object.box.centre.y(), object.box.centre.z()}},
         {"size", {object.box.size.x(), object.box.size.y(), object.box.size.z()}},
         {"yaw", object.box.yaw}});
  }
  return truth;
}

/// Colours that differ most between neighbouring labels: hues a golden angle apart.
Colour colour_of(std::int32_t label) {
  const double hue = std::fmod(0.61803398875 * label + 0.58, 1.0);
  Colour colour{};
  for (std::size_t channel = 0; channel < 3; ++channel) {
    const double angle = 6.28318530718 * (hue - static_cast<double>(channel) / 3.0);
    colour[channel] = static_cast<std::uint8_t>(std::lround(140.0 + 95.0 * std::cos(angle)));
  }
  return colour;
}

/// A simulated scan in the world's axes, coloured by its true labels.
Scene truth_scene(const simulation::Simulation& simulation, const simulation::Scan& scan,
                  std::string title) {
  const io::Cloud cloud = simulation::to_cloud(scan);
  const std::vector<std::string>& classes = simulation.scene.classes;
  std::vector<std::size_t> seen(classes.size(), 0);
  Scene scene;
  scene.title = std::move(title);
  for (Eigen::Index i = 0; i < cloud.points.rows(); ++i) {
    const Eigen::Vector3f point = cloud.points.row(i);
    if (!point.allFinite()) continue;
    const std::int32_t label = cloud.labels.at(static_cast<std::size_t>(i));
    ++seen.at(static_cast<std::size_t>(label));
    ScenePoint shown;
    shown.position = (scan.pose * point.cast<double>()).cast<float>();
    shown.colour = colour_of(label);
    scene.points.push_back(shown);
  }
  scene.subtitle = std::to_string(scene.points.size()) + " points, true labels";
  for (std::size_t label = 0; label < classes.size(); ++label) {
    if (seen[label] == 0) continue;
    scene.legend.push_back(
        {colour_of(static_cast<std::int32_t>(label)), classes[label], seen[label]});
  }
  return scene;
}

bool is_bag(const SimulateOptions& options) {
  return fs::path(options.output).extension() == ".mcap";
}

bool is_of_simulation(const fs::path& name) {
  return name.extension() == ".pcd" || name == "scene.labels.yaml" || name == "scene.truth.json";
}

void run(const SimulateOptions& options) {
  io::Outputs outputs(options.overwrite, {});
  const fs::path output(options.output);
  const bool bag = is_bag(options);
  const fs::path place = bag ? outputs.file(output) : outputs.folder(output, is_of_simulation);
  const std::string beside = fs::path(output).replace_extension().string();
  const fs::path labels = bag ? outputs.file(beside + ".labels.yaml") : place / "scene.labels.yaml";
  const fs::path truths = bag ? outputs.file(beside + ".truth.json") : place / "scene.truth.json";
  const fs::path picture = outputs.file(options.picture);
  const simulation::Simulation simulation = simulate(options);
  if (bag) {
    write_bag(simulation, options, place);
  } else {
    write_files(simulation, place);
  }
  // What the labels of the points mean, and where everything stands.
  std::string names;
  for (const std::string& name : simulation.scene.classes) names += "- " + name + "\n";
  io::write_file(labels, names);
  const nlohmann::json truth = describe(simulation, options);
  io::write_file(truths, truth.dump(1) + "\n");
  if (!options.picture.empty()) {
    const std::string title = "A " + options.place + ", seed " + std::to_string(options.seed);
    draw_scene(truth_scene(simulation, simulation.scans.front(), title), picture);
  }
  outputs.commit();
  spdlog::info("{} frames of a {} in {}", simulation.scans.size(), options.place, options.output);
  if (options.json) std::puts(truth.dump(2).c_str());
}

}  // namespace

void add_simulate_command(CLI::App& app) {
  auto options = std::make_shared<SimulateOptions>();
  CLI::App* command =
      app.add_subcommand("simulate", "Drives a simulated lidar through a made-up street or room");
  command->add_option("--scene", options->place, "street or room")
      ->check(CLI::IsMember({"street", "room"}))
      ->capture_default_str();
  command->add_option("--seed", options->seed, "Another seed, another scene")
      ->capture_default_str();
  command->add_option("--frames", options->frames, "Turns of the lidar")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  command
      ->add_option("--speed", options->speed,
                   "Metres per second; 5 in streets, 0.8 in rooms unless given")
      ->check(CLI::Range(0.0, 100.0));
  command->add_option("--tilt", options->tilt, "Degrees by which the lidar is mounted forwards")
      ->check(CLI::Range(-180.0, 180.0))
      ->capture_default_str();
  command->add_option("--beams", options->beams, "Beams of the lidar; 64 unless given")
      ->check(CLI::Range(1, 4096));
  command->add_option("--columns", options->columns, "Firings per turn; 1024 unless given")
      ->check(CLI::Range(1, 65536));
  const CLI::Option* topic =
      command->add_option("--topic", options->topic, "Topic of the clouds in a bag");
  command
      ->add_option("--output", options->output,
                   "A bag where it ends in .mcap, else a folder of PCD files; names of labels and "
                   "the true objects are "
                   "written beside or into it")
      ->required();
  command->add_option("--picture", options->picture,
                      "Draw the first frame, coloured by true label, to this PNG");
  command->add_flag("--overwrite", options->overwrite, "Replace outputs that exist");
  command->add_flag("--json", options->json, "Print the true objects and poses as JSON");
  command->callback([options, topic] {
    if (topic->count() > 0 && !is_bag(*options))
      throw UsageError("--topic is for bags, whose names end in .mcap");
    run(*options);
  });
}

}  // namespace pointtree::cli
