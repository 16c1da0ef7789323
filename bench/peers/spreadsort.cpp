// spreadsort.cpp - peer: Boost's spreadsort
#include "peers.h"
#include "typed.hpp"

#include <boost/sort/spreadsort/integer_sort.hpp>
#include <functional>

// Besides comparing elements it takes bits of them, as numbers of the same order. They are unsigned: with signed ones
// it computes the difference of the largest and the smallest in a type that cannot hold it. That also makes one
// function of its integer_sort and float_sort, of which the latter would leave NaNs where they are.
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

// With std::less, which it knows to be cheap, it sorts small buckets faster.
template <class T> static void sort_range(T *first, T *last, by_key<as_is<T>>)
{
    boost::sort::spreadsort::integer_sort(first, last, bits_of_key<as_is<T>>(), std::less<T>());
}

static bool sort(const job *job, void *)
{
    // The order of halves is none of its own: objection keeps it away.
    typed_sort_twins(*job, [](auto first, auto last, auto less) {
        if constexpr (!std::is_same_v<decltype(less), by_halves>)
            sort_range(first, last, less);
    });
    return true;
}

static const char *objection(const shape *shape)
{
    return shape->custom ? "it sorts by the bits of numbers, not in orders of one's own"
                         : peers_twins_objection(shape);
}

const peer peer_spreadsort =
    typed_peer("spreadsort", "one core", "Boost " CLSORT_BENCH_BOOST, objection, sort);
