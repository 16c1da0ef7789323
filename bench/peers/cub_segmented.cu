// cub_segmented.cu - CUB's segmented sort of keys
#include "cub_sort.h"

#include <cub/device/device_segmented_sort.cuh>

template <class Key>
static cudaError_t sort_segmented(void *temp, std::size_t &temp_size, const cub_io &io)
{
    return cub::DeviceSegmentedSort::SortKeys(
        temp, temp_size, static_cast<const Key *>(io.keys), static_cast<Key *>(io.keys_out),
        static_cast<std::int32_t>(io.count), static_cast<std::int32_t>(io.segment_count),
        io.offsets, io.offsets + 1);
}

cub_sort *cub_find_segmented(clsort_key key)
{
    switch (key) {
    case CLSORT_U8:
        return sort_segmented<std::uint8_t>;
    case CLSORT_U16:
        return sort_segmented<std::uint16_t>;
    case CLSORT_U32:
        return sort_segmented<std::uint32_t>;
    case CLSORT_U64:
        return sort_segmented<std::uint64_t>;
    default:
        return nullptr;
    }
}
