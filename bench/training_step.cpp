#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>

#include "base/control.hpp"
#include "commands.hpp"
#include "network/trainer.hpp"
#include "problem.hpp"
#include "table_argument.hpp"

namespace frr::bench {
using namespace internal;
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

template <typename T>
void write_raw(const fs::path& path, std::span<const T> values) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(values.data()),
             static_cast<std::streamsize>(values.size_bytes()));
  file.close();
  if (!file) fail_data("cannot write " + path.string());
}

std::vector<float> dense(const Memberships& memberships) {
  std::vector<float> u(memberships.rows() * memberships.labels());
  for (std::size_t d = 0; d < memberships.labels(); ++d) {
    const auto column = memberships.column(d);
    for (std::size_t i = 0; i < column.size(); ++i) u[i * memberships.labels() + d] = column[i];
  }
  return u;
}

Training trained(const Problem& problem, int epochs) {
  Settings settings = problem.settings;
  settings.epochs = epochs;
  Control control({}, 0);
  return train_network(problem.shape(), problem.inputs, problem.classes, problem.weights, settings,
                       0, 1, control);
}

// Loss and gradient of the first batch, for comparison with those of another program.
Json write_check(const Problem& problem, const std::vector<float>& parameters, double done,
                 const fs::path& directory, const std::string& name) {
  const NetworkPoint point = schedule(problem.settings, done);
  Network<float> network(problem.shape(), network_rule(problem.settings));
  std::vector<std::uint32_t> rows(
      std::min(problem.rows.size(), static_cast<std::size_t>(problem.settings.batch)));
  std::iota(rows.begin(), rows.end(), 0U);
  std::vector<float> gradient(parameters.size());
  const Batch<float> batch{.inputs = &problem.inputs,
                           .rows = rows,
                           .classes = problem.classes,
                           .weights = problem.weights};
  const float loss = network.gradient(parameters, point, batch, gradient);
  write_raw<float>(directory / (name + "-parameters.f32"), parameters);
  write_raw<float>(directory / (name + "-gradient.f32"), gradient);
  return {{"name", name},         {"beta", point.beta},
          {"gamma", point.gamma}, {"sharpness", point.sharpness},
          {"rows", rows.size()},  {"loss", loss}};
}

Json description(const Problem& problem) {
  const NetworkShape shape = problem.shape();
  const Settings& s = problem.settings;
  return {{"rows", problem.rows.size()},
          {"labels", shape.labels()},
          {"first", shape.first},
          {"rules", shape.rules},
          {"slots", shape.slots},
          {"classes", shape.classes},
          {"entries", problem.inputs.entries.size()},
          {"batch", s.batch},
          {"temperature", s.temperature},
          {"kappa", s.kappa},
          {"learning_rate", s.learning_rate},
          {"beta", {s.beta_start, s.beta_end}},
          {"gamma", {s.gamma_start, s.gamma_end}},
          {"sharpness", {s.max_start, s.max_end}}};
}

}  // namespace

void training_step(Arguments arguments) {
  if (arguments.size() < 4) fail_usage("frr_bench step TABLE DIRECTORY ROWS BATCH [CATEGORICAL]");
  Settings settings;
  settings.batch = std::stoi(arguments[3]);
  const Problem problem(
      table_argument(arguments[0], arguments.size() > 4 ? arguments[4] : std::string()), settings,
      std::stoul(arguments[2]), static_cast<std::size_t>(settings.batch));
  const fs::path directory = arguments[1];
  fs::create_directories(directory);
  write_raw<float>(directory / "u.f32", dense(problem.memberships));
  write_raw<std::int32_t>(directory / "classes.i32", problem.classes);
  Json meta = description(problem);
  Random random(0);
  meta["checks"] = {
      write_check(problem, Network<float>::initial(problem.shape(), random), 0, directory, "start"),
      write_check(problem, trained(problem, 1).parameters, 0.5, directory, "middle")};
  write_file((directory / "meta.json").string(), meta.dump(1) + "\n");

  const std::size_t batches = problem.rows.size() / static_cast<std::size_t>(settings.batch);
  constexpr double least = 0.2;  // seconds of one measurement
  const double one = seconds_of([&] { trained(problem, 1); });
  const int epochs = std::clamp(static_cast<int>(least / one), 1, 1000);
  serve(Json{{"epochs", epochs}, {"batches", batches}}.dump(), [&] {
    return seconds_of([&] { trained(problem, epochs); }) /
           (static_cast<double>(epochs) * static_cast<double>(batches));
  });
}

}  // namespace frr::bench
