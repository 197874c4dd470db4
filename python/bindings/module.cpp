// frr._core, the compiled part of the Python package: it only translates between Python and the
// library.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <exception>
#include <string>
#include <typeinfo>

#include "base/control.hpp"
#include "evaluate.hpp"
#include "evaluate/same_training.hpp"
#include "files.hpp"
#include "frr/frr.hpp"
#include "model.hpp"
#include "shards.hpp"
#include "train/options.hpp"
#include "training.hpp"

namespace nb = nanobind;

namespace {

void translate(const std::exception_ptr& pointer, void*) {
  try {
    std::rethrow_exception(pointer);
  } catch (const frr::Error& error) {
    if (error.kind() == frr::ErrorKind::internal) {
      const std::string text =
          std::string(error.what()) + " This is a bug in frr; please report it.";
      PyErr_SetString(PyExc_RuntimeError, text.c_str());
    } else if (error.kind() == frr::ErrorKind::interrupted) {
      PyErr_SetNone(PyExc_KeyboardInterrupt);
    } else {
      PyErr_SetString(PyExc_ValueError, error.what());
    }
  } catch (const std::bad_cast&) {
    PyErr_SetString(PyExc_TypeError, "a name, an array or an option has the wrong type");
  }
}

std::string kind_of(const frr::internal::Option& option) {
  using frr::Settings;
  if (std::holds_alternative<bool Settings::*>(option.field)) return "bool";
  if (std::holds_alternative<double Settings::*>(option.field)) return "float";
  const bool whole = std::holds_alternative<int Settings::*>(option.field) ||
                     std::holds_alternative<std::uint64_t Settings::*>(option.field);
  return whole ? "int" : "str";
}

// A tuple per option, as described in _core.pyi.
nb::list option_table() {
  nb::list table;
  for (const frr::internal::Option& option : frr::internal::option_table()) {
    table.append(nb::make_tuple(std::string(option.name), kind_of(option),
                                frr::internal::range_text(option), std::string(option.help),
                                frr::internal::get_option(frr::preset("default"), option),
                                frr::internal::get_option(frr::preset("paper"), option),
                                option.tier == frr::internal::Tier::advanced));
  }
  return table;
}

}  // namespace

NB_MODULE(_core, module) {
  nb::register_exception_translator(translate);
  module.attr("__version__") = std::string(frr::version());
  module.def("option_table", &option_table);
  module.def("check_options",
             [](const std::string& preset, const frr::python::OptionTexts& options) {
               static_cast<void>(frr::python::make_settings(preset, options));
             });
  module.attr("first_stage") =
      std::string(frr::internal::stage_name(frr::Progress::Stage::partition));
  module.attr("usual_folds") = frr::internal::usual_folds;
  module.attr("most_validated_cells") = frr::internal::most_validated_cells;
  frr::python::add_files(module);
  frr::python::add_model(module);
  frr::python::add_shards(module);
  frr::python::add_evaluate(module);
}
