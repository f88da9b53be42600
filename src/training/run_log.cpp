// SPDX-License-Identifier: Apache-2.0
#include "training/run_log.hpp"

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "io/file_bytes.hpp"
#include "training/chart.hpp"

namespace pointtree::training {

namespace {

// The columns of each log, in file order: one table for CSV reading, CSV writing and JSON.
template <typename Visit>
void visit_columns(StepRecord& r, Visit&& visit) {
  visit("step", r.step);
  visit("epoch", r.epoch);
  visit("hours", r.hours);
  visit("learning_rate", r.learning_rate);
  visit("loss", r.loss);
  visit("accuracy", r.accuracy);
  visit("clouds_per_second", r.clouds_per_second);
  visit("wait_share", r.wait_share);
}

template <typename Visit>
void visit_columns(ValidationRecord& r, Visit&& visit) {
  visit("step", r.step);
  visit("epoch", r.epoch);
  visit("hours", r.hours);
  visit("loss", r.loss);
  visit("overall_accuracy", r.overall_accuracy);
  visit("mean_class_accuracy", r.mean_class_accuracy);
  visit("mean_iou", r.mean_iou);
  visit("score", r.score);
  visit("best", r.best);
}

template <typename Record>
std::string header() {
  std::string line;
  Record record;
  visit_columns(record, [&](const char* name, auto&) {
    line += (line.empty() ? "" : ",") + std::string(name);
  });
  return line;
}

template <typename Record>
std::string csv_line(Record record) {
  std::ostringstream line;
  line.precision(9);
  const char* separator = "";
  visit_columns(record, [&](const char*, auto& value) {
    line << separator << value;
    separator = ",";
  });
  return line.str();
}

template <typename Record>
std::vector<Record> read_csv(const std::filesystem::path& path, std::int64_t last_step) {
  std::vector<Record> records;
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line)) return records;
  if (line != header<Record>()) {
    throw std::runtime_error(path.string() + ": expected the columns " + header<Record>() +
                             ", found " + line);
  }
  while (std::getline(file, line)) {
    std::istringstream cells(line);
    Record record;
    bool complete = true;
    visit_columns(record, [&](const char*, auto& value) {
      std::string cell;
      complete = complete && std::getline(cells, cell, ',') && (std::istringstream(cell) >> value);
    });
    // A killed run may leave half a line; it belongs to steps after the checkpoint and is made
    // again.
    if (!complete || record.step > last_step) break;
    records.push_back(record);
  }
  return records;
}

template <typename Record>
void write_csv(const std::filesystem::path& path, const std::vector<Record>& records) {
  std::ofstream file(path, std::ios::trunc);
  file << header<Record>() << '\n';
  for (const auto& record : records) file << csv_line(record) << '\n';
  if (!file.flush()) throw std::runtime_error("cannot write " + path.string());
}

template <typename Record>
void append_csv(const std::filesystem::path& path, const Record& record) {
  std::ofstream file(path, std::ios::app);
  file << csv_line(record) << '\n';
  if (!file.flush()) throw std::runtime_error("cannot write " + path.string());
}

template <typename Record>
nlohmann::ordered_json as_json(const std::vector<Record>& records) {
  auto list = nlohmann::ordered_json::array();
  for (auto record : records) {
    nlohmann::ordered_json entry;
    visit_columns(record, [&](const char* name, auto& value) { entry[name] = value; });
    list.push_back(std::move(entry));
  }
  return list;
}

template <typename Record, typename X, typename Y>
training::ChartSeries series(const char* name, const std::vector<Record>& records, X x, Y y,
                             bool markers) {
  training::ChartSeries line;
  line.name = name;
  line.markers = markers;
  for (const auto& record : records) {
    line.x.push_back(record.*x);
    line.y.push_back(record.*y);
  }
  return line;
}

}  // namespace

RunLog::RunLog(std::filesystem::path folder, std::int64_t step)
    : folder_(std::move(folder)),
      steps_(read_csv<StepRecord>(folder_ / "steps.csv", step)),
      validations_(read_csv<ValidationRecord>(folder_ / "validation.csv", step)) {
  write_csv(folder_ / "steps.csv", steps_);
  write_csv(folder_ / "validation.csv", validations_);
}

void RunLog::append(const StepRecord& record) {
  append_csv(folder_ / "steps.csv", record);
  steps_.push_back(record);
}

void RunLog::append(const ValidationRecord& record) {
  append_csv(folder_ / "validation.csv", record);
  validations_.push_back(record);
}

void RunLog::write_json() const {
  nlohmann::ordered_json document;
  document["steps"] = as_json(steps_);
  document["validations"] = as_json(validations_);
  io::write_file(folder_ / "log.json", document.dump(1) + "\n");
}

void RunLog::draw_curves() const {
  training::LineChart loss{"Loss", "epoch", "cross-entropy"};
  loss.series = {
      series("training", steps_, &StepRecord::epoch, &StepRecord::loss, false),
      series("validation", validations_, &ValidationRecord::epoch, &ValidationRecord::loss, true)};
  training::LineChart accuracy{
      "Overall accuracy", "hours", "share of right decisions", {}, 0.0, 1.0};
  accuracy.series = {series("training", steps_, &StepRecord::hours, &StepRecord::accuracy, false),
                     series("validation", validations_, &ValidationRecord::hours,
                            &ValidationRecord::overall_accuracy, true)};
  training::LineChart rate{"Learning rate", "step", "rate"};
  training::ChartSeries rates;
  for (const auto& record : steps_) {
    rates.x.push_back(static_cast<double>(record.step));
    rates.y.push_back(record.learning_rate);
  }
  rate.series = {rates};
  training::draw_line_charts({loss, accuracy, rate}, folder_ / "curves.png");
}

}  // namespace pointtree::training
