// cub_records.cu - CUB's radix sort of records of 100 bytes by the first 8 bytes of their key of 10
//
// Each sort copies the first 8 bytes as integers, numbers the records, sorts both by DeviceRadixSort, and gathers the
// records by the sorted indexes. All of this is part of its time.
#include "cub_rows.hpp"

#include <cub/device/device_radix_sort.cuh>

namespace
{

constexpr unsigned WORDS = ROWS_RECORD_BYTES / sizeof(std::uint32_t); // of a record
static_assert(ROWS_RECORD_BYTES % sizeof(std::uint32_t) == 0, "records consist of words");

__device__ std::uint64_t big_endian(std::uint32_t word)
{
    return __byte_perm(word, 0, 0x0123);
}

__global__ void number_keys(const std::uint32_t *records, std::uint64_t *keys,
                            std::uint32_t *indexes, std::uint64_t count)
{
    const std::uint64_t i = cub_thread_index();
    if (i >= count)
        return;
    const std::uint32_t *const record = records + i * WORDS;
    keys[i] = big_endian(record[0]) << 32 | big_endian(record[1]);
    indexes[i] = static_cast<std::uint32_t>(i);
}

// Copies a word per thread, so that writes are coalesced.
__global__ void gather(const std::uint32_t *records, const std::uint32_t *indexes,
                       std::uint32_t *out, std::uint64_t count)
{
    const std::uint64_t i = cub_thread_index();
    if (i < count * WORDS)
        out[i] = records[static_cast<std::uint64_t>(indexes[i / WORDS]) * WORDS + i % WORDS];
}

} // namespace

cudaError_t cub_sort_records(void *temp, std::size_t &temp_size, const cub_io &io)
{
    const auto *const records = static_cast<const std::uint32_t *>(io.keys);
    cub_temp arrays(temp, temp_size);
    cub::DoubleBuffer<std::uint64_t> keys(arrays.take<std::uint64_t>(io.count),
                                          arrays.take<std::uint64_t>(io.count));
    cub::DoubleBuffer<std::uint32_t> indexes(arrays.take<std::uint32_t>(io.count),
                                             arrays.take<std::uint32_t>(io.count));
    if (temp)
        number_keys<<<cub_blocks(io.count), CUB_BLOCK>>>(records, keys.Current(), indexes.Current(),
                                                         io.count);
    const cudaError_t status = arrays.with_rest([&](void *rest, std::size_t &rest_size) {
        return cub::DeviceRadixSort::SortPairs(rest, rest_size, keys, indexes,
                                               static_cast<std::uint32_t>(io.count));
    });
    if (!temp || status != cudaSuccess)
        return status;
    gather<<<cub_blocks(io.count * WORDS), CUB_BLOCK>>>(
        records, indexes.Current(), static_cast<std::uint32_t *>(io.keys_out), io.count);
    return cudaGetLastError();
}
