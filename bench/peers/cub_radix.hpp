// cub_radix.hpp - CUB's radix sorts of a key type, a type of values, and a type of counts
#ifndef CLSORT_BENCH_CUB_RADIX_HPP
#define CLSORT_BENCH_CUB_RADIX_HPP

#include "cub_sort.h"

#include <cub/device/device_radix_sort.cuh>

template <class Key, class Count>
cudaError_t cub_sort_keys(void *temp, std::size_t &temp_size, const cub_io &io)
{
    return cub::DeviceRadixSort::SortKeys(temp, temp_size, static_cast<const Key *>(io.keys),
                                          static_cast<Key *>(io.keys_out),
                                          static_cast<Count>(io.count));
}

template <class Key, class Value, class Count>
cudaError_t cub_sort_pairs(void *temp, std::size_t &temp_size, const cub_io &io)
{
    return cub::DeviceRadixSort::SortPairs(
        temp, temp_size, static_cast<const Key *>(io.keys), static_cast<Key *>(io.keys_out),
        static_cast<const Value *>(io.values), static_cast<Value *>(io.values_out),
        static_cast<Count>(io.count));
}

#endif
