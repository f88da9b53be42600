// SPDX-License-Identifier: Apache-2.0
#include "training/comparison.hpp"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <tuple>

#include "io/text_lines.hpp"

namespace pointtree::training {

namespace {

// One line of CSV; quotes may enclose commas.
std::vector<std::string> csv_cells(const std::string& line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      cells.emplace_back();
    } else {
      cells.back() += c;
    }
  }
  return cells;
}

double number(const std::string& cell, const std::filesystem::path& file, int line) {
  if (const auto value = io::parse_number<double>(cell)) return *value;
  throw std::runtime_error(file.string() + ":" + std::to_string(line) +
                           ": expected a number, found '" + cell + "'");
}

// A column of a table: a transformation, with or without pre-alignment.
struct Column {
  std::string transform;
  bool pre_aligned;
  bool operator<(const Column& other) const {
    return std::tie(transform, other.pre_aligned) < std::tie(other.transform, pre_aligned);
  }
};

std::string percent(double value, const std::optional<double>& sigma) {
  char text[48];
  if (sigma) {
    std::snprintf(text, sizeof text, "%.1f ± %.2f", value, *sigma);
  } else {
    std::snprintf(text, sizeof text, "%.1f", value);
  }
  return text;
}

std::string title(const Column& column) {
  return column.transform + (column.pre_aligned ? ", pre-aligned" : ", as it is");
}

// The methods of one table in the paper's order, each with its cells.
class Table {
 public:
  void add(const std::string& method, const Column& column, const std::string& cell) {
    columns_.insert(column);
    if (cells_.find(method) == cells_.end()) methods_.push_back(method);
    auto& text = cells_[method][column];
    text += (text.empty() ? "" : "; ") + cell;
  }

  std::string markdown() const {
    std::string text = "| method |";
    std::string rule = "|---|";
    for (const auto& column : columns_) {
      text += " " + title(column) + " |";
      rule += "---|";
    }
    text += "\n" + rule + "\n";
    for (const auto& method : methods_) {
      text += "| " + method + " |";
      for (const auto& column : columns_) {
        const auto& row = cells_.at(method);
        const auto cell = row.find(column);
        text += " " + (cell == row.end() ? std::string("–") : cell->second) + " |";
      }
      text += "\n";
    }
    return text;
  }

 private:
  std::set<Column> columns_;
  std::vector<std::string> methods_;
  std::map<std::string, std::map<Column, std::string>> cells_;
};

OwnScore read_own_score(const std::filesystem::path& file) {
  std::ifstream stream(file);
  try {
    const auto text = nlohmann::json::parse(stream);
    OwnScore score;
    score.table = text.at("table").get<std::string>();
    score.label = text.at("label").get<std::string>();
    score.transform = text.at("transform").get<std::string>();
    score.pre_align = text.at("pre_align").get<std::string>();
    score.split = text.at("split").get<std::string>();
    const bool parts = text.contains("class_mean_iou");
    score.percent = 100.0 * text.at(parts ? "class_mean_iou" : "overall_accuracy").get<double>();
    score.draws = text.at("draws").get<int>();
    if (!parts && score.draws > 1) {
      score.sigma = 100.0 * text.at("overall_accuracy_sigma").get<double>();
    }
    score.command = text.at("command").get<std::string>();
    return score;
  } catch (const nlohmann::json::exception& error) {
    throw std::runtime_error(file.string() +
                             ": not a record of pointtree evaluate: " + error.what());
  }
}

}  // namespace

std::vector<PaperScore> read_paper_scores(const std::filesystem::path& csv) {
  std::ifstream stream(csv);
  std::string line;
  const std::string expected = "table,data,transform,pre_align,method,metric,percent,sigma";
  if (!std::getline(stream, line) || line != expected) {
    throw std::runtime_error(csv.string() + ": expected the columns " + expected + ", found '" +
                             line + "'");
  }
  std::vector<PaperScore> scores;
  for (int row = 2; std::getline(stream, line); ++row) {
    const auto cells = csv_cells(line);
    if (cells.size() != 8) {
      throw std::runtime_error(csv.string() + ":" + std::to_string(row) +
                               ": expected 8 cells, found " + std::to_string(cells.size()));
    }
    PaperScore score{
        cells[0], cells[2], cells[3] == "yes", cells[4], cells[5], number(cells[6], csv, row), {}};
    if (!cells[7].empty()) score.sigma = number(cells[7], csv, row);
    scores.push_back(std::move(score));
  }
  return scores;
}

std::vector<OwnScore> read_own_scores(const std::filesystem::path& folder) {
  if (!std::filesystem::is_directory(folder))
    throw std::runtime_error(folder.string() + ": not a folder");
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::vector<OwnScore> scores;
  for (const auto& file : files) scores.push_back(read_own_score(file));
  return scores;
}

std::string comparison_markdown(const std::vector<PaperScore>& paper,
                                const std::vector<OwnScore>& own) {
  std::vector<std::string> order;
  std::map<std::string, Table> tables;
  std::map<std::string, std::string> metrics;
  for (const auto& score : paper) {
    if (tables.find(score.table) == tables.end()) order.push_back(score.table);
    tables[score.table].add(score.method, {score.transform, score.pre_aligned},
                            percent(score.percent, score.sigma));
    metrics[score.table] = score.metric;
  }
  std::string notes;
  int note = 0;
  for (const auto& score : own) {
    if (tables.find(score.table) == tables.end()) {
      throw std::runtime_error("'" + score.table + "', the table of " + score.label +
                               ", is none of the paper's");
    }
    ++note;
    tables[score.table].add(
        "**" + score.label + "**", {score.transform, score.pre_align != "none"},
        "**" + percent(score.percent, score.sigma) + "** [" + std::to_string(note) + "]");
    notes += "| " + std::to_string(note) + " | " + score.label + " | " + score.split + " | " +
             score.pre_align + " | " + std::to_string(score.draws) + " | `" + score.command +
             "` |\n";
  }
  std::string text;
  for (const auto& name : order) {
    text += "### " + name + " (" + metrics[name] + ", %)\n\n" + tables[name].markdown() + "\n";
  }
  if (notes.empty()) return text + "None of our figures has been recorded yet.\n";
  return text +
         "### Commands\n\n| | label | split | pre-alignment | draws | command |\n"
         "|---|---|---|---|---|---|\n" +
         notes;
}

}  // namespace pointtree::training
