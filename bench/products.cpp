#include "products.hpp"

#include <cblas.h>

#include <Eigen/Core>

namespace frr::bench {
namespace {

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Eigen::Map<const Matrix> view(const float* from, std::size_t rows, std::size_t columns) {
  return {from, static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(columns)};
}
Eigen::Map<Matrix> view(float* from, std::size_t rows, std::size_t columns) {
  return {from, static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(columns)};
}

}  // namespace

void eigen_forward(const ProductShape& s, const float* u, const float* e, float* a) {
  view(a, s.rows, s.width).noalias() = view(u, s.rows, s.labels) * view(e, s.labels, s.width);
}

void eigen_backward(const ProductShape& s, const float* u, const float* da, float* de) {
  view(de, s.labels, s.width).noalias() =
      view(u, s.rows, s.labels).transpose() * view(da, s.rows, s.width);
}

void blas_forward(const ProductShape& s, const float* u, const float* e, float* a) {
  const auto n = static_cast<blasint>(s.rows), d = static_cast<blasint>(s.labels),
             w = static_cast<blasint>(s.width);
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, w, d, 1, u, d, e, w, 0, a, w);
}

void blas_backward(const ProductShape& s, const float* u, const float* da, float* de) {
  const auto n = static_cast<blasint>(s.rows), d = static_cast<blasint>(s.labels),
             w = static_cast<blasint>(s.width);
  cblas_sgemm(CblasRowMajor, CblasTrans, CblasNoTrans, d, w, n, 1, u, d, da, w, 0, de, w);
}

void use_one_blas_thread() { openblas_set_num_threads(1); }

}  // namespace frr::bench
