// The same products, computed by matrix libraries; U [n x d] and the results are stored row by row.
#pragma once

#include <cstddef>

namespace frr::bench {

struct ProductShape {
  std::size_t rows = 0, labels = 0, width = 0;
};

// a = u e;  de = u^T da.
void eigen_forward(const ProductShape& shape, const float* u, const float* e, float* a);
void eigen_backward(const ProductShape& shape, const float* u, const float* da, float* de);
void blas_forward(const ProductShape& shape, const float* u, const float* e, float* a);
void blas_backward(const ProductShape& shape, const float* u, const float* da, float* de);
void use_one_blas_thread();

}  // namespace frr::bench
