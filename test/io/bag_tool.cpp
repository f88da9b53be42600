// SPDX-License-Identifier: Apache-2.0

// Lets the Python tests look at bags with our eyes:
//   bag_tool dump <bag>                       one line per message: log time, publish time, topic,
//   type, size, CRC-32 bag_tool copy <bag> <bag> <compression>   writes every message of a bag into
//   a new one
#include <zlib.h>

#include <cstring>
#include <iostream>
#include <map>
#include <string>

#include "pointtree/io/bag.hpp"
#include "pointtree/io/bag_writer.hpp"

namespace {

using namespace pointtree::io;  // NOLINT(google-build-using-namespace): a program of one file

void dump(const std::string& path) {
  const auto bag = open_bag(path);
  while (const auto message = bag->next()) {
    std::cout << message->log_time << '\t' << message->publish_time << '\t' << message->topic
              << '\t' << message->type << '\t' << message->data.size << '\t'
              << crc32_z(0, message->data.data, message->data.size) << '\n';
  }
  const BagReport& report = bag->report();
  std::cerr << "indexed " << report.indexed << " truncated " << report.truncated << " recovered "
            << report.recovered << " damaged " << report.damaged_chunks << " lost "
            << report.lost_messages << '\n';
}

BagCompression compression(const std::string& name) {
  if (name == "lz4") return BagCompression::lz4;
  return name == "zstd" ? BagCompression::zstd : BagCompression::none;
}

void copy(const std::string& from, const std::string& to, const std::string& packed) {
  const auto bag = open_bag(from);
  BagWriter writer(to, {compression(packed), 64 << 10});
  std::map<std::string, std::size_t, std::less<>> numbers;
  for (const auto& topic : bag->topics()) numbers[topic.name] = writer.add_topic(topic);
  while (const auto message = bag->next()) {
    writer.write(numbers.find(message->topic)->second, message->log_time, message->data,
                 message->publish_time);
  }
  writer.close();
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc == 3 && std::strcmp(argv[1], "dump") == 0) {
      dump(argv[2]);
    } else if (argc == 5 && std::strcmp(argv[1], "copy") == 0) {
      copy(argv[2], argv[3], argv[4]);
    } else {
      std::cerr << "usage: bag_tool dump <bag> | copy <bag> <bag> none|lz4|zstd\n";
      return 2;
    }
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
  return 0;
}
