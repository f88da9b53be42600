// SPDX-License-Identifier: Apache-2.0
#include "replay.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <optional>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "exit_code.hpp"
#include "io/file_bytes.hpp"
#include "io/outputs.hpp"
#include "io/progress.hpp"
#include "io/stopwatch.hpp"
#include "labelled_bag.hpp"
#include "pointtree/io/semantickitti.hpp"
#include "pointtree/perception/pipeline.hpp"
#include "replay_report.hpp"
#include "scene.hpp"

namespace pointtree::cli {
namespace {

using Clock = std::chrono::steady_clock;
namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kLongestNap{50};  // Ctrl-C is answered within it
constexpr double kSecondsBetweenLines = 10.0;

/// Waits until a recorded time is due at the wanted rate.
class Pace {
 public:
  explicit Pace(double rate) : rate_(rate) {}

  void wait_for(std::int64_t log_time, const io::InterruptGuard& interrupt) {
    if (rate_ <= 0.0) return;
    if (!started_) {
      started_ = true;
      first_ = log_time;
      start_ = Clock::now();
    }
    const std::chrono::duration<double> due(static_cast<double>(log_time - first_) * 1e-9 / rate_);
    const auto wake = start_ + std::chrono::duration_cast<Clock::duration>(due);
    while (!interrupt.requested() && Clock::now() < wake)
      std::this_thread::sleep_until(std::min(wake, Clock::now() + kLongestNap));
  }

 private:
  double rate_;
  bool started_ = false;
  std::int64_t first_ = 0;
  Clock::time_point start_;
};

/// Where the outputs are written until they are whole.
struct Places {
  fs::path bags;  ///< the bag, or the folder for one of each recording
  fs::path report;
  fs::path picture;
  fs::path page;
};

/// The frames to be shown; at least the last one where the wanted never came.
class Showing {
 public:
  Showing(const ReplayOptions& options, const inference::EngineInfo& model)
      : options_(options), model_(model) {}

  void take(std::size_t index, const ReplayFrame& frame, const perception::CloudView& cloud,
            const perception::FrameResult& result, const GroundTruth& truth,
            const std::vector<int>& truths) {
    if (options_.picture.empty() && options_.page.empty() && index > options_.frame) return;
    const std::size_t wanted = options_.page.empty() ? 1 : options_.page_frames;
    if (index >= options_.frame + wanted) {
      ++left_out_;
      return;
    }
    Scene scene =
        make_scene(cloud, result, model_, frame.name, {truth.point_classes(cloud), truths});
    if (index <= options_.frame) {
      left_out_ += scenes_.size();
      scenes_.clear();
      table_ = result.objects.empty() ? "" : object_table(result, truths, model_);
    }
    scenes_.push_back(std::move(scene));
  }

  void write(const Places& places) const {
    if (scenes_.empty()) return;
    std::vector<Scene> scenes = scenes_;
    colour_distinctly(scenes);
    if (!places.picture.empty()) draw_scene(scenes.front(), places.picture);
    if (!places.page.empty()) write_scene_page(scenes, places.page, left_out_);
  }

  const std::string& table() const { return table_; }

