// cub_pairs.cu - CUB's radix sort of pairs
#include "cub_sort.h"

#include <cub/device/device_radix_sort.cuh>

template <class Key, class Value>
static cudaError_t sort_pairs(void *temp, std::size_t &temp_size, const cub_io &io)
{
    return cub::DeviceRadixSort::SortPairs(
        temp, temp_size, static_cast<const Key *>(io.keys), static_cast<Key *>(io.keys_out),
        static_cast<const Value *>(io.values), static_cast<Value *>(io.values_out), io.count);
}

template <class Key> static cub_sort *find_values(std::size_t size)
{
    switch (size) {
    case sizeof(std::uint32_t):
        return sort_pairs<Key, std::uint32_t>;
    case sizeof(std::uint64_t):
        return sort_pairs<Key, std::uint64_t>;
    case sizeof(uint4):
        return sort_pairs<Key, uint4>;
    default:
        return nullptr;
    }
}

cub_sort *cub_find_pairs(clsort_key key, std::size_t value_size)
{
    switch (key) {
    case CLSORT_U32:
        return find_values<std::uint32_t>(value_size);
    case CLSORT_U64:
        return find_values<std::uint64_t>(value_size);
    default:
        return nullptr;
    }
}
