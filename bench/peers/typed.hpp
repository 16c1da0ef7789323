// typed.hpp - calls a sort template with the element type of a job, which is known only at run time
#ifndef CLSORT_BENCH_TYPED_HPP
#define CLSORT_BENCH_TYPED_HPP

#include "host_array.h"

#include <array>
#include <cstdint>
#include <limits>
#include <type_traits>

template <class T> struct as_is {
    using type = T;
    static T order(T key)
    {
        return key;
    }
};

// Floats are compared in IEEE total order, as in clsort, because < is not an order of NaNs: as
// signed integers, after the bits below the sign of negative numbers are inverted.
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

// Returns the key of an element, which is a key or a record.
template <class Key> Key key_of(Key key)
{
    return key;
}

template <class Key, class Value> Key key_of(const record<Key, Value> &element)
{
    return element.key;
}

template <class Traits> struct by_key {
    template <class Element> bool operator()(const Element &a, const Element &b) const
    {
        return Traits::order(key_of(a)) < Traits::order(key_of(b));
    }
};

// Calls sort(first, last, by_key) for keys without values.
template <class Traits, class Sort> void sort_keys(const job &job, Sort sort)
{
    auto first = static_cast<typename Traits::type *>(host_array(&job));
    sort(first, first + job.count, by_key<Traits>());
}

// Calls sort(first, last, by_key) for records.
template <class Traits, class Value, class Sort> void sort_records(const job &job, Sort sort)
{
    using element = record<typename Traits::type, Value>;
    static_assert(sizeof(element) == RECORD_SIZE(sizeof(element::key), sizeof(Value)));
    auto first = static_cast<element *>(host_array(&job));
    sort(first, first + job.count, by_key<Traits>());
}

template <class Traits, class Sort> void sort_elements(const job &job, Sort sort)
{
    switch (job.spec.value_size) {
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

// Keys of 64 bits in a custom order (order.h).
struct halves {
    std::uint32_t lower, upper;
};

struct by_halves {
    bool operator()(const halves &a, const halves &b) const
    {
        return a.upper < b.upper || (a.upper == b.upper && a.lower > b.lower);
    }
};

template <class Sort> void sort_halves(const job &job, Sort sort)
{
    auto first = static_cast<halves *>(host_array(&job));
    sort(first, first + job.count, by_halves());
}

// Calls call(traits) with the traits of the key type.
template <class Call> void with_traits(clsort_key key, Call call)
{
    switch (key) {
    case CLSORT_U8:
        return call(as_is<std::uint8_t>());
    case CLSORT_U16:
        return call(as_is<std::uint16_t>());
    case CLSORT_U32:
        return call(as_is<std::uint32_t>());
    case CLSORT_U64:
        return call(as_is<std::uint64_t>());
    case CLSORT_I8:
        return call(as_is<std::int8_t>());
    case CLSORT_I16:
        return call(as_is<std::int16_t>());
    case CLSORT_I32:
        return call(as_is<std::int32_t>());
    case CLSORT_I64:
        return call(as_is<std::int64_t>());
    case CLSORT_F16:
        return call(ieee<std::int16_t>());
    case CLSORT_F32:
        return call(ieee<std::int32_t>());
    case CLSORT_F64:
        return call(ieee<std::int64_t>());
    case CLSORT_CUSTOM: // neither is a data_type
    case CLSORT_BYTES:
        return;
    }
}

// Calls sort(first, last, less) once, with pointers to the elements of the job's host array.
template <class Sort> void typed_sort(const job &job, Sort sort)
{
    if (job.spec.op == OP_CUSTOM && job.spec.type->key == CLSORT_U64)
        return sort_halves(job, sort);
    with_traits(job.spec.type->key,
                [&](auto traits) { sort_elements<decltype(traits)>(job, sort); });
}

// Does the same, but only for the sorts that peers_same_width_unsupported allows. Large sort
// templates would take minutes to compile for all types of elements.
template <class Sort> void typed_sort_same_width(const job &job, Sort sort)
{
    if (job.spec.op == OP_CUSTOM && job.spec.type->key == CLSORT_U64)
        return sort_halves(job, sort);
    with_traits(job.spec.type->key, [&](auto traits) {
        using key = typename decltype(traits)::type;
        if (!job.spec.value_size)
            sort_keys<decltype(traits)>(job, sort);
        else if constexpr (std::is_same_v<key, std::uint32_t> || std::is_same_v<key, std::uint64_t>)
            sort_records<decltype(traits), key>(job, sort);
    });
}

// Returns a peer that sorts the host array of a job.
constexpr peer typed_peer(const char *name, const char *runs_on, const char *version,
                          decltype(peer::unsupported) unsupported, decltype(peer::sort) sort)
{
    peer made = {};
    made.name = name;
    made.runs_on = runs_on;
    made.operations = PEER_SORTS;
    made.version = version;
    made.unsupported = unsupported;
    made.prepare = host_array_prepare;
    made.sort = sort;
    made.finish = host_array_finish;
    return made;
}

#endif
