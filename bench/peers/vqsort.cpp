// vqsort.cpp - peer: vqsort of Highway
//
// Its order of floats is that of <, to which NaNs are a stumbling block, and uniform floats, every bit random, have
// them. Who wants the total order of vqsort maps floats to integers and back; both are in its time, as comparing
// in that order is in std::sort's. Its pairs are ordered by key and come as they like where keys are equal.
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
    sorter(static_cast<Element *>(host_array(&job)), job.count, hwy::SortAscending());
}

// Bits of a float to a signed number of the same order, and back.
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
    const bool pairs = job->shape.value_size != 0;
    switch (job->shape.type->key) {
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
    default: // objection keeps them away
        return false;
    }
}

// Its structs of key and value are as large as those of other peers, but begin with the value.
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
    if (!job->shape.value_size)
        return host_array_prepare(job, state);
    job->shape.value_size == sizeof(std::uint32_t) ? join<hwy::K32V32, std::uint32_t>(*job)
                                                   : join<hwy::K64V64, std::uint64_t>(*job);
    return true;
}

static bool finish(const job *job, void *state)
{
    if (!job->shape.value_size)
        return host_array_finish(job, state);
    job->shape.value_size == sizeof(std::uint32_t) ? split<hwy::K32V32, std::uint32_t>(*job)
                                                   : split<hwy::K64V64, std::uint64_t>(*job);
    return true;
}

static const char *objection(const shape *shape)
{
    if (shape->custom)
        return "it has no orders of one's own";
    if (shape->type->size == 1)
        return "its keys are of 2, 4 or 8 bytes";
    return peers_twins_objection(shape);
}

static constexpr peer make()
{
    peer made = {};
    made.name = "vqsort";
    made.place = "one core";
    made.version = "Highway " CLSORT_BENCH_HWY;
    made.objection = objection;
    made.open = open;
    made.close = close;
    made.prepare = prepare;
    made.sort = sort;
    made.finish = finish;
    return made;
}

const peer peer_vqsort = make();
