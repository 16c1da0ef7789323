// cub_keys_64.cu - CUB's radix sort of keys, with 64-bit counts, for the types that scripts/gpu-bench.sh measures
#include "cub_radix.hpp"

template <class Key> constexpr cub_sort *sort_keys = cub_sort_keys<Key, std::uint64_t>;

cub_sort *cub_find_keys_64(clsort_key key)
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
    case CLSORT_F32:
        return sort_keys<float>;
    default:
        return nullptr;
    }
}
