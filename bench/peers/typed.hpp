// typed.hpp - from a job, whose types are known when it runs, to a sort of typed elements
#ifndef CLSORT_BENCH_TYPED_HPP
#define CLSORT_BENCH_TYPED_HPP

#include "host_array.h"

#include <array>
#include <cstdint>
#include <limits>

template <class T> struct as_is {
    using type = T;
    static T order(T key)
    {
        return key;
    }
};

// Floats are compared as clsort does, in IEEE total order, which is sound for NaNs too, where < is
// not: as signed numbers, once the bits below the sign of negative ones are flipped.
template <class T> struct ieee {
    using type = T;
    static T order(T bits)
    {
        return bits < 0 ? static_cast<T>(bits ^ std::numeric_limits<T>::max()) : bits;
    }
};

template <class Key, class Value> struct record {
    Key key;
    Value value;
};

// Calls sort(first, last, less) for keys alone.
template <class Traits, class Sort> void sort_keys(const job &job, Sort sort)
{
    auto first = static_cast<typename Traits::type *>(host_array(&job));
    sort(first, first + job.count,
         [](auto a, auto b) { return Traits::order(a) < Traits::order(b); });
}

// Calls sort(first, last, less) for records, which are compared by their keys.
template <class Traits, class Value, class Sort> void sort_records(const job &job, Sort sort)
{
    using element = record<typename Traits::type, Value>;
    static_assert(sizeof(element) == RECORD_SIZE(sizeof(element::key), sizeof(Value)));
    auto first = static_cast<element *>(host_array(&job));
    sort(first, first + job.count, [](const element &a, const element &b) {
        return Traits::order(a.key) < Traits::order(b.key);
    });
}

template <class Traits, class Sort> void sort_elements(const job &job, Sort sort)
{
    switch (job.shape.value_size) {
    case 0:
        return sort_keys<Traits>(job, sort);
    case 1:
        return sort_records<Traits, std::uint8_t>(job, sort);
    case 2:
        return sort_records<Traits, std::uint16_t>(job, sort);
    case 4:
        return sort_records<Traits, std::uint32_t>(job, sort);
    case 8:
        return sort_records<Traits, std::uint64_t>(job, sort);
    case 16:
        return sort_records<Traits, std::array<std::uint64_t, 2>>(job, sort);
    }
}

// What a custom order sees in keys of 64 bits (order.h).
struct halves {
    std::uint32_t lower, upper;
};

template <class Sort> void sort_halves(const job &job, Sort sort)
{
    auto first = static_cast<halves *>(host_array(&job));
    sort(first, first + job.count, [](const halves &a, const halves &b) {
        return a.upper < b.upper || (a.upper == b.upper && a.lower > b.lower);
    });
}

// Calls sort(first, last, less) once, with pointers to the elements of the job's host array.
template <class Sort> void typed_sort(const job &job, Sort sort)
{
    switch (job.shape.type->key) {
    case CLSORT_U8:
        return sort_elements<as_is<std::uint8_t>>(job, sort);
    case CLSORT_U16:
        return sort_elements<as_is<std::uint16_t>>(job, sort);
    case CLSORT_U32:
        return sort_elements<as_is<std::uint32_t>>(job, sort);
    case CLSORT_U64:
        return job.shape.custom ? sort_halves(job, sort)
                                : sort_elements<as_is<std::uint64_t>>(job, sort);
    case CLSORT_I8:
        return sort_elements<as_is<std::int8_t>>(job, sort);
    case CLSORT_I16:
        return sort_elements<as_is<std::int16_t>>(job, sort);
    case CLSORT_I32:
        return sort_elements<as_is<std::int32_t>>(job, sort);
    case CLSORT_I64:
        return sort_elements<as_is<std::int64_t>>(job, sort);
    case CLSORT_F16:
        return sort_elements<ieee<std::int16_t>>(job, sort);
    case CLSORT_F32:
        return sort_elements<ieee<std::int32_t>>(job, sort);
    case CLSORT_F64:
        return sort_elements<ieee<std::int64_t>>(job, sort);
    case CLSORT_CUSTOM: // of no data_type
        return;
    }
}

#endif
