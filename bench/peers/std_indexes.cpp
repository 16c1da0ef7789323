// std_indexes.cpp - peers: std::stable_sort of indexes by keys and by columns, std::partial_sort and std::nth_element
#include "peers.h"
#include "std_library.hpp"
#include "typed.hpp"

#include <algorithm>
#include <cstring>
#include <err.h>
#include <new>
#include <numeric>
#include <vector>

static constexpr peer make(const char *name, unsigned operations)
{
    peer made = {};
    made.name = name;
    made.runs_on = "one core";
    made.operations = operations;
    made.version = STD_LIBRARY;
    return made;
}

// -- the permutation --
//
// The keys are not moved. The time includes that of numbering the elements, as for clsort.

template <class Index, class Less> static void argsort(const job &job, Less less)
{
    auto *const first = static_cast<Index *>(job.values_out);
    std::iota(first, first + job.count, Index(0));
    std::stable_sort(first, first + job.count, less);
}

// less(a, b) compares the elements with these indexes.
template <class Less> static void argsort_by(const job &job, Less less)
{
    if (job.spec.value_size == sizeof(std::uint32_t))
        argsort<std::uint32_t>(job, less);
    else
        argsort<std::uint64_t>(job, less);
}

static bool sort_indexes(const job *job, void *)
{
    with_traits(job->spec.type->key, [&](auto traits) {
        using Traits = decltype(traits);
        const auto *const keys = static_cast<const typename Traits::type *>(job->keys);
        argsort_by(*job, [keys](auto a, auto b) {
            return Traits::order(keys[a]) < Traits::order(keys[b]);
        });
    });
    return true;
}

// Clears the output, so that the result of the last run cannot pass for that of this one.
static bool clear_indexes(const job *job, void *)
{
    std::memset(job->values_out, 0, job->count * job->spec.value_size);
    return true;
}

static bool have_indexes(const job *, void *)
{
    return true;
}

static constexpr peer argsort_peer(const char *name, unsigned operations, decltype(peer::sort) sort)
{
    peer made = make(name, operations);
    made.stable = true;
    made.prepare = clear_indexes;
    made.sort = sort;
    made.finish = have_indexes;
    return made;
}

const peer peer_std_argsort = argsort_peer("std-argsort", PEER_HAS(OP_ARGSORT), sort_indexes);

// -- the permutation by several columns --

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

static bool sort_by_columns(const job *job, void *state)
{
    const auto *const arrays = static_cast<const columns *>(state);
    argsort_by(*job, [arrays](auto a, auto b) { return arrays->precedes(a, b); });
    return true;
}

static constexpr peer lexsort_peer()
{
    peer made = argsort_peer("std-lexsort", PEER_HAS(OP_COLUMNS), sort_by_columns);
    made.open = open_columns;
    made.close = close_columns;
    return made;
}

const peer peer_std_lexsort = lexsort_peer();

// -- selections --
//
// They reorder a copy of the keys, and do not find indexes. The copy is not timed.

using elements = std::vector<unsigned char>;

static bool select_open(const job *job, const char *, void **state)
{
    try {
        *state = new elements(job->count * job->spec.type->size);
        return true;
    } catch (const std::bad_alloc &) {
        warnx("std::partial_sort or std::nth_element, n = %zu: out of memory", job->count);
        return false;
    }
}

static void select_close(void *state)
{
    delete static_cast<elements *>(state);
}

static bool select_prepare(const job *job, void *state)
{
    auto &copy = *static_cast<elements *>(state);
    std::memcpy(copy.data(), job->keys, copy.size());
    return true;
}

static bool select_finish(const job *job, void *state)
{
    const std::size_t size = job->spec.type->size, first = job->spec.op == OP_NTH ? job->k : 0;
    std::memcpy(job->keys_out, static_cast<elements *>(state)->data() + first * size,
                job->result_count * size);
    return true;
}

// Calls select(first, last, less) with pointers to the copy of the keys.
template <class Select> static void typed_select(const job &job, void *state, Select select)
{
    with_traits(job.spec.type->key, [&](auto traits) {
        using key = typename decltype(traits)::type;
        auto *const first = reinterpret_cast<key *>(static_cast<elements *>(state)->data());
        select(first, first + job.count, by_key<decltype(traits)>());
    });
}

static bool partial_sort(const job *job, void *state)
{
    typed_select(*job, state, [job](auto first, auto last, auto less) {
        std::partial_sort(first, first + job->k, last, less);
    });
    return true;
}

static bool nth_element(const job *job, void *state)
{
    const std::size_t nth = job->spec.op == OP_NTH ? job->k : job->k - 1;
    typed_select(*job, state, [nth](auto first, auto last, auto less) {
        std::nth_element(first, first + nth, last, less);
    });
    return true;
}

static const char *partial_sort_unsupported(const spec *spec)
{
    return spec->input_order ? "it sorts the keys that it selects" : nullptr;
}

static const char *nth_element_unsupported(const spec *spec)
{
    return spec->op == OP_TOP && !spec->input_order ? "it does not sort the keys that it selects"
                                                    : nullptr;
}

static constexpr peer select_peer(const char *name, unsigned operations,
                                  decltype(peer::unsupported) unsupported,
                                  decltype(peer::sort) select)
{
    peer made = make(name, operations);
    made.keys_only = true;
    made.unsupported = unsupported;
    made.open = select_open;
    made.close = select_close;
    made.prepare = select_prepare;
    made.sort = select;
    made.finish = select_finish;
    return made;
}

const peer peer_std_partial_sort =
    select_peer("std::partial_sort", PEER_HAS(OP_TOP), partial_sort_unsupported, partial_sort);
const peer peer_std_nth_element = select_peer(
    "std::nth_element", PEER_HAS(OP_TOP) | PEER_HAS(OP_NTH), nth_element_unsupported, nth_element);
