#include "sample_batch.hpp"

#include "pointtree/geometry/sampling.hpp"

namespace pointtree::perception {

void SampleBatch::clear(std::int32_t rows, std::uint64_t seed) {
  rows_ = rows;
  seed_ = seed;
  used_ = 0;
}

void SampleBatch::add(const PointBuffer& points, const std::vector<std::uint32_t>& indices) {
  part_.clear();
  for (const std::uint32_t index : indices) part_.push_back(points[index]);
  if (used_ == samples_.size()) samples_.emplace_back();
  Sample& sample = samples_[used_++];
  // The same seed for every part: what is drawn from an object doesn't depend on its neighbours.
  sample.rows = geometry::resample(as_view(part_), rows_, seed_);
  sample.points.resize(rows_, 3);
  for (std::int32_t row = 0; row < rows_; ++row) {
    sample.points.row(row) =
        part_[static_cast<std::size_t>(sample.rows[static_cast<std::size_t>(row)])];
  }
}

std::vector<model::CloudInput> SampleBatch::inputs() const {
  std::vector<model::CloudInput> inputs;
  inputs.reserve(used_);
  for (std::size_t k = 0; k < used_; ++k) {
    model::CloudInput input{samples_[k].points};
    input.source = samples_[k].rows;
    inputs.push_back(std::move(input));
  }
  return inputs;
}

}  // namespace pointtree::perception
