// The CSV reader behind read_csv, with the parts that only it and its tests use.
#pragma once

#include <cstddef>

#include "csv_input.hpp"
#include "frr/table.hpp"

namespace frr {

// read_csv from any source of bytes; `chunk` is how many are asked for at a time.
Table read_csv(ByteSource source, const CsvOptions& options,
               std::size_t chunk = CsvInput::default_chunk);

}  // namespace frr
