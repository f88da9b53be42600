// SPDX-License-Identifier: Apache-2.0
#include "io/outputs.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <stdexcept>

#include "io/name_list.hpp"
#include "temporary_folder.hpp"

namespace pointtree::io {
namespace {

namespace fs = std::filesystem;
using test::content_of;

void write(const fs::path& path, const std::string& text) { std::ofstream(path) << text; }

bool any_name(const fs::path&) { return true; }

class OutputsTest : public ::testing::Test {
 protected:
  std::size_t entries() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator()));
  }

  test::TemporaryFolder folder_;
};

TEST_F(OutputsTest, appear_with_the_commit_and_not_before) {
  Outputs outputs(false, {});
  write(outputs.file(folder_ / "a"), "new");
  write(outputs.folder(folder_ / "b", any_name) / "c", "new");
  EXPECT_FALSE(fs::exists(folder_ / "a"));
  EXPECT_FALSE(fs::exists(folder_ / "b"));
  outputs.commit();
  EXPECT_EQ(content_of(folder_ / "a"), "new");
  EXPECT_EQ(content_of(folder_ / "b" / "c"), "new");
  EXPECT_EQ(entries(), 2U);
}

TEST_F(OutputsTest, leave_nothing_without_a_commit) {
  {
    Outputs outputs(false, {});
    write(outputs.file(folder_ / "a"), "half");
    outputs.folder(folder_ / "b", any_name);
  }
  EXPECT_EQ(entries(), 0U);
}

TEST_F(OutputsTest, replace_folders_as_a_whole) {
  fs::create_directory(folder_ / "b");
  write(folder_ / "b" / "old", "old");
  Outputs outputs(true, {});
  write(outputs.folder(folder_ / "b", any_name) / "new", "new");
  EXPECT_EQ(content_of(folder_ / "b" / "old"), "old");
  outputs.commit();
  EXPECT_FALSE(fs::exists(folder_ / "b" / "old"));
  EXPECT_EQ(content_of(folder_ / "b" / "new"), "new");
  EXPECT_EQ(entries(), 1U);
}

TEST_F(OutputsTest, keep_a_file_that_appeared_meanwhile) {
  Outputs outputs(false, {});
  write(outputs.file(folder_ / "a"), "mine");
  write(folder_ / "a", "somebody else's");
  EXPECT_THROW(outputs.commit(), std::runtime_error);
  EXPECT_EQ(content_of(folder_ / "a"), "somebody else's");
}

TEST_F(OutputsTest, refuse_what_would_be_lost) {
  write(folder_ / "a", "input");
  fs::create_symlink(folder_ / "a", folder_ / "link");
  fs::create_directory(folder_ / "b");
  write(folder_ / "b" / "letter", "dear");
  Outputs careful(false, {});
  EXPECT_THROW(careful.file(folder_ / "a"), std::runtime_error);
  EXPECT_THROW(careful.folder(folder_ / "b", any_name), std::runtime_error);
  EXPECT_THROW(careful.file(folder_ / "b"), std::runtime_error);
  EXPECT_THROW(careful.folder(folder_ / "a", any_name), std::runtime_error);
  Outputs bold(true, {folder_ / "a"});
  EXPECT_THROW(bold.file(folder_ / "a"), std::runtime_error);
  EXPECT_THROW(bold.file(folder_ / "link"), std::runtime_error);
  EXPECT_THROW(bold.folder(folder_.path(), any_name), std::runtime_error) << "holds the input";
  EXPECT_THROW(bold.folder(folder_ / "b", [](const fs::path& name) { return name != "letter"; }),
               std::runtime_error);
  EXPECT_NO_THROW(bold.file(folder_ / "new"));
  EXPECT_THROW(bold.file(folder_ / "b" / ".." / "new"), std::runtime_error) << "claimed twice";
}

TEST_F(OutputsTest, go_through_links_to_where_they_point) {
  fs::create_directory(folder_ / "b");
  fs::create_symlink("b/there", folder_ / "link");
  Outputs outputs(false, {});
  write(outputs.file(folder_ / "link"), "new");
  outputs.commit();
  EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
  EXPECT_EQ(content_of(folder_ / "b" / "there"), "new");
}

TEST_F(OutputsTest, are_readable_by_others) {
  Outputs outputs(false, {});
  write(outputs.folder(folder_ / "b", any_name) / "c", "new");
  outputs.commit();
  struct stat status {};
  ASSERT_EQ(stat((folder_ / "b").c_str(), &status), 0);
  EXPECT_NE(status.st_mode & S_IROTH, 0U);
}

TEST(split, gives_the_parts_between_marks_without_blanks) {
  const std::vector<std::string> names = {"traffic sign", "", "car"};
  EXPECT_EQ(split("traffic sign , ,car", ','), names);
  EXPECT_EQ(split("car,", ','), std::vector<std::string>{"car"});
  EXPECT_TRUE(split("", ',').empty());
  EXPECT_EQ(joined(names), "traffic sign, , car");
}

TEST(did_you_mean, names_the_nearest_word_or_nothing) {
  const std::vector<std::string> known{"replay", "simulate", "model"};
  EXPECT_EQ(did_you_mean("repaly", known), "; did you mean 'replay'?");
  EXPECT_EQ(did_you_mean("Model", known), "; did you mean 'model'?");
  EXPECT_EQ(did_you_mean("frobnicate", known), "");
  EXPECT_EQ(did_you_mean("", {}), "");
}

}  // namespace
}  // namespace pointtree::io
