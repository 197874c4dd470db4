#include "c_source.hpp"

#include <unordered_set>

#include "frr/error.hpp"
#include "names.hpp"
#include "source.hpp"

namespace frr::internal {
namespace {

// Keywords of C and C++, and lower-case macros of compilers and common headers.
std::unordered_set<std::string> keywords() {
  return {"alignas",     "alignof",    "and",
          "and_eq",      "asm",        "assert",
          "auto",        "bitand",     "bitor",
          "bool",        "break",      "case",
          "catch",       "char",       "char16_t",
          "char32_t",    "char8_t",    "class",
          "co_await",    "co_return",  "co_yield",
          "compl",       "complex",    "concept",
          "const",       "const_cast", "consteval",
          "constexpr",   "constinit",  "continue",
          "decltype",    "default",    "delete",
          "do",          "double",     "dynamic_cast",
          "else",        "enum",       "errno",
          "explicit",    "export",     "extern",
          "false",       "far",        "float",
          "for",         "friend",     "goto",
          "huge",        "i386",       "if",
          "imaginary",   "inline",     "int",
          "interface",   "linux",      "long",
          "main",        "mutable",    "namespace",
          "near",        "new",        "noexcept",
          "noreturn",    "not",        "not_eq",
          "nullptr",     "operator",   "or",
          "or_eq",       "private",    "protected",
          "public",      "register",   "reinterpret_cast",
          "requires",    "restrict",   "return",
          "short",       "signed",     "sizeof",
          "small",       "static",     "static_assert",
          "static_cast", "stderr",     "stdin",
          "stdout",      "struct",     "switch",
          "template",    "this",       "thread_local",
          "throw",       "true",       "try",
          "typedef",     "typeid",     "typename",
          "typeof",      "union",      "unix",
          "unsigned",    "unused",     "using",
          "virtual",     "void",       "volatile",
          "wchar_t",     "while",      "xor",
          "xor_eq",      "BUFSIZ",     "EOF",
          "FALSE",       "I",          "INFINITY",
          "NAN",         "NULL",       "TRUE"};
}

std::string function_name(const ExportRequest& request) {
  return Names(keywords()).give(request.name.empty() ? "decide" : request.name, "decide");
}

void check_text(const std::string& text) {
  if (text.find('\0') == std::string::npos) return;
  fail_data("C cannot hold a text with a NUL character: '" + comment_text(text) +
            "'. Rename it in the data and train again");
}

}  // namespace

CSource::CSource(const Plan& plan, const ExportRequest& request)
    : plan_(plan), name_(function_name(request)) {
  Names members(keywords());
  for (const Plan::Input& input : plan.inputs) {
    fields_.push_back(members.give(input.name, "x"));
    for (const auto* texts : {&input.categories, &input.kept})
      for (const std::string& text : *texts) check_text(text);
  }
  for (const std::string& text : plan.classes) check_text(text);
  for (const std::string& text : plan.missing.codes) check_text(text);
}

void CSource::add(std::string_view text) { out_ += filled(text, "NAME", name_); }

std::string numbered(std::string_view name, std::size_t index) {
  return std::string(name) + std::to_string(index + 1);
}

}  // namespace frr::internal
