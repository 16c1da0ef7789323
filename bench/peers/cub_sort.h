// cub_sort.h - CUB's sorts for the types that cub.cu lets take part
//
// The compiler takes seconds for each of them: they are in files of their own to be compiled side by side.
#ifndef CLSORT_BENCH_CUB_SORT_H
#define CLSORT_BENCH_CUB_SORT_H

#include "job.h"

#include <cstdint>
#include <cuda_runtime_api.h>

// What is sorted, in the device's memory. CUB takes indexes as wide as the type of the count.
struct cub_io {
    const void *keys, *values;
    void *keys_out, *values_out;
    std::uint32_t count;
};

// Enqueues a sort; where temp is null it only sets the size of temp.
using cub_sort = cudaError_t(void *temp, std::size_t &temp_size, const cub_io &io);

// Sorts of keys, of pairs, and in order.h's order; null: there is none for them.
cub_sort *cub_find_keys(clsort_key key);
cub_sort *cub_find_pairs(clsort_key key, std::size_t value_size);
cub_sort *cub_find_custom(clsort_key key);

#endif
