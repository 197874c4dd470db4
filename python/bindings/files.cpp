#include "files.hpp"

#include <nanobind/stl/string.h>

#include <new>
#include <optional>
#include <string>

#include "base/text.hpp"
#include "csv/csv_output.hpp"
#include "frr/frr.hpp"
#include "io/file_writer.hpp"

namespace nb = nanobind;

namespace frr::python {
using namespace internal;
namespace {

// A file that Python writes through a descriptor and that replaces its target in one step.
class FileReplacement {
 public:
  explicit FileReplacement(const std::string& path) { writer_.emplace(path); }

  [[nodiscard]] int fileno() const {
    if (!writer_) fail_usage("the file is finished");
    return writer_->descriptor();
  }
  void commit() {
    if (!writer_) fail_usage("the file is finished");
    {
      const nb::gil_scoped_release no_gil;
      writer_->finish();
    }
    writer_.reset();
  }
  void abandon() { writer_.reset(); }

 private:
  std::optional<FileWriter> writer_;  // none once it is finished
};

}  // namespace

void add_files(nb::module_& module) {
  nb::class_<FileReplacement>(module, "FileReplacement")
      .def(
          "__init__",
          [](FileReplacement* self, const nb::bytes& path) {
            new (self) FileReplacement(std::string(path.c_str(), path.size()));
          },
          nb::arg("path"))
      .def("fileno", &FileReplacement::fileno)
      .def("commit", &FileReplacement::commit)
      .def("abandon", &FileReplacement::abandon);
  module.def("write_file", [](const std::string& path, const nb::bytes& content) {
    write_file(path, {content.c_str(), content.size()});
  });
  module.def("shortest", [](double value) { return shortest(value); });
  module.def("csv_field", [](const std::string& text) { return csv_field(text); });
  module.def("spreadsheet_field", [](const std::string& text) { return spreadsheet_field(text); });
}

}  // namespace frr::python
