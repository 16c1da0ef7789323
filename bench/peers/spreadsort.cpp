// spreadsort.cpp - peer: Boost's spreadsort
#include "peers.h"
#include "typed.hpp"

#include <boost/sort/spreadsort/integer_sort.hpp>
#include <functional>

// spreadsort compares elements and also takes bits of them, as numbers of the same order. These
// must be unsigned: with signed numbers it computes max - min in a type that can overflow. Floats
// use integer_sort too, because float_sort does not sort NaNs.
template <class Traits> struct bits_of_key {
    template <class Element> auto operator()(const Element &element, unsigned lowest) const
    {
        using key = typename Traits::type;
        using number = std::make_unsigned_t<key>;
        constexpr number smallest = static_cast<number>(std::numeric_limits<key>::min());
        return static_cast<number>(static_cast<number>(Traits::order(key_of(element))) ^
                                   smallest) >>
               lowest;
    }
};

template <class Element, class Traits>
static void sort_range(Element *first, Element *last, by_key<Traits> less)
{
    boost::sort::spreadsort::integer_sort(first, last, bits_of_key<Traits>(), less);
}

// With std::less, spreadsort sorts small buckets faster.
template <class T> static void sort_range(T *first, T *last, by_key<as_is<T>>)
{
    boost::sort::spreadsort::integer_sort(first, last, bits_of_key<as_is<T>>(), std::less<T>());
}

static bool sort(const job *job, void *)
{
    // by_halves cannot occur: unsupported() rejects custom orders.
    typed_sort_same_width(*job, [](auto first, auto last, auto less) {
        if constexpr (!std::is_same_v<decltype(less), by_halves>)
            sort_range(first, last, less);
    });
    return true;
}

static const char *unsupported(const spec *spec)
{
    return spec->op == OP_CUSTOM ? "it does not support custom orders"
                                 : peers_same_width_unsupported(spec);
}

const peer peer_spreadsort =
    typed_peer("spreadsort", "one core", "Boost " CLSORT_BENCH_BOOST, unsupported, sort);
