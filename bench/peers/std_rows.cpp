// std_rows.cpp - peer: std::stable_sort of indexes by several columns
#include "peers.h"
#include "std_library.hpp"
#include "typed.hpp"

#include <algorithm>
#include <cstring>
#include <err.h>
#include <new>
#include <numeric>
#include <vector>

// Arrays of the columns of row_of_columns. The float is compared as in typed.hpp.
struct columns {
    std::vector<std::uint32_t> first;
    std::vector<std::int64_t> second;
    std::vector<std::uint8_t> third;

    explicit columns(const job &job) : first(job.count), second(job.count), third(job.count)
    {
        rows_copy_column(job.spec.rows, 0, job.keys, job.count, first.data());
        rows_copy_column(job.spec.rows, 1, job.keys, job.count, second.data());
        rows_copy_column(job.spec.rows, 2, job.keys, job.count, third.data());
    }

    bool precedes(std::uint64_t a, std::uint64_t b) const
    {
        if (first[a] != first[b])
            return first[a] < first[b];
        if (second[a] != second[b])
            return ieee<std::int64_t>::order(second[a]) > ieee<std::int64_t>::order(second[b]);
        return third[a] < third[b];
    }
};

static bool open_columns(const job *job, const char *, void **state)
{
    try {
        *state = new columns(*job);
        return true;
    } catch (const std::bad_alloc &) {
        warnx("std-lexsort, n = %zu: out of memory", job->count);
        return false;
    }
}

static void close_columns(void *state)
{
    delete static_cast<columns *>(state);
}

// Clears the output, so that the result of the last run cannot pass for that of this one.
static bool clear_indexes(const job *job, void *)
{
    std::memset(job->values_out, 0, job->count * job->spec.value_size);
    return true;
}

// The time includes that of numbering the elements, as for clsort.
template <class Index> static void lexsort(const job &job, const columns &columns)
{
    auto *const first = static_cast<Index *>(job.values_out);
    std::iota(first, first + job.count, Index(0));
    std::stable_sort(first, first + job.count,
                     [&columns](Index a, Index b) { return columns.precedes(a, b); });
}

static bool sort_indexes(const job *job, void *state)
{
    const auto &arrays = *static_cast<columns *>(state);
    if (job->spec.value_size == sizeof(std::uint32_t))
        lexsort<std::uint32_t>(*job, arrays);
    else
        lexsort<std::uint64_t>(*job, arrays);
    return true;
}

static bool have_indexes(const job *, void *)
{
    return true;
}

static constexpr peer make()
{
    peer made = {};
    made.name = "std-lexsort";
    made.runs_on = "one core";
    made.operations = PEER_HAS(OP_COLUMNS);
    made.stable = true;
    made.version = STD_LIBRARY;
    made.open = open_columns;
    made.close = close_columns;
    made.prepare = clear_indexes;
    made.sort = sort_indexes;
    made.finish = have_indexes;
    return made;
}

const peer peer_std_lexsort = make();
