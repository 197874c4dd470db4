#include "network/gradient_sums.hpp"

#include <algorithm>
#include <cmath>

#include "base/float_mode.hpp"
#include "base/parallel.hpp"
#include "frr/error.hpp"
#include "model/column_map.hpp"
#include "shards/byte_stream.hpp"

namespace frr::internal {
namespace {

constexpr std::size_t block = 256;             // rows whose memberships are computed together
constexpr std::size_t exact_rows = 1U << 16U;  // whose sum a double holds
constexpr double membership_units = 1U << 16U;
constexpr double part_units = 1U << 20U;
constexpr double weight_parts = 1U << 16U;  // of the largest weight
constexpr double loss_units = 1U << 14U, most_loss = 64;
constexpr std::int64_t low_part = std::int64_t{1} << 32U;

// To the nearest whole number, below 2^51, without a call.
double nearest(double x) {
  constexpr double shift = 0x1.8p52;
  return (x + shift) - shift;
}

double most_part(const NetworkRule& rule) { return 4 * rule.kappa; }

// A row's weight and loss are added besides what Network::close takes.
struct Places {
  explicit Places(const Network<float>& network) : front(network.sums_size()) {}
  std::size_t front;
  [[nodiscard]] std::size_t loss() const { return front; }
  [[nodiscard]] std::size_t weight() const { return front + 1; }
  [[nodiscard]] std::size_t size() const { return front + 2; }
};

// The memberships of a block of rows, row by row.
class BlockMemberships {
 public:
  BlockMemberships(const RuleBase& base, const ColumnMap& map)
      : base_(base), map_(map), numbers_(block), rows_(block), whole_(block) {}

  void fill(std::size_t from, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) rows_[i].clear();
    std::uint32_t column = 0;
    for (std::size_t j = 0; j < base_.partition.features.size(); ++j) {
      const Feature& feature = base_.partition.features[j];
      fill_feature(static_cast<int>(j), feature, from, count, column);
      column += static_cast<std::uint32_t>(feature.labels.size());
    }
    for (std::size_t i = 0; i < count; ++i) {
      whole_[i].clear();
      for (const auto& [label, value] : rows_[i]) {
        whole_[i].push_back({label, nearest(static_cast<double>(value) * membership_units)});
      }
    }
  }

  [[nodiscard]] Entries<float> of_row(std::size_t i) const { return rows_[i]; }
  [[nodiscard]] Entries<double> units_of_row(std::size_t i) const { return whole_[i]; }

 private:
  void fill_feature(int j, const Feature& feature, std::size_t from, std::size_t count,
                    std::uint32_t first) {
    const ColumnView& column = map_.column(j);
    const bool numeric = column.type == ColumnType::numeric;
    if (numeric) column.numbers.copy_block(from, count, numbers_.data());
    for (std::size_t i = 0; i < count; ++i) {
      const bool missing = column.is_missing(from + i);
      const int category =
          numeric || missing
              ? -1
              : map_.category_labels(j)[static_cast<std::size_t>(column.codes[from + i])];
      for (std::size_t v = 0; v < feature.labels.size(); ++v) {
        const Label& label = feature.labels[v];
        float degree = 0;
        if (label.kind == LabelKind::missing) {
          degree = missing ? 1.0F : 0.0F;
        } else if (label.kind == LabelKind::category) {
          degree = category == static_cast<int>(v) ? 1.0F : 0.0F;
        } else if (numeric && !missing) {
          degree = static_cast<float>(label.shape(numbers_[i]));
        }
        if (degree > 0) rows_[i].push_back({first + static_cast<std::uint32_t>(v), degree});
      }
    }
  }

  const RuleBase& base_;
  const ColumnMap& map_;
  std::vector<double> numbers_;
  std::vector<std::vector<Entry<float>>> rows_;
  std::vector<std::vector<Entry<double>>> whole_;
};

// Adds rows up.
class GradientCounter {
 public:
  GradientCounter(const RuleBase& base, const GradientPoint& point, const Network<float>& opened,
                  const ColumnMap& map)
      : point_(point),
        network_(opened),
        places_(network_),
        memberships_(base, map),
        slots_(network_.slots_size()),
        rest_(network_.rest_size()),
        whole_slots_(slots_.size()),
        whole_rest_(rest_.size()),
        sums_(places_.size(), 0) {}

  // `sums`: two numbers a sum.
  void add(std::size_t from, std::span<const int> classes, std::span<const std::int64_t> units,
           std::span<std::int64_t> sums) {
    memberships_.fill(from, classes.size());
    const FloatMode mode(Denormals::flush);
    for (std::size_t i = 0; i < classes.size(); ++i) {
      if (classes[i] < 0) continue;
      const double share =
          units.empty() ? 1 : std::min(1.0, static_cast<double>(units[i]) / weight_parts);
      const auto weight = static_cast<float>(
          share * static_cast<double>(point_.class_weights[static_cast<std::size_t>(classes[i])]));
      add_row(i, classes[i], weight);
      if (++held_ == exact_rows) hand_on(sums);
    }
  }

  void hand_on(std::span<std::int64_t> sums) {
    for (std::size_t i = 0; i < sums_.size(); ++i) {
      const auto own = static_cast<std::int64_t>(sums_[i]);
      const std::int64_t rest = ((own % low_part) + low_part) % low_part;
      sums[2 * i] += (own - rest) / low_part;
      sums[2 * i + 1] += rest;
    }
    std::fill(sums_.begin(), sums_.end(), 0.0);
    held_ = 0;
  }

