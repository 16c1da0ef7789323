// cub_rows.hpp - what the sorts of rows by CUB share: launches of kernels, and arrays in temporary memory
#ifndef CLSORT_BENCH_CUB_ROWS_HPP
#define CLSORT_BENCH_CUB_ROWS_HPP

#include "cub_sort.h"

constexpr unsigned CUB_BLOCK = 256; // threads

// Returns the number of blocks for one thread per element.
inline unsigned cub_blocks(std::uint64_t count)
{
    return static_cast<unsigned>((count + CUB_BLOCK - 1) / CUB_BLOCK);
}

// Returns the index of the element that this thread handles. It may exceed the last one.
__device__ inline std::uint64_t cub_thread_index()
{
    return static_cast<std::uint64_t>(blockIdx.x) * CUB_BLOCK + threadIdx.x;
}

// Divides the temporary memory of a cub_sort into arrays and the temporary memory of CUB.
class cub_temp
{
  public:
    // memory, size: as for cub_sort
    cub_temp(void *memory, std::size_t &size) : memory_(static_cast<char *>(memory)), size_(size)
    {
    }

    // Returns the next array; null if there is no memory.
    template <class Type> Type *take(std::uint64_t count)
    {
        constexpr std::size_t alignment = 256;
        const std::size_t at = used_;
        used_ += (count * sizeof(Type) + alignment - 1) / alignment * alignment;
        return memory_ ? reinterpret_cast<Type *>(memory_ + at) : nullptr;
    }

    // Calls sort(temp, temp_size) with the memory behind the arrays. If there is none, sets the size of all.
    template <class Sort> cudaError_t with_rest(Sort sort)
    {
        std::size_t rest = memory_ ? size_ - used_ : 0;
        const cudaError_t status = sort(memory_ ? memory_ + used_ : nullptr, rest);
        if (!memory_)
            size_ = used_ + rest;
        return status;
    }

  private:
    char *memory_;
    std::size_t &size_;
    std::size_t used_ = 0;
};

#endif
