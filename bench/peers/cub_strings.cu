// cub_strings.cu - CUB's radix sort of byte strings of 16 bytes as 128-bit integers
//
// An integer has its most significant byte last. The bytes are reversed before and after the sort, outside of the timed
// region.
#include "cub_radix.hpp"
#include "cub_rows.hpp"

static_assert(sizeof(__uint128_t) == ROWS_STRING_BYTES, "a string is an integer");

__global__ static void reverse_bytes(uint4 *strings, std::uint64_t count)
{
    constexpr unsigned reversed = 0x0123;
    const std::uint64_t i = cub_thread_index();
    if (i >= count)
        return;
    const uint4 bytes = strings[i];
    strings[i] = {__byte_perm(bytes.w, 0, reversed), __byte_perm(bytes.z, 0, reversed),
                  __byte_perm(bytes.y, 0, reversed), __byte_perm(bytes.x, 0, reversed)};
}

cudaError_t cub_swap_strings(void *strings, std::uint64_t count)
{
    reverse_bytes<<<cub_blocks(count), CUB_BLOCK>>>(static_cast<uint4 *>(strings), count);
    return cudaGetLastError();
}

cudaError_t cub_sort_strings(void *temp, std::size_t &temp_size, const cub_io &io)
{
    return cub_sort_keys<__uint128_t, std::uint32_t>(temp, temp_size, io);
}
