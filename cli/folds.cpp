#include "folds.hpp"

#include <charconv>
#include <nlohmann/json.hpp>

namespace frr::cli {

void add_fold_option(Command& command, std::string& folds) {
  command.add({.name = "--folds",
               .type = "K|FILE",
               .help = "Number of folds, or a file with the fold number of each row [default: " +
                       folds + "]"},
              folds);
}

Folds read_fold_option(const std::string& text, std::size_t rows) {
  int count = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, status] = std::from_chars(text.data(), end, count);
  if (stop != end || text.empty()) {
    if (status == std::errc{} && stop != text.data() && text.find('.') == std::string::npos) {
      fail_usage("--folds " + text + ": give a whole number of at least 2, or a file");
    }
    return read_folds(text, rows);
  }
  if (status != std::errc{} || count < 2) {
    fail_usage("--folds " + text + ": give a whole number from 2 up, or a file");
  }
  return count;
}

nlohmann::ordered_json fold_json(const FoldResult& fold) {
  return {{"accuracy", fold.accuracy},
          {"train_accuracy", fold.train_accuracy},
          {"rules", fold.rules},
          {"conditions", fold.conditions},
          {"unique_conditions", fold.unique_conditions},
          {"fit_seconds", fold.fit_seconds},
          {"balanced_accuracy", fold.balanced_accuracy},
          {"auc", fold.auc},
          {"log_loss", fold.log_loss}};
}

nlohmann::ordered_json metrics_json(const MetricsReport& report, const std::string& dataset) {
  return nlohmann::ordered_json::parse(to_json(report, dataset));
}

}  // namespace frr::cli
