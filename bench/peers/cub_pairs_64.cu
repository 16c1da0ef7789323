// cub_pairs_64.cu - CUB's radix sort of pairs, with 64-bit counts, for the types that scripts/gpu-bench.sh measures
#include "cub_radix.hpp"

template <class Key, class Value>
constexpr cub_sort *sort_pairs = cub_sort_pairs<Key, Value, std::uint64_t>;

cub_sort *cub_find_pairs_64(clsort_key key, std::size_t value_size)
{
    if (key == CLSORT_U32 && value_size == sizeof(std::uint32_t))
        return sort_pairs<std::uint32_t, std::uint32_t>;
    if (key == CLSORT_U64 && value_size == sizeof(std::uint32_t))
        return sort_pairs<std::uint64_t, std::uint32_t>;
    if (key == CLSORT_U64 && value_size == sizeof(std::uint64_t))
        return sort_pairs<std::uint64_t, std::uint64_t>;
    return nullptr;
}
