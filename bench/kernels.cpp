// Compares the two matrix products of the network with matrix libraries, using Google Benchmark.
//
//   frr_kernels [--rows=4096] [--table=NAME:TABLE[:CATEGORICAL]]... [--benchmark_...]
//
// Benchmarks are named NAME/forward/WHO. Each reports the number of multiply-adds of the dense
// product
// ("dense") and the number of those with a non-zero entry ("done").
#include <benchmark/benchmark.h>

#include <cmath>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "collapse_batch.hpp"
#include "products.hpp"
#include "table_argument.hpp"

namespace frr::bench {
namespace {

struct Case {
  std::unique_ptr<CollapseBatch> batch;
  std::vector<float> u;
};

using Product = void (*)(const ProductShape&, const float*, const float*, float*);

void count(benchmark::State& state, const CollapseBatch& batch) {
  const auto width = static_cast<double>(batch.width());
  state.counters["dense"] =
      static_cast<double>(batch.rows()) * static_cast<double>(batch.labels()) * width;
  state.counters["done"] = static_cast<double>(batch.entries()) * width;
}

void add_own(const std::string& name, Case& one, bool forward) {
  benchmark::RegisterBenchmark((name + "/frr").c_str(), [&one, forward](benchmark::State& state) {
    for ([[maybe_unused]] auto _ : state) {
      forward ? one.batch->forward() : one.batch->backward();
      benchmark::ClobberMemory();
    }
    count(state, *one.batch);
  });
}

void add_library(const std::string& name, Case& one, bool forward, Product product,
                 std::size_t width) {
  benchmark::RegisterBenchmark(name.c_str(), [=, &one](benchmark::State& state) {
    const CollapseBatch& batch = *one.batch;
    const ProductShape shape{batch.rows(), batch.labels(), width};
    const auto input = forward ? batch.e() : batch.da();
    std::vector<float> result((forward ? batch.rows() : batch.labels()) * width);
    for ([[maybe_unused]] auto _ : state) {
      product(shape, one.u.data(), input.data(), result.data());
      benchmark::DoNotOptimize(result.data());
      benchmark::ClobberMemory();
    }
    count(state, batch);
  });
}

// Checks that both compute the same product before they are compared.
void check(const Case& one) {
  CollapseBatch& batch = *one.batch;
  batch.forward();
  batch.backward();
  const ProductShape shape{batch.rows(), batch.labels(), batch.width()};
  const auto compare = [](std::span<const float> ours, const std::vector<float>& theirs) {
    for (std::size_t i = 0; i < ours.size(); ++i) {
      if (std::abs(ours[i] - theirs[i]) > 1e-3F * (1 + std::abs(theirs[i]))) {
        fail_data("our product is not the library's");
      }
    }
  };
  std::vector<float> a(batch.a().size()), de(batch.de().size());
  for (const Product product : {eigen_forward, blas_forward}) {
    product(shape, one.u.data(), batch.e().data(), a.data());
    compare(batch.a(), a);
  }
  for (const Product product : {eigen_backward, blas_backward}) {
    product(shape, one.u.data(), batch.da().data(), de.data());
    compare(batch.de(), de);
  }
}

void add(const std::string& name, Case& one) {
  for (const bool forward : {true, false}) {
    const std::string title = name + (forward ? "/forward" : "/backward");
    add_own(title, one, forward);
    // Without padding, the library has less to do, but an odd shape. The faster variant counts.
    for (const std::size_t width : {one.batch->columns(), one.batch->width()}) {
      const std::string end = "_" + std::to_string(width);
      add_library(title + "/eigen" + end, one, forward, forward ? eigen_forward : eigen_backward,
                  width);
      add_library(title + "/openblas" + end, one, forward, forward ? blas_forward : blas_backward,
                  width);
    }
  }
}

int run(int count, char** values) {
  benchmark::Initialize(&count, values);
  use_one_blas_thread();
  std::size_t rows = 4096;
  std::vector<std::string> tables;
  for (int i = 1; i < count; ++i) {
    const std::string argument = values[i];
    if (argument.starts_with("--rows=")) {
      rows = std::stoul(argument.substr(7));
    } else if (argument.starts_with("--table=")) {
      tables.push_back(argument.substr(8));
    } else {
      fail_usage("frr_kernels does not know " + argument);
    }
  }
  if (tables.empty()) tables = {"pima:768x8x2", "magic:19020x10x2", "satimage:6435x36x6"};
  std::vector<std::unique_ptr<Case>> cases;
  for (const std::string& text : tables) {
    const std::size_t name = text.find(':');
    const std::size_t end = std::min(text.find(':', name + 1), text.size());
    const std::string categorical = end < text.size() ? text.substr(end + 1) : "";
    const Problem problem(table_argument(text.substr(name + 1, end - name - 1), categorical), {});
    auto one = std::make_unique<Case>();
    one->batch = std::make_unique<CollapseBatch>(problem, rows);
    one->u = one->batch->dense();
    check(*one);
    add(text.substr(0, name), *one);
    cases.push_back(std::move(one));
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

}  // namespace
}  // namespace frr::bench

int main(int count, char** values) {
  try {
    return frr::bench::run(count, values);
  } catch (const std::exception& error) {
    std::cerr << "frr_kernels: " << error.what() << '\n';
    return 1;
  }
}
