// cub_keys.cu - CUB's radix sort of keys, with 32-bit counts
#include "cub_radix.hpp"

#include <cuda_fp16.h>

template <class Key> constexpr cub_sort *sort_keys = cub_sort_keys<Key, std::uint32_t>;

cub_sort *cub_find_keys(clsort_key key)
{
    switch (key) {
    case CLSORT_U8:
        return sort_keys<std::uint8_t>;
    case CLSORT_U16:
        return sort_keys<std::uint16_t>;
    case CLSORT_U32:
        return sort_keys<std::uint32_t>;
    case CLSORT_U64:
        return sort_keys<std::uint64_t>;
    case CLSORT_I8:
        return sort_keys<std::int8_t>;
    case CLSORT_I16:
        return sort_keys<std::int16_t>;
    case CLSORT_I32:
        return sort_keys<std::int32_t>;
    case CLSORT_I64:
        return sort_keys<std::int64_t>;
    case CLSORT_F16:
        return sort_keys<__half>;
    case CLSORT_F32:
        return sort_keys<float>;
    case CLSORT_F64:
        return sort_keys<double>;
    default: // not a data_type
        return nullptr;
    }
}
