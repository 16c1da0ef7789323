// cub_custom.cu - CUB's merge sort, in the custom orders of order.h
#include "cub_sort.h"

#include <cub/device/device_merge_sort.cuh>

struct less_number {
    __host__ __device__ bool operator()(std::uint32_t a, std::uint32_t b) const
    {
        return a < b;
    }
};

struct halves {
    std::uint32_t lower, upper;
};

struct less_halves {
    __host__ __device__ bool operator()(const halves &a, const halves &b) const
    {
        return a.upper < b.upper || (a.upper == b.upper && a.lower > b.lower);
    }
};

template <class Key, class Less>
static cudaError_t sort_custom(void *temp, std::size_t &temp_size, const cub_io &io)
{
    return cub::DeviceMergeSort::SortKeysCopy(temp, temp_size, static_cast<const Key *>(io.keys),
                                              static_cast<Key *>(io.keys_out),
                                              static_cast<std::uint32_t>(io.count), Less());
}

cub_sort *cub_find_custom(clsort_key key)
{
    switch (key) {
    case CLSORT_U32:
        return sort_custom<std::uint32_t, less_number>;
    case CLSORT_U64:
        return sort_custom<halves, less_halves>;
    default:
        return nullptr;
    }
}
