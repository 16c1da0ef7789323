// rows.hpp - calls a sort template with the rows of a job (rows.h)
#ifndef CLSORT_BENCH_ROWS_HPP
#define CLSORT_BENCH_ROWS_HPP

#include "typed.hpp"

#include <cstring>

template <std::size_t size> struct byte_row {
    unsigned char bytes[size];
};

template <std::size_t key_size> struct by_bytes {
    template <class Row> bool operator()(const Row &a, const Row &b) const
    {
        return std::memcmp(a.bytes, b.bytes, key_size) < 0;
    }
};

// The float is compared as in typed.hpp.
struct particle {
    std::int32_t depth;
    unsigned char others[ROWS_PARTICLE_BYTES - sizeof(float)];
};

struct by_depth_descending {
    bool operator()(const particle &a, const particle &b) const
    {
        using order = ieee<std::int32_t>;
        return order::order(b.depth) < order::order(a.depth);
    }
};

template <class Row, class Less, class Sort> void sort_rows_by(const job &job, Less less, Sort sort)
{
    auto first = static_cast<Row *>(host_array(&job));
    sort(first, first + job.count, less);
}

// Calls sort(first, last, less) with pointers to the rows of the job's host array.
template <class Sort> void sort_rows(const job &job, Sort sort)
{
    if (job.spec.op == OP_STRINGS)
        sort_rows_by<byte_row<ROWS_STRING_BYTES>>(job, by_bytes<ROWS_STRING_BYTES>(), sort);
    else if (job.spec.op == OP_RECORDS)
        sort_rows_by<byte_row<ROWS_RECORD_BYTES>>(job, by_bytes<ROWS_RECORD_KEY_BYTES>(), sort);
    else
        sort_rows_by<particle>(job, by_depth_descending(), sort);
}

#endif
