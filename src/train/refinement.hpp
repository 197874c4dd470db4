// Polish and tuning of the rules of one candidate.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/control.hpp"
#include "base/random.hpp"
#include "labels/membership.hpp"
#include "network/trainer.hpp"
#include "search/search.hpp"
#include "search/tune.hpp"
#include "train/candidate.hpp"

namespace frr::internal {

class Refinement {
 public:
  // Starts from the rules and the partition of `from`; `memberships`: of task.rows in it.
  Refinement(const Task& task, Candidate from, Memberships memberships, std::uint64_t seed,
             int threads);
  Refinement(const Refinement&) = delete;
  Refinement& operator=(const Refinement&) = delete;

  // Records how often the rules, as they are, agree with the network that they come from.
  void compare_with_network(std::span<const HardRule> hard);

  // Return whether they changed anything.
  bool polish_rules(Control& control);
  bool tune_borders(Control& control);
  void alternate(Control& control);  // both in turn

  Candidate finish(Control& control);

 private:
  const Task& task_;
  Candidate result_;
  Memberships memberships_;
  Search search_;
  Random random_;
  TuneInput input_;
  int threads_;
};

// Extracts the rules from a trained network and refines them. `classes`: those that gradient
// descent saw.
Candidate extract_and_refine(const Task& task, const Training& training,
                             std::span<const int> classes, Memberships memberships,
                             std::uint64_t seed, int threads, Control& control);

}  // namespace frr::internal
