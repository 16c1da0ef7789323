// cub_topk.cu - CUB's selection of the smallest keys, which CUB has since version 3.3
//
// Version 3.3 has no others than those whose output is in no order and depends on the run.
#include "cub_sort.h"

#include <cub/device/device_topk.cuh>
#include <cuda/iterator>

template <class Key, class Index>
static cudaError_t select(void *temp, std::size_t &temp_size, const cub_io &io)
{
    const auto requirements = cuda::execution::require(cuda::execution::determinism::not_guaranteed,
                                                       cuda::execution::output_ordering::unsorted);
    return cub::DeviceTopK::MinPairs(
        temp, temp_size, static_cast<const Key *>(io.keys), static_cast<Key *>(io.keys_out),
        cuda::counting_iterator<Index>(0), static_cast<Index *>(io.values_out),
        static_cast<Index>(io.count), static_cast<Index>(io.k), requirements);
}

template <class Key> static cub_sort *find_index(std::size_t size)
{
    return size == sizeof(std::uint32_t) ? select<Key, std::uint32_t> : select<Key, std::uint64_t>;
}

cub_sort *cub_find_topk(clsort_key key, std::size_t index_size)
{
    switch (key) {
    case CLSORT_U8:
        return find_index<std::uint8_t>(index_size);
    case CLSORT_U32:
        return find_index<std::uint32_t>(index_size);
    case CLSORT_U64:
        return find_index<std::uint64_t>(index_size);
    case CLSORT_F32:
        return find_index<float>(index_size);
    default:
        return nullptr;
    }
}
