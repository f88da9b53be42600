// SPDX-License-Identifier: Apache-2.0
#include "datasets/channel_selection.hpp"

#include <gmock/gmock.h>

#include "temporary_folder.hpp"

namespace pointtree::datasets {
namespace {

using test::error_of;
using ::testing::HasSubstr;

TEST(ChannelSelection, gives_the_named_channels_in_their_order) {
  auto rooms = [] { return open_dataset("size=1,points=64", "procedural_rooms", "train"); };
  const auto selected = with_channels(rooms(), {"size", "blue", "height"});
  EXPECT_EQ(selected->info().extra_channels, (std::vector<std::string>{"size", "blue", "height"}));
  const Example all = rooms()->at(0);
  const Example chosen = selected->at(0);
  ASSERT_EQ(chosen.extra.cols(), 3);
  EXPECT_EQ(chosen.extra.col(2), all.points.col(2)) << "heights above the floor";
  EXPECT_EQ(chosen.extra.col(0).minCoeff(), chosen.extra.col(0).maxCoeff()) << "one size";
  EXPECT_THAT(error_of([&] { with_channels(rooms(), {"ring"}); }),
              HasSubstr("channel 'ring': expected one of those of 'procedural_rooms', which has "
                        "height, red, green, blue"));
}

TEST(ChannelSelection, names_are_separated_by_commas) {
  EXPECT_EQ(channel_names("size, height"), (std::vector<std::string>{"size", "height"}));
  EXPECT_TRUE(channel_names("").empty());
}

}  // namespace
}  // namespace pointtree::datasets
