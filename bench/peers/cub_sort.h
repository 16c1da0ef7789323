// cub_sort.h - CUB's sorts and selections, by key type and value size or by operation
//
// CUB's indexes have the type of the count, which also selects the tuning of the radix sort: some
// sorts are faster with counts of 32 bits and others with 64 bits. Each sort takes seconds to
// compile. They are in several files that are compiled in parallel, and 64-bit counts are built for
// few types only.
#ifndef CLSORT_BENCH_CUB_SORT_H
#define CLSORT_BENCH_CUB_SORT_H

#include "job.h"

#include <cstdint>
#include <cuda_runtime_api.h>

// The arrays in device memory. Sorts that are built for 32-bit counts require a count below 2^32.
struct cub_io {
    const void *keys, *values;
    void *keys_out, *values_out;
    std::uint64_t count;
    const std::uint64_t *offsets; // segment_count + 1 of them; null without segments
    std::uint64_t segment_count;
    std::uint64_t k;                       // of a selection
    const void *columns[ROWS_MAX_COLUMNS]; // instead of keys, if rows have an array for each column
    std::uint64_t *number;                 // of the result; null if it has none
};

// Enqueues a sort. If temp is null, only sets temp_size.
using cub_sort = cudaError_t(void *temp, std::size_t &temp_size, const cub_io &io);

// Return the sort of keys, of pairs, and of keys in the custom order of order.h; null if there is
// none. The first three have 32-bit counts.
cub_sort *cub_find_keys(clsort_key key);
cub_sort *cub_find_pairs(clsort_key key, std::size_t value_size);
cub_sort *cub_find_custom(clsort_key key);
cub_sort *cub_find_keys_64(clsort_key key);
cub_sort *cub_find_pairs_64(clsort_key key, std::size_t value_size);

// Return the sort of keys in segments, and the selection of the k smallest keys with their indexes of
// index_size bytes, or null.
cub_sort *cub_find_segmented(clsort_key key);
cub_sort *cub_find_topk(clsort_key key, std::size_t index_size);

// Returns the copy of the first key of each run of equal keys of this size, or null.
cub_sort *cub_find_unique(std::size_t key_size);

// Sort rows (rows.h): OP_COLUMNS with indexes of 4 bytes, OP_STRINGS with strings of 16 bytes, and
// OP_RECORDS by the first 8 bytes of the key.
cub_sort cub_sort_columns, cub_sort_strings, cub_sort_records;

// Converts strings of 16 bytes to the integers that cub_sort_strings sorts, and back, in place.
cudaError_t cub_swap_strings(void *strings, std::uint64_t count);

#endif
