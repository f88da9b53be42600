// SPDX-License-Identifier: Apache-2.0
#include "training/comparison.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <stdexcept>

#include "temporary_folder.hpp"

namespace pointtree::training {
namespace {

TEST(Comparison, our_cell_stands_in_the_papers_column_with_its_command) {
  const std::vector<PaperScore> paper{
      {"affine", "affine", true, "PointNet", "overall accuracy", 51.1, {}},
      {"affine", "affine", false, "PointNet", "overall accuracy", 32.6, 0.5}};
  OwnScore own;
  own.table = "affine";
  own.label = "ours";
  own.transform = "affine";
  own.pre_align = "canonical";
  own.split = "test";
  own.percent = 86.25;
  own.sigma = 0.31;
  own.draws = 5;
  own.command = "pointtree evaluate --seed 1";
  const auto text = comparison_markdown(paper, {own});
  EXPECT_NE(text.find("| method | affine, pre-aligned | affine, as it is |"), std::string::npos)
      << text;
  EXPECT_NE(text.find("| PointNet | 51.1 | 32.6 ± 0.50 |"), std::string::npos) << text;
  EXPECT_NE(text.find("| **ours** | **86.2 ± 0.31** [1] | – |"), std::string::npos) << text;
  EXPECT_NE(text.find("| 1 | ours | test | canonical | 5 | `pointtree evaluate --seed 1` |"),
            std::string::npos)
      << text;
  own.table = "unknown";
  EXPECT_THROW(comparison_markdown(paper, {own}), std::runtime_error);
}

TEST(Comparison, draws_that_all_agree_have_a_spread_and_a_single_one_has_none) {
  const test::TemporaryFolder folder;
  const auto record = [&](const char* name, int draws) {
    std::ofstream(folder / name) << R"({"table": "t", "label": "ours", "transform": "affine",
      "pre_align": "canonical", "split": "test", "overall_accuracy": 0.5,
      "overall_accuracy_sigma": 0.0, "command": "c", "draws": )"
                                 << draws << "}";
  };
  record("a.json", 10);
  record("b.json", 1);
  const auto scores = read_own_scores(folder.path());
  ASSERT_EQ(scores.size(), 2U);
  const std::vector<PaperScore> paper{{"t", "affine", true, "m", "overall accuracy", 1.0, {}}};
  const auto cell = [&](const OwnScore& score) { return comparison_markdown(paper, {score}); };
  EXPECT_NE(cell(scores[0]).find("| **50.0 ± 0.00** [1] |"), std::string::npos);
  EXPECT_NE(cell(scores[1]).find("| **50.0** [1] |"), std::string::npos);
}

TEST(Comparison, bad_csv_is_named_with_its_line) {
  const test::TemporaryFolder folder;
  const auto file = folder.write("scores.csv",
                                 "table,data,transform,pre_align,method,metric,percent,sigma\n"
                                 "\"a, b\",d,affine,yes,m,overall accuracy,51.1,\n"
                                 "t,d,affine,yes,m,overall accuracy,many,\n");
  EXPECT_NE(
      test::error_of([&] { read_paper_scores(file); }).find(":3: expected a number, found 'many'"),
      std::string::npos);
}

}  // namespace
}  // namespace pointtree::training
