#include "pointtree/training/comparison.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <stdexcept>

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
  EXPECT_NE(
      text.find(
          "1. ours, split `test`, pre-alignment canonical, 5 draws: `pointtree evaluate --seed 1`"),
      std::string::npos)
      << text;
  own.table = "unknown";
  EXPECT_THROW(comparison_markdown(paper, {own}), std::runtime_error);
}

TEST(Comparison, bad_csv_is_named_with_its_line) {
  const auto file = std::filesystem::path(::testing::TempDir()) / "pointtree_paper_scores.csv";
  std::ofstream(file) << "table,data,transform,pre_align,method,metric,percent,sigma\n"
                      << "\"a, b\",d,affine,yes,m,overall accuracy,51.1,\n"
                      << "t,d,affine,yes,m,overall accuracy,many,\n";
  try {
    read_paper_scores(file);
    FAIL() << "expected a refusal";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find(":3: expected a number, found 'many'"),
              std::string::npos);
  }
  std::filesystem::remove(file);
}

}  // namespace
}  // namespace pointtree::training
