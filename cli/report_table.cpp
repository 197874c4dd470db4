#include "report_table.hpp"

#include <algorithm>

#include "base/visible_text.hpp"
#include "terminal.hpp"

namespace frr::cli {
using namespace internal;
namespace {

constexpr std::size_t cell_width = 10;

// Characters, not bytes.
std::size_t length(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

std::string fold_line(const std::string& name, const FoldResult& fold, int digits) {
  return right(name, 6) + right(fixed(fold.accuracy, 2), cell_width) +
         right(fixed(fold.balanced_accuracy, 2), cell_width) +
         right(fixed(fold.train_accuracy, 2), cell_width) +
         right(fixed(fold.rules, digits), cell_width) +
         right(fixed(fold.conditions, digits), cell_width) +
         right(fixed(fold.unique_conditions, digits), cell_width) +
         right(fixed(fold.fit_seconds, 2), cell_width) + "\n";
}

}  // namespace

std::string right(const std::string& text, std::size_t width) {
  const std::string shown = visible_text(text);
  return std::string(width > length(shown) ? width - length(shown) : 0, ' ') + shown;
}

std::string data_line(const std::string& dataset, std::size_t rows, std::size_t features,
                      std::size_t classes) {
  return dataset + ": " + counted(static_cast<double>(rows), "row") + ", " +
         counted(static_cast<double>(features), "feature") + ", " + std::to_string(classes) +
         " classes";
}

std::string fold_table(const CrossValidation& result) {
  std::string header = right("fold", 6);
  for (const char* title :
       {"accuracy", "balanced", "train", "rules", "size", "unique", "seconds"}) {
    header += right(title, cell_width);
  }
  std::string text = data_line(result.dataset, result.rows, result.features, result.classes) +
                     "\n\n" + bold(header) + "\n";
  for (std::size_t k = 0; k < result.folds.size(); ++k) {
    text += fold_line(std::to_string(k + 1), result.folds[k], 0);
  }
  return text + fold_line("mean", result.mean, 1) + fold_line("+-", result.deviation, 1);
}

std::string confusion_table(const CrossValidation& result) {
  constexpr std::size_t most = 12;
  if (result.confusion.empty() || result.confusion.size() > most) return "";
  std::size_t width = cell_width;
  for (const std::string& name : result.class_names)
    width = std::max(width, length(visible_text(name)) + 2);
  std::string header = right("true \\ predicted", std::max<std::size_t>(width, 18));
  const std::size_t first = header.size();
  for (const std::string& name : result.class_names) header += right(name, width);
  std::string text = "\n" + bold(header) + "\n";
  for (std::size_t c = 0; c < result.confusion.size(); ++c) {
    text += right(result.class_names[c], first);
    for (const std::size_t count : result.confusion[c]) text += right(std::to_string(count), width);
    text += "\n";
  }
  return text;
}

}  // namespace frr::cli