 private:
  // Cut off and rounded; what is no number counts as the least.
  void round_parts(std::span<const float> parts, std::span<double> to) const {
    const double most = most_part(point_.rule), units = part_units / most;
    for (std::size_t k = 0; k < parts.size(); ++k) {
      const auto part = static_cast<double>(parts[k]);
      const double above = part > -most ? part : -most;  // NaN, too
      to[k] = nearest((above < most ? above : most) * units);
    }
  }

  void add_row(std::size_t i, int target, float weight) {
    const float loss = network_.row_part(memberships_.of_row(i), target, weight, slots_, rest_);
    round_parts(slots_, whole_slots_);
    if (network_.collapses()) {
      collapse_backward(sums_.data(), slots_.size(), memberships_.units_of_row(i),
                        whole_slots_.data());
    } else {
      for (std::size_t k = 0; k < slots_.size(); ++k) {
        sums_[k] += whole_slots_[k] * membership_units;
      }
    }
    round_parts(rest_, whole_rest_);
    double* const rest = sums_.data() + places_.front - rest_.size();
    for (std::size_t k = 0; k < rest_.size(); ++k) rest[k] += whole_rest_[k];
    sums_[places_.loss()] += nearest(std::min(static_cast<double>(loss), most_loss) * loss_units);
    sums_[places_.weight()] += nearest(static_cast<double>(weight) * part_units);
  }

  const GradientPoint& point_;
  Network<float> network_;
  Places places_;
  BlockMemberships memberships_;
  std::vector<float> slots_, rest_;
  std::vector<double> whole_slots_, whole_rest_;
  std::vector<double> sums_;  // of the last `held_` rows
  std::size_t held_ = 0;
};

Network<float> network_of(const RuleBase& base, const GradientPoint& point) {
  return {network_shape(base.partition, base.classes.size(), point.rules, point.slots), point.rule};
}

}  // namespace

NetworkShape network_shape(const Partition& partition, std::size_t classes, std::size_t rules,
                           std::size_t slots) {
  NetworkShape shape;
  shape.rules = rules;
  shape.slots = slots;
  shape.classes = classes;
  for (const Feature& feature : partition.features) {
    shape.first.push_back(shape.first.back() + feature.labels.size());
  }
  return shape;
}

std::size_t packed_size(const RuleBase& base, const GradientPoint& point) {
  return network_of(base, point).packed_size();
}

std::size_t gradient_sums_size(const RuleBase& base, const GradientPoint& point) {
  return 2 * Places(network_of(base, point)).size();
}

std::vector<std::int64_t> gradient_sums(const RuleBase& base, const GradientPoint& point,
                                        const ColumnMap& map, std::span<const int> classes,
                                        std::span<const std::int64_t> units, int threads) {
  Network<float> network = network_of(base, point);
  {
    const FloatMode mode(Denormals::flush);
    network.open(point.parameters, point.point);
  }
  const std::size_t blocks = (classes.size() + block - 1) / block;
  const std::size_t tasks = std::clamp<std::size_t>(blocks / 16, 1, thread_count(threads));
  std::vector<std::vector<std::int64_t>> sums(tasks);
  parallel_for(threads, tasks, [&](std::size_t task) {
    GradientCounter counter(base, point, network, map);
    sums[task].assign(2 * Places(network).size(), 0);
    for (std::size_t b = task * blocks / tasks; b < (task + 1) * blocks / tasks; ++b) {
      const std::size_t from = b * block, count = std::min(block, classes.size() - from);
      counter.add(from, classes.subspan(from, count),
                  units.empty() ? units : units.subspan(from, count), sums[task]);
    }
    counter.hand_on(sums[task]);
  });
  for (std::size_t task = 1; task < tasks; ++task) {
    for (std::size_t i = 0; i < sums[0].size(); ++i) sums[0][i] += sums[task][i];
  }
  return std::move(sums[0]);
}

double gradient_of_sums(Network<float>& network, const GradientPoint& point,
                        std::span<const std::int64_t> sums, std::span<float> gradient) {
  const Places places(network);
  if (sums.size() != 2 * places.size()) {
    fail_answer("its gradient is of another network");
  }
  // The two numbers depend on how the rows were grouped, what they stand for does not.
  const auto sum = [&](std::size_t i) {
    const std::int64_t carried = sums[2 * i] + sums[2 * i + 1] / low_part;
    return static_cast<double>(carried) * static_cast<double>(low_part) +
           static_cast<double>(sums[2 * i + 1] % low_part);
  };
  const double weight = sum(places.weight()) / part_units;
  if (!(weight > 0)) fail_answer("its gradient is of rows that weigh nothing");
  const double unit = most_part(point.rule) / part_units / weight;
  std::vector<float> parts(places.front);
  const std::size_t rest = places.front - network.rest_size();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    parts[i] = static_cast<float>(sum(i) * (i < rest ? unit / membership_units : unit));
  }
  const FloatMode mode(Denormals::flush);
  network.open(point.parameters, point.point);
  const double loss = sum(places.loss()) / loss_units / weight;
  const auto closed = static_cast<double>(network.close(parts, static_cast<float>(loss), gradient));
  const bool finite =
      std::all_of(gradient.begin(), gradient.end(), [](float x) { return std::isfinite(x); });
  if (!finite || !std::isfinite(closed)) fail_answer("its gradient is not finite");
  return closed;
}

}  // namespace frr::internal
