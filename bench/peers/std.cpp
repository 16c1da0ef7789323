// std.cpp - peers: std::sort, std::stable_sort and std::merge
#include "peers.h"
#include "rows.hpp"
#include "std_library.hpp"
#include "typed.hpp"

#include <algorithm>
#include <cstring>
#include <err.h>
#include <new>
#include <type_traits>
#include <vector>

// Calls sort(first, last, less) with pointers to the keys, pairs or rows of the job's host array.
template <class Sort> static void sort_any(const job &job, Sort sort)
{
    if (job.spec.rows)
        sort_rows(job, sort);
    else
        typed_sort(job, sort);
}

static bool sort(const job *job, void *)
{
    sort_any(*job, [](auto first, auto last, auto less) { std::sort(first, last, less); });
    return true;
}

static bool stable_sort(const job *job, void *)
{
    sort_any(*job, [](auto first, auto last, auto less) { std::stable_sort(first, last, less); });
    return true;
}

// Stability of keys without values is not observable.
static const char *stable_unsupported(const spec *spec)
{
    return spec->value_size || spec->op == OP_CUSTOM ||
                   (spec->rows && spec->rows->payload_offset > 0)
               ? host_array_unsupported(spec)
               : "stability matters for pairs, records and custom orders only";
}

static constexpr peer stable(peer made)
{
    made.stable = true;
    return made;
}

static constexpr peer with_rows(peer made)
{
    made.operations |= PEER_SORTS_ROWS;
    return made;
}

const peer peer_std_sort =
    with_rows(typed_peer("std::sort", "one core", STD_LIBRARY, host_array_unsupported, sort));
const peer peer_std_stable_sort = stable(with_rows(
    typed_peer("std::stable_sort", "one core", STD_LIBRARY, stable_unsupported, stable_sort)));

// -- std::merge --
//
// Pairs are merged as arrays of structs of key and value, from an array that is made before to the
// host array of the job. std::merge is stable.

using elements = std::vector<unsigned char>;

static bool merge_open(const job *job, const char *, void **state)
{
    if (!job->records)
        return true;
    host_array_prepare(job, nullptr);
    const auto *first = static_cast<const unsigned char *>(job->records);
    try {
        *state = new elements(first, first + job->count * host_array_record_size(&job->spec));
        return true;
    } catch (const std::bad_alloc &) {
        warnx("std::merge, n = %zu: out of memory", job->count);
        return false;
    }
}

static void merge_close(void *state)
{
    delete static_cast<elements *>(state);
}

// Clears the output, so that the result of the last run cannot pass for that of this one.
static bool merge_prepare(const job *job, void *)
{
    const std::size_t size =
        job->records ? host_array_record_size(&job->spec) : job->spec.type->size;
    std::memset(host_array(job), 0, job->count * size);
    return true;
}

static bool merge(const job *job, void *state)
{
    const void *const input = state ? static_cast<elements *>(state)->data() : job->keys;
    typed_sort(*job, [&](auto out, auto, auto less) {
        using element = std::remove_pointer_t<decltype(out)>;
        const auto *const first = static_cast<const element *>(input);
        const auto *const second = first + job_first_count(job);
        std::merge(first, second, second, first + job->count, out, less);
    });
    return true;
}

static constexpr peer merge_peer()
{
    peer made =
        stable(typed_peer("std::merge", "one core", STD_LIBRARY, host_array_unsupported, merge));
    made.operations = PEER_HAS(OP_MERGE);
    made.open = merge_open;
    made.close = merge_close;
    made.prepare = merge_prepare;
    return made;
}

const peer peer_std_merge = merge_peer();
