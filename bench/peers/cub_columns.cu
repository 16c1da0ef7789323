// cub_columns.cu - CUB's radix sort of indexes by the columns of row_of_columns (rows.h)
//
// DeviceRadixSort sorts structs by the fields that a decomposer lists, all in the same direction and in one array. The
// columns are arrays of their own, so that each sort first packs them into structs, as a program with such columns has
// to do. There, the f64 becomes an integer of the descending total order.
#include "cub_rows.hpp"

#include <cub/device/device_radix_sort.cuh>
#include <cuda/std/tuple>

namespace
{

struct packed_row {
    std::uint64_t second;
    std::uint32_t first;
    std::uint8_t third;
};
static_assert(sizeof(packed_row) == sizeof(row_of_columns), "keys_out has the size of the rows");

struct fields_of_row {
    __host__ __device__ cuda::std::tuple<std::uint32_t &, std::uint64_t &, std::uint8_t &>
    operator()(packed_row &row) const
    {
        return {row.first, row.second, row.third};
    }
};

// Maps the bits of a double to an integer that is lower for greater numbers. Negative numbers have the opposite order
// of their bits already.
__device__ std::uint64_t order_descending(std::uint64_t bits)
{
    constexpr std::uint64_t sign = std::uint64_t(1) << 63;
    return bits & sign ? bits : ~(bits | sign);
}

__global__ void pack(const std::uint32_t *first, const std::uint64_t *second,
                     const std::uint8_t *third, packed_row *rows, std::uint64_t count)
{
    const std::uint64_t i = cub_thread_index();
    if (i < count)
        rows[i] = {order_descending(second[i]), first[i], third[i]};
}

} // namespace

cudaError_t cub_sort_columns(void *temp, std::size_t &temp_size, const cub_io &io)
{
    cub_temp arrays(temp, temp_size);
    auto *const rows = arrays.take<packed_row>(io.count);
    if (temp)
        pack<<<cub_blocks(io.count), CUB_BLOCK>>>(
            static_cast<const std::uint32_t *>(io.columns[0]),
            static_cast<const std::uint64_t *>(io.columns[1]),
            static_cast<const std::uint8_t *>(io.columns[2]), rows, io.count);
    return arrays.with_rest([&](void *rest, std::size_t &rest_size) {
        return cub::DeviceRadixSort::SortPairs(
            rest, rest_size, static_cast<const packed_row *>(rows),
            static_cast<packed_row *>(io.keys_out), static_cast<const std::uint32_t *>(io.values),
            static_cast<std::uint32_t *>(io.values_out), static_cast<std::uint32_t>(io.count),
            fields_of_row());
    });
}
