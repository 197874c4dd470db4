#include "dates.hpp"

#include <chrono>
#include <cstdlib>
#include <ctime>
#include <filesystem>

namespace frr::cli {
namespace {

std::string date_text(std::time_t time, bool utc) {
  std::tm parts{};
  utc ? gmtime_r(&time, &parts) : localtime_r(&time, &parts);
  char text[32];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%d %H:%M", &parts)};
}

}  // namespace

std::string date_of_page() {
  const char* const given = std::getenv("SOURCE_DATE_EPOCH");
  if (given == nullptr) return date_text(std::time(nullptr), false);
  return date_text(static_cast<std::time_t>(std::strtoll(given, nullptr, 10)), true);
}

std::string date_of_file(const std::string& path) {
  std::error_code unknown;
  const auto time = std::filesystem::last_write_time(path, unknown);
  if (unknown) return "";
  const auto system = std::chrono::file_clock::to_sys(time);
  return date_text(std::chrono::system_clock::to_time_t(
                       std::chrono::time_point_cast<std::chrono::system_clock::duration>(system)),
                   false);
}

}  // namespace frr::cli
