#include "labels/membership.hpp"

#include <algorithm>

#include "base/huge_pages.hpp"
#include "base/parallel.hpp"

namespace frr::internal {

void fill_memberships(std::span<float> out, const Label& label, const Column& column,
                      std::span<const std::uint32_t> rows) {
  if (label.kind == LabelKind::missing) {
    for (std::size_t i = 0; i < rows.size(); ++i) out[i] = column.is_missing(rows[i]) ? 1.0F : 0.0F;
    return;
  }
  if (label.kind == LabelKind::range) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      out[i] = static_cast<float>(label.shape(column.values[rows[i]]));
    }
    return;
  }
  const auto found = std::find(column.categories.begin(), column.categories.end(), label.name);
  const auto code = static_cast<std::int32_t>(found - column.categories.begin());
  for (std::size_t i = 0; i < rows.size(); ++i)
    out[i] = column.codes[rows[i]] == code ? 1.0F : 0.0F;
}

Memberships::Memberships(const Partition& partition, const Table& table,
                         std::span<const std::uint32_t> rows, int threads)
    : rows_(rows.size()) {
  first_.push_back(0);
  for (std::size_t j = 0; j < partition.features.size(); ++j) {
    first_.push_back(first_.back() + partition.features[j].labels.size());
    feature_.resize(first_.back(), j);
  }
  reserve_large_pages(values_, labels() * rows_);
  values_.resize(labels() * rows_);
  parallel_for(threads, features(), [&](std::size_t j) {
    refresh(partition.features[j], j, *table.find(partition.features[j].name), rows);
  });
}

void Memberships::refresh(const Feature& feature, std::size_t j, const Column& column,
                          std::span<const std::uint32_t> rows, int threads) {
  parallel_blocks(threads, rows_, block_rows, [&](std::size_t from, std::size_t to) {
    for (std::size_t v = 0; v < feature.labels.size(); ++v) {
      fill_memberships({values_.data() + (first_[j] + v) * rows_ + from, to - from},
                       feature.labels[v], column, rows.subspan(from, to - from));
    }
  });
}

template <typename Scalar>
SparseRows<Scalar> sparse_rows(const Memberships& memberships, std::size_t n, int threads) {
  SparseRows<Scalar> sparse;
  sparse.start.assign(n + 1, 0);
  parallel_blocks(threads, n, block_rows, [&](std::size_t from, std::size_t to) {
    for (std::size_t d = 0; d < memberships.labels(); ++d) {
      const auto column = memberships.column(d);
      for (std::size_t i = from; i < to; ++i) sparse.start[i + 1] += column[i] > 0 ? 1 : 0;
    }
  });
  for (std::size_t i = 0; i < n; ++i) sparse.start[i + 1] += sparse.start[i];
  reserve_large_pages(sparse.entries, sparse.start[n]);
  sparse.entries.resize(sparse.start[n]);
  parallel_blocks(threads, n, block_rows, [&](std::size_t from, std::size_t to) {
    std::vector<std::size_t> next(sparse.start.begin() + static_cast<std::ptrdiff_t>(from),
                                  sparse.start.begin() + static_cast<std::ptrdiff_t>(to));
    for (std::size_t d = 0; d < memberships.labels(); ++d) {
      const auto column = memberships.column(d);
      for (std::size_t i = from; i < to; ++i) {
        if (!(column[i] > 0)) continue;
        sparse.entries[next[i - from]++] = {static_cast<std::uint32_t>(d),
                                            static_cast<Scalar>(column[i])};
      }
    }
  });
  return sparse;
}

template SparseRows<float> sparse_rows<float>(const Memberships&, std::size_t, int);
template SparseRows<double> sparse_rows<double>(const Memberships&, std::size_t, int);

}  // namespace frr::internal
