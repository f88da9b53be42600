// SPDX-License-Identifier: Apache-2.0
#include "simulation/triangle_mesh.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "io/file_bytes.hpp"
#include "io/text_lines.hpp"
#include "pointtree/io/read_limits.hpp"

namespace pointtree::simulation {

TriangleMesh& TriangleMesh::operator+=(const TriangleMesh& other) {
  const auto offset = static_cast<int>(vertices.size());
  vertices.insert(vertices.end(), other.vertices.begin(), other.vertices.end());
  triangles.reserve(triangles.size() + other.triangles.size());
  for (const Eigen::Vector3i& triangle : other.triangles) {
    triangles.emplace_back(triangle.array() + offset);
  }
  return *this;
}

TriangleMesh transformed(const TriangleMesh& mesh, const Eigen::Affine3f& map) {
  TriangleMesh result = mesh;
  for (Eigen::Vector3f& vertex : result.vertices) vertex = map * vertex;
  return result;
}

Eigen::AlignedBox3f bounds(const TriangleMesh& mesh) {
  Eigen::AlignedBox3f box;
  for (const Eigen::Vector3f& vertex : mesh.vertices) box.extend(vertex);
  return box;
}

SurfaceSample sample_surface(const TriangleMesh& mesh, std::int32_t count,
                             geometry::Random& random) {
  const auto corner = [&](std::size_t triangle, int which) {
    return mesh.vertices[mesh.triangles[triangle][which]].cast<double>().eval();
  };
  std::vector<double> area_up_to;
  area_up_to.reserve(mesh.triangles.size());
  double total = 0.0;
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    const Eigen::Vector3d a = corner(i, 0);
    total += 0.5 * (corner(i, 1) - a).cross(corner(i, 2) - a).norm();
    area_up_to.push_back(total);
  }
  if (!(total > 0.0) || !std::isfinite(total))
    throw std::invalid_argument("mesh has no area to sample");

  SurfaceSample sample;
  sample.points.resize(count, 3);
  sample.triangles.reserve(static_cast<std::size_t>(count));
  for (std::int32_t i = 0; i < count; ++i) {
    const double at = random.uniform(0.0, total);
    const auto found =
        std::upper_bound(area_up_to.begin(), area_up_to.end(), at) - area_up_to.begin();
    const auto triangle = std::min(static_cast<std::size_t>(found), mesh.triangles.size() - 1);
    // The square root makes the pair uniform over the triangle.
    const double along = std::sqrt(random.uniform());
    const double across = random.uniform();
    const Eigen::Vector3d point = (1.0 - along) * corner(triangle, 0) +
                                  along * (1.0 - across) * corner(triangle, 1) +
                                  along * across * corner(triangle, 2);
    sample.points.row(i) = point.cast<float>();
    sample.triangles.push_back(static_cast<std::int32_t>(triangle));
  }
  return sample;
}

namespace {

constexpr int kMaximumCorners = 1 << 16;

// The words of an OFF file; comments run from # to the end of the line.
class OffWords {
 public:
  OffWords(const std::filesystem::path& path, std::string_view text) : path_(path), lines_(text) {}

  [[noreturn]] void fail(const std::string& expected, const std::string& found) const {
    throw std::runtime_error(path_.string() + ":" + std::to_string(line_) + ": expected " +
                             expected + ", found " + found);
  }

  std::string_view word(const std::string& expected) {
    for (;;) {
      if (const auto word = words_.next_word()) return *word;
      const auto line = lines_.next_line();
      if (!line) fail(expected, "the end of the file");
      ++line_;
      words_ = io::TextScanner(line->substr(0, line->find('#')));
    }
  }

  // Whatever stands behind in the current line, such as colours, is not wanted.
  void skip_line() { words_ = io::TextScanner({}); }

  template <typename T>
  T number(const std::string& expected) {
    const std::string_view text = word(expected);
    const auto value = io::parse_number<T>(text);
    if (!value) fail(expected, "'" + std::string(text.substr(0, 40)) + "'");
    return *value;
  }

 private:
  const std::filesystem::path& path_;
  io::TextScanner lines_;
  io::TextScanner words_{std::string_view()};
  std::size_t line_ = 0;
};

std::uint64_t vertex_count(OffWords& words) {
  const std::string_view magic = words.word("OFF");
  if (magic.substr(0, 3) != "OFF") words.fail("OFF", "'" + std::string(magic.substr(0, 40)) + "'");
  if (magic.size() == 3) return words.number<std::uint64_t>("the number of vertices");
  const auto count = io::parse_number<std::uint64_t>(magic.substr(3));
  if (!count) words.fail("the number of vertices", "'" + std::string(magic.substr(3, 40)) + "'");
  return *count;
}

void read_face(OffWords& words, TriangleMesh& mesh) {
  const int corners = words.number<int>("the number of a face's corners");
  if (corners < 1 || corners > kMaximumCorners)
    words.fail("a face's corners", std::to_string(corners));
  int first = 0;
  int previous = 0;
  for (int i = 0; i < corners; ++i) {
    const int index = words.number<int>("the index of a vertex");
    if (index < 0 || static_cast<std::size_t>(index) >= mesh.vertices.size()) {
      words.fail("an index below " + std::to_string(mesh.vertices.size()), std::to_string(index));
    }
    if (i == 0) first = index;
    if (i >= 2) mesh.triangles.emplace_back(first, previous, index);
    previous = index;
  }
  words.skip_line();
}

}  // namespace

TriangleMesh read_off(const std::filesystem::path& path) {
  const io::Bytes bytes = io::read_file(path, io::ReadLimits{}.max_file_bytes);
  OffWords words(path, io::ByteView(bytes).text());
  const std::uint64_t vertices = vertex_count(words);
  const auto faces = words.number<std::uint64_t>("the number of faces");
  words.skip_line();
  // A vertex takes at least six characters, a face four: what can't be in the file isn't allocated.
  if (vertices > bytes.size() / 6 + 1 || faces > bytes.size() / 4 + 1) {
    words.fail("as many vertices and faces as fit into the file",
               std::to_string(vertices) + " and " + std::to_string(faces));
  }
  TriangleMesh mesh;
  mesh.vertices.reserve(vertices);
  for (std::uint64_t i = 0; i < vertices; ++i) {
    Eigen::Vector3f vertex;
    for (int k = 0; k < 3; ++k) vertex[k] = words.number<float>("a coordinate");
    if (!vertex.allFinite()) words.fail("finite coordinates", "others");
    mesh.vertices.push_back(vertex);
    words.skip_line();
  }
  for (std::uint64_t i = 0; i < faces; ++i) read_face(words, mesh);
  return mesh;
}

}  // namespace pointtree::simulation
