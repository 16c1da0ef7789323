// cub_unique.cu - CUB's copy of the first key of each run of equal keys
//
// In total order, keys are equal if their bits are. Keys of all types are therefore integers here.
#include "cub_sort.h"

#include <cub/device/device_select.cuh>

template <class Key>
static cudaError_t copy_unique(void *temp, std::size_t &temp_size, const cub_io &io)
{
    return cub::DeviceSelect::Unique(temp, temp_size, static_cast<const Key *>(io.keys),
                                     static_cast<Key *>(io.keys_out), io.number,
                                     static_cast<std::int32_t>(io.count));
}

cub_sort *cub_find_unique(std::size_t key_size)
{
    switch (key_size) {
    case sizeof(std::uint8_t):
        return copy_unique<std::uint8_t>;
    case sizeof(std::uint16_t):
        return copy_unique<std::uint16_t>;
    case sizeof(std::uint32_t):
        return copy_unique<std::uint32_t>;
    case sizeof(std::uint64_t):
        return copy_unique<std::uint64_t>;
    default:
        return nullptr;
    }
}