 private:
  const ReplayOptions& options_;
  const inference::EngineInfo& model_;
  std::vector<Scene> scenes_;
  std::size_t left_out_ = 0;
  std::string table_;
};

/// Whether a recording is a SemanticKITTI scan, or a folder of them, with labels.
bool has_semantickitti_labels(const fs::path& recording) {
  if (!fs::is_directory(recording)) return fs::exists(io::semantickitti_label_file(recording));
  for (const auto& entry : fs::directory_iterator(recording)) {
    if (fs::exists(io::semantickitti_label_file(entry.path()))) return true;
  }
  return false;
}

/// What a recording's labels mean: told, or written beside it by `pointtree simulate`, or
/// SemanticKITTI's numbers; nothing where that is not known.
std::optional<LabelMap> labels_for(const ReplayOptions& options, const fs::path& recording,
                                   const std::vector<std::string>& classes) {
  if (options.labels == "none") return LabelMap();
  if (!options.labels.empty()) return read_label_map(options.labels, classes);
  const fs::path beside = fs::is_directory(recording)
                              ? recording / "scene.labels.yaml"
                              : fs::path(recording).replace_extension(".labels.yaml");
  if (fs::exists(beside)) return read_label_map(beside, classes);
  if (!has_semantickitti_labels(recording)) return std::nullopt;
  std::fputs("labels: SemanticKITTI's numbers, by the names of its 19 classes\n", stderr);
  return semantickitti_label_map(classes);
}

bool is_bag_part(const fs::path& name) {
  return name.extension() == ".mcap" || name == "metadata.yaml";
}

/// Takes every frame of the recordings through the pipeline and keeps what comes of it.
class Player {
 public:
  Player(const ReplayOptions& options, std::shared_ptr<const perception::Recogniser> recogniser)
      : options_(options),
        recogniser_(std::move(recogniser)),
        recordings_(expand_recordings(options.recordings)),
        outputs_(options.overwrite, inputs()),
        report_(recogniser_->info(), GroundTruth({}, recogniser_->info().classes.size())),
        showing_(options, recogniser_->info()),
        progress_(kSecondsBetweenLines) {
    const Share& share = options.share;
    const fs::path bags = share.own(options.output);
    if (bags.extension() == ".mcap" && recordings_.size() > 1) {
      throw UsageError(fmt::format("--output is {}; for {} recordings it is a folder",
                                   options.output.string(), recordings_.size()));
    }
    places_.bags =
        bags.extension() == ".mcap" ? outputs_.file(bags) : outputs_.folder(bags, is_bag_part);
    places_.report = outputs_.file(share.own(options.report));
    places_.picture = outputs_.file(share.own(options.picture));
    places_.page = outputs_.file(share.own(options.page));
    for (std::size_t i = 0; i < recordings_.size(); ++i) {
      if (share.takes(i)) mine_.push_back(i);
    }
  }

  ReplayOutcome play() {
    check_frame();
    for (done_ = 0; done_ < mine_.size() && !interrupt_.requested(); ++done_) {
      const std::size_t index = mine_[done_];
      report_.begin(index, recordings_[index].string());
      try {
        play(recordings_[index]);
      } catch (const std::exception& error) {
        if (recordings_.size() == 1) throw;
        report_.fail(error.what());
        progress_.say(fmt::format("{}: {}", recordings_[index].string(), error.what()));
      }
      bag_.reset();
    }
    return finish();
  }

 private:
  std::vector<fs::path> inputs() const {
    std::vector<fs::path> all = options_.inputs;
    all.insert(all.end(), recordings_.begin(), recordings_.end());
    all.push_back(options_.labels);
    return all;
  }

  void play(const fs::path& recording) {
    // Tracks and truth are a recording's own.
    perception::Pipeline pipeline(options_.config, recogniser_);
    const auto labels = labels_for(options_, recording, recogniser_->info().classes);
    labels_known_ = labels.has_value();
    labels_wanted_ = !options_.labels.empty() && options_.labels != "none" &&
                     !has_semantickitti_labels(recording);
    report_.set_labels(labels.value_or(LabelMap()));
    if (!places_.bags.empty()) bag_.emplace(bag_of(recording));
    for (int loop = 0; loop < options_.loops && !interrupt_.requested(); ++loop)
      play(recording, loop, pipeline);
    if (bag_) bag_->close();
  }

  /// Refuses a frame to be shown that the recordings do not have, where that is known.
  void check_frame() const {
    if (options_.frame == 0) return;
    std::size_t frames = 0;
    for (const fs::path& recording : recordings_) {
      try {
        const auto count = open_recording(recording, options_.selection)->count();
        if (!count) return;
        frames += *count;
      } catch (const std::runtime_error&) {
        return;  // reported when its turn comes
      }
    }
    if (frames > 0 && options_.frame >= frames * static_cast<std::size_t>(options_.loops)) {
      throw UsageError(
          fmt::format("--frame is {}; {} frames, counted from 0", options_.frame,
                      recordings_.size() == 1
                          ? fmt::format("{} has {}", recordings_.front().string(), frames)
                          : fmt::format("the {} recordings have {}", recordings_.size(), frames)));
    }
  }

  /// The bag to be written for a recording.
  fs::path bag_of(const fs::path& recording) const {
    if (recordings_.size() == 1) return places_.bags;
    const fs::path name = recording.has_filename() ? recording : recording.parent_path();
    fs::path bag = places_.bags / (name.stem().string() + ".mcap");
    for (int k = 2; fs::exists(bag); ++k)
      bag = places_.bags / fmt::format("{}_{}.mcap", name.stem().string(), k);
    return bag;
  }

