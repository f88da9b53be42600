// SPDX-License-Identifier: Apache-2.0
#include "datasets/channel_selection.hpp"

#include <gmock/gmock.h>

#include "datasets/readers.hpp"
#include "temporary_folder.hpp"

namespace pointtree::datasets {
namespace {

using test::error_of;
using ::testing::HasSubstr;

/// Blocks of rooms, said to be in random order already.
class Shuffled : public Dataset {
 public:
  explicit Shuffled(const std::string& rooms)
      : rooms_(open_dataset(rooms, "procedural_rooms", "train")) {}
  const DatasetInfo& info() const override { return rooms_->info(); }
  std::size_t size() const override { return rooms_->size(); }
  Example at(std::size_t index) const override { return rooms_->at(index); }
  bool in_random_order() const override { return true; }

 private:
  std::unique_ptr<Dataset> rooms_;
};

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

TEST(ChannelSelection, leaves_an_order_that_is_random_as_it_is) {
  const auto shuffled = [] { return std::make_unique<Shuffled>("size=1,points=64"); };
  EXPECT_TRUE(with_channels(shuffled(), {"height"})->in_random_order());
  EXPECT_TRUE(with_size(shuffled())->in_random_order());
  EXPECT_FALSE(with_size(open_dataset("size=1", "procedural_rooms", "train"))->in_random_order());
}

TEST(MixedDataset, members_in_random_order_take_turns) {
  std::vector<std::unique_ptr<Dataset>> members;
  members.push_back(std::make_unique<Shuffled>("size=2,points=64,seed=1"));
  members.push_back(std::make_unique<Shuffled>("size=4,points=64,seed=2"));
  const auto few = open_dataset("size=2,points=64,seed=1", "procedural_rooms", "train");
  const auto many = open_dataset("size=4,points=64,seed=2", "procedural_rooms", "train");
  const auto mixed = mix("rooms", std::move(members));
  EXPECT_TRUE(mixed->in_random_order());
  ASSERT_EQ(mixed->size(), 6U);
  const std::pair<const Dataset*, std::size_t> expected[] = {{many.get(), 0}, {few.get(), 0},
                                                             {many.get(), 1}, {many.get(), 2},
                                                             {few.get(), 1},  {many.get(), 3}};
  for (std::size_t i = 0; i < mixed->size(); ++i)
    EXPECT_EQ(mixed->at(i).points, expected[i].first->at(expected[i].second).points) << i;
  EXPECT_THROW(mixed->at(6), std::out_of_range);
}

TEST(ChannelSelection, names_are_separated_by_commas) {
  EXPECT_EQ(channel_names("size, height"), (std::vector<std::string>{"size", "height"}));
  EXPECT_TRUE(channel_names("").empty());
}

}  // namespace
}  // namespace pointtree::datasets
