// cub_pairs.cu - CUB's radix sort of pairs, with 32-bit counts
#include "cub_radix.hpp"

template <class Key, class Value>
constexpr cub_sort *sort_pairs = cub_sort_pairs<Key, Value, std::uint32_t>;

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
