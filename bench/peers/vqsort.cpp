// vqsort.cpp - peer: vqsort of Highway
//
// vqsort orders floats by <, which is not an order of NaNs, and uniform floats include NaNs. For
// the total order, floats are therefore mapped to integers and back, and its time includes both
// conversions. Its sorts of pairs are not stable.
#include "host_array.h"
#include "peers.h"

#include <cstdint>
#include <hwy/contrib/sort/vqsort.h>
#include <limits>
#include <new>

static bool open(const job *, const char *, void **state)
{
    *state = new (std::nothrow) hwy::Sorter;
    return *state;
}

static void close(void *state)
{
    delete static_cast<hwy::Sorter *>(state);
}

template <class Element> static void sort_as(const job &job, void *state)
{
    const auto &sorter = *static_cast<hwy::Sorter *>(state);
    auto *const elements = static_cast<Element *>(host_array(&job));
    if (!job.offsets)
        sorter(elements, job.count, hwy::SortAscending());
    for (std::size_t i = 0; i < job.segment_count; i++)
        sorter(elements + job.offsets[i], job.offsets[i + 1] - job.offsets[i],
               hwy::SortAscending());
}

// Maps the bits of floats to signed integers of the same order, and back.
template <class T> static void map_floats(const job &job)
{
    T *keys = static_cast<T *>(host_array(&job));
    for (std::size_t i = 0; i < job.count; i++)
        keys[i] = static_cast<T>(
            keys[i] ^ (keys[i] >> std::numeric_limits<T>::digits & std::numeric_limits<T>::max()));
}

template <class T> static void sort_floats(const job &job, void *state)
{
    map_floats<T>(job);
    sort_as<T>(job, state);
    map_floats<T>(job);
}

static bool sort(const job *job, void *state)
{
    const bool pairs = job->spec.value_size != 0;
    switch (job->spec.type->key) {
    case CLSORT_U16:
        sort_as<std::uint16_t>(*job, state);
        return true;
    case CLSORT_U32:
        pairs ? sort_as<hwy::K32V32>(*job, state) : sort_as<std::uint32_t>(*job, state);
        return true;
    case CLSORT_U64:
        pairs ? sort_as<hwy::K64V64>(*job, state) : sort_as<std::uint64_t>(*job, state);
        return true;
    case CLSORT_I16:
        sort_as<std::int16_t>(*job, state);
        return true;
    case CLSORT_I32:
        sort_as<std::int32_t>(*job, state);
        return true;
    case CLSORT_I64:
        sort_as<std::int64_t>(*job, state);
        return true;
    case CLSORT_F16:
        sort_floats<std::int16_t>(*job, state);
        return true;
    case CLSORT_F32:
        sort_floats<std::int32_t>(*job, state);
        return true;
    case CLSORT_F64:
        sort_floats<std::int64_t>(*job, state);
        return true;
    default: // unsupported() rejects all others
        return false;
    }
}

// vqsort's structs of key and value have the size of the other peers' structs, but begin with the
// value.
template <class Pair, class Word> static void join(const job &job)
{
    const Word *keys = static_cast<const Word *>(job.keys);
    const Word *values = static_cast<const Word *>(job.values);
    Pair *pairs = static_cast<Pair *>(host_array(&job));
    for (std::size_t i = 0; i < job.count; i++) {
        pairs[i].key = keys[i];
        pairs[i].value = values[i];
    }
}

template <class Pair, class Word> static void split(const job &job)
{
    Word *keys = static_cast<Word *>(job.keys_out);
    Word *values = static_cast<Word *>(job.values_out);
    const Pair *pairs = static_cast<const Pair *>(host_array(&job));
    for (std::size_t i = 0; i < job.count; i++) {
        keys[i] = pairs[i].key;
        values[i] = pairs[i].value;
    }
}

static bool prepare(const job *job, void *state)
{
    if (!job->spec.value_size)
        return host_array_prepare(job, state);
    job->spec.value_size == sizeof(std::uint32_t) ? join<hwy::K32V32, std::uint32_t>(*job)
                                                  : join<hwy::K64V64, std::uint64_t>(*job);
    return true;
}

static bool finish(const job *job, void *state)
{
    if (!job->spec.value_size)
        return host_array_finish(job, state);
    job->spec.value_size == sizeof(std::uint32_t) ? split<hwy::K32V32, std::uint32_t>(*job)
                                                  : split<hwy::K64V64, std::uint64_t>(*job);
    return true;
}

// With AVX2, Highway 1.0.3 overwrites values of pairs of u32 that have equal keys with copies of
// others.
static bool keeps_values()
{
    constexpr std::uint32_t COUNT = 64;
    hwy::K32V32 pairs[COUNT];
    hwy::Sorter sorter;
    std::uint64_t values = 0;
    for (std::uint32_t i = 0; i < COUNT; i++) {
        pairs[i].key = i % 4;
        pairs[i].value = i;
    }
    sorter(pairs, COUNT, hwy::SortAscending());
    for (const hwy::K32V32 &pair : pairs)
        values |= std::uint64_t{1} << pair.value % COUNT;
    return values == std::numeric_limits<std::uint64_t>::max();
}

static const char *unsupported(const spec *spec)
{
    if (spec->op == OP_CUSTOM)
        return "it does not support custom orders";
    if (spec->type->size == 1)
        return "it supports keys of 2, 4 or 8 bytes only";
    if (const char *reason = peers_same_width_unsupported(spec))
        return reason;
    if (spec->type->key == CLSORT_U32 && spec->value_size > 0 && !keeps_values())
        return "this version loses values of equal keys on this CPU";
    return nullptr;
}

static constexpr peer make()
{
    peer made = {};
    made.name = "vqsort";
    made.runs_on = "one core";
    made.operations = PEER_SORTS | PEER_HAS(OP_SEGMENTS);
    made.version = "Highway " CLSORT_BENCH_HWY;
    made.slow_cause =
        "an old version on an AMD CPU, where compress-stores of AVX-512 are slow, or "
        "a CPU without AVX2";
    made.unsupported = unsupported;
    made.open = open;
    made.close = close;
    made.prepare = prepare;
    made.sort = sort;
    made.finish = finish;
    return made;
}

const peer peer_vqsort = make();