  void play(const fs::path& recording, int loop, perception::Pipeline& pipeline) {
    const auto source = open_recording(recording, options_.selection);
    Pace pace(options_.rate);
    while (!interrupt_.requested()) {
      const auto frame = source->next();
      if (!frame) break;
      pace.wait_for(frame->log_time, interrupt_);
      take(*frame, pipeline);
      const double elapsed = running_.seconds();
      const double share = (static_cast<double>(done_) + (loop + source->done()) / options_.loops) /
                           static_cast<double>(mine_.size());
      progress_.show(share, fmt::format("{} frames, {:.1f} Hz{}", report_.frames(),
                                        static_cast<double>(report_.frames()) / elapsed,
                                        io::time_left(elapsed, share)));
    }
    for (const std::string& finding : source->findings())
      spdlog::warn("{}: {}", recording.string(), finding);
  }

  void take(const ReplayFrame& frame, perception::Pipeline& pipeline) {
    if (!frame.fault.empty()) {
      progress_.say(fmt::format("{}: {}", frame.name, frame.fault));
      return report_.reject(frame.name, "unreadable", frame.fault);
    }
    const auto cloud = perception::CloudView::make(
        frame.message, static_cast<std::size_t>(options_.config.max_points));
    if (!cloud) return report_.reject(frame.name, cloud.error());
    if (!labels_known_ && cloud->field("label")) {
      throw std::runtime_error(fmt::format(
          "{}: the points have labels, but nothing says what the numbers mean; give --labels "
          "FILE (YAML: a list of class names, or a map from number to name), or --labels none to "
          "ignore them",
          frame.name));
    }
    if (labels_wanted_ && !cloud->field("label")) {
      throw UsageError(
          fmt::format("--labels has no effect: the points of {} have no labels", frame.name));
    }
    labels_wanted_ = false;  // the first frame decides
    const auto result = pipeline.process(*cloud, frame.message.header.nanoseconds());
    if (!result) return report_.reject(frame.name, result.error());
    const std::size_t index = report_.frames();
    const std::vector<int> truths = report_.add(frame.name, *cloud, *result);
    showing_.take(index, frame, *cloud, *result, report_.truth(), truths);
    if (bag_) bag_->write(frame, *cloud, *result, pipeline.info());
  }

  ReplayOutcome finish() {
    const bool interrupted = interrupt_.requested();
    if (report_.frames() == 0 && !mine_.empty() && !interrupted &&
        report_.failed() < mine_.size()) {
      const std::string recording =
          mine_.size() == 1 ? recordings_[mine_.front()].string() : "these recordings";
      throw std::runtime_error(
          report_.rejected() == 0
              ? fmt::format("{}: no clouds in the part that was chosen", recording)
              : fmt::format("{}: none of {} frames could be used ({})", recording,
                            report_.rejected(), report_.rejections()));
    }
    nlohmann::json report = report_.to_json();
    if (interrupted) report["interrupted"] = true;
    if (options_.share.count > 1)
      report["share"] = {{"index", options_.share.index}, {"count", options_.share.count}};
    if (!places_.report.empty()) io::write_file(places_.report, report.dump(1) + "\n");
    showing_.write(places_);
    outputs_.commit();
    if (!interrupted && report_.frames() > 0 && report_.frames() <= options_.frame) {
      progress_.say(fmt::format("--frame is {}, but only {} frames were played; the last is shown",
                                options_.frame, report_.frames()));
    }
    return {showing_.table() + report_text(report), interrupted, report_.failed()};
  }

  const ReplayOptions& options_;
  std::shared_ptr<const perception::Recogniser> recogniser_;
  std::vector<fs::path> recordings_;
  io::Outputs outputs_;
  Places places_;
  std::vector<std::size_t> mine_;  ///< numbers of the recordings of this process's share
  std::size_t done_ = 0;           ///< of them
  bool labels_known_ = false;
  bool labels_wanted_ = false;  ///< --labels is given, so that the first frame must have labels
  ReplayReport report_;
  std::optional<LabelledBag> bag_;
  Showing showing_;
  io::InterruptGuard interrupt_;
  io::ProgressLine progress_;
  io::Stopwatch running_;
};

}  // namespace

ReplayOutcome replay(const ReplayOptions& options,
                     std::shared_ptr<const perception::Recogniser> recogniser) {
  return Player(options, std::move(recogniser)).play();
}

}  // namespace pointtree::cli
