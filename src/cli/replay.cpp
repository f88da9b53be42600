// SPDX-License-Identifier: Apache-2.0
#include "replay.hpp"

#include <spdlog/spdlog.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "io/progress.hpp"
#include "labelled_bag.hpp"
#include "pointtree/io/semantickitti.hpp"
#include "pointtree/perception/pipeline.hpp"
#include "replay_report.hpp"
#include "scene.hpp"
#include "scene_page.hpp"
#include "scene_picture.hpp"

namespace pointtree::cli {
namespace {

using Clock = std::chrono::steady_clock;

/// Waits until a recorded time is due at the wanted rate.
class Pace {
 public:
  explicit Pace(double rate) : rate_(rate) {}

  void wait_for(std::int64_t log_time) {
    if (rate_ <= 0.0) return;
    if (!started_) {
      started_ = true;
      first_ = log_time;
      start_ = Clock::now();
    }
    const std::chrono::duration<double> due(static_cast<double>(log_time - first_) * 1e-9 / rate_);
    std::this_thread::sleep_until(start_ + std::chrono::duration_cast<Clock::duration>(due));
  }

 private:
  double rate_;
  bool started_ = false;
  std::int64_t first_ = 0;
  Clock::time_point start_;
};

/// The frames to be shown; at least the last one where the wanted never came.
class Showing {
 public:
  Showing(const ReplayOptions& options, const inference::EngineInfo& model)
      : options_(options), model_(model) {}

  void take(std::size_t index, const ReplayFrame& frame, const perception::CloudView& cloud,
            const perception::FrameResult& result, const std::vector<int>& truths) {
    const std::size_t wanted = options_.page.empty() ? 1 : options_.page_frames;
    if (index >= options_.frame + wanted) return;
    Scene scene = make_scene(cloud, result, model_, frame.name);
    if (index <= options_.frame) {
      scenes_.clear();
      table_ = result.objects.empty() ? "" : object_table(result, truths, model_);
    }
    scenes_.push_back(std::move(scene));
  }

  void write() const {
    if (scenes_.empty()) return;
    if (!options_.picture.empty()) draw_scene(scenes_.front(), options_.picture);
    if (!options_.page.empty()) write_scene_page(scenes_, options_.page);
  }

  const std::string& table() const { return table_; }

 private:
  const ReplayOptions& options_;
  const inference::EngineInfo& model_;
  std::vector<Scene> scenes_;
  std::string table_;
};

void write_text(const std::filesystem::path& path, const std::string& text) {
  std::ofstream file(path);
  file << text << '\n';
  file.close();
  if (!file) throw std::runtime_error(fmt::format("{}: cannot be written", path.string()));
}

/// Whether a recording is a SemanticKITTI scan, or a folder of them, with labels.
bool has_semantickitti_labels(const std::filesystem::path& recording) {
  namespace fs = std::filesystem;
  if (!fs::is_directory(recording)) return fs::exists(io::semantickitti_label_file(recording));
  for (const auto& entry : fs::directory_iterator(recording)) {
    if (fs::exists(io::semantickitti_label_file(entry.path()))) return true;
  }
  return false;
}

/// What the recording's labels mean: told, or written beside it by `pointtree simulate`, or the
/// model's own numbers.
LabelMap labels_for(const ReplayOptions& options, const std::vector<std::string>& classes) {
  if (!options.labels.empty()) return read_label_map(options.labels, classes);
  const std::filesystem::path beside =
      std::filesystem::is_directory(options.recording)
          ? options.recording / "scene.labels.yaml"
          : std::filesystem::path(options.recording).replace_extension(".labels.yaml");
  if (std::filesystem::exists(beside)) return read_label_map(beside, classes);
  if (has_semantickitti_labels(options.recording)) {
    std::fputs("labels: SemanticKITTI's numbers, by the names of its 19 classes\n", stderr);
    return semantickitti_label_map(classes);
  }
  return identity_label_map(classes.size());
}

/// Takes every frame of a recording through the pipeline and keeps what comes of it.
class Player {
 public:
  Player(const ReplayOptions& options, std::shared_ptr<const perception::Recogniser> recogniser)
      : options_(options),
        pipeline_(options.config, std::move(recogniser)),
        report_(pipeline_.info(), GroundTruth(labels_for(options, pipeline_.info().classes),
                                              pipeline_.info().classes.size())),
        showing_(options, pipeline_.info()) {
    if (!options.output.empty()) bag_.emplace(options.output);
  }

  void play(int loop) {
    const auto source = open_recording(options_.recording, options_.selection);
    Pace pace(options_.rate);
    while (const auto frame = source->next()) {
      pace.wait_for(frame->log_time);
      take(*frame);
      const std::chrono::duration<double> elapsed = Clock::now() - begin_;
      progress_.show((loop + source->done()) / options_.loops,
                     fmt::format("{} frames, {:.1f} Hz", report_.frames(),
                                 static_cast<double>(report_.frames()) / elapsed.count()));
    }
    for (const std::string& finding : source->findings())
      spdlog::warn("{}: {}", options_.recording.string(), finding);
  }

  std::string finish() {
    if (report_.frames() + report_.rejected() == 0) {
      throw std::runtime_error(
          fmt::format("{}: no clouds in the part that was chosen", options_.recording.string()));
    }
    if (bag_) bag_->close();
    if (!options_.report.empty()) write_text(options_.report, report_.to_json().dump(1));
    showing_.write();
    return showing_.table() + report_.to_text();
  }

 private:
  void take(const ReplayFrame& frame) {
    const auto cloud = perception::CloudView::make(
        raw_cloud(frame.message), static_cast<std::size_t>(options_.config.max_points));
    if (!cloud) return report_.reject(frame.name, cloud.error());
    const auto result = pipeline_.process(*cloud, frame.message.header.nanoseconds());
    if (!result) return report_.reject(frame.name, result.error());
    const std::size_t index = report_.frames();
    const std::vector<int> truths = report_.add(frame.name, *cloud, *result);
    showing_.take(index, frame, *cloud, *result, truths);
    if (bag_) bag_->write(frame, *cloud, *result, pipeline_.info());
  }

  const ReplayOptions& options_;
  perception::Pipeline pipeline_;
  ReplayReport report_;
  std::optional<LabelledBag> bag_;
  Showing showing_;
  io::ProgressLine progress_;
  Clock::time_point begin_ = Clock::now();
};

}  // namespace

std::string replay(const ReplayOptions& options,
                   std::shared_ptr<const perception::Recogniser> recogniser) {
  Player player(options, std::move(recogniser));
  for (int loop = 0; loop < options.loops; ++loop) player.play(loop);
  return player.finish();
}

}  // namespace pointtree::cli
