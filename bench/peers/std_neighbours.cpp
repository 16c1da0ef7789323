// std_neighbours.cpp - peers: std::unique_copy and std::is_sorted_until
#include "peers.h"
#include "std_library.hpp"
#include "typed.hpp"

#include <algorithm>
#include <cstring>

// Calls call(first, last, traits) with pointers to the keys of the input.
template <class Call> static void with_keys(const job &job, Call call)
{
    with_traits(job.spec.type->key, [&](auto traits) {
        using key = typename decltype(traits)::type;
        const auto *const first = static_cast<const key *>(job.keys);
        call(first, first + job.count, traits);
    });
}

// Keys are equal in IEEE total order if their bits are, which are integers here.
static bool unique_copy(const job *job, void *)
{
    with_keys(*job, [job](auto first, auto last, auto traits) {
        auto *const out = static_cast<typename decltype(traits)::type *>(job->keys_out);
        *job->number = static_cast<std::uint64_t>(std::unique_copy(first, last, out) - out);
    });
    return true;
}

static bool is_sorted_until(const job *job, void *)
{
    with_keys(*job, [job](auto first, auto last, auto traits) {
        const auto *const until = std::is_sorted_until(first, last, by_key<decltype(traits)>());
        *job->number = static_cast<std::uint64_t>(until - first);
    });
    return true;
}

// Clears the output, so that the result of the last run cannot pass for that of this one.
static bool clear_output(const job *job, void *)
{
    *job->number = 0;
    std::memset(job->keys_out, 0, job->count * job->spec.type->size);
    return true;
}

static bool have_result(const job *, void *)
{
    return true;
}

static constexpr peer make(const char *name, unsigned operations, decltype(peer::sort) sort)
{
    peer made = {};
    made.name = name;
    made.runs_on = "one core";
    made.operations = operations;
    made.version = STD_LIBRARY;
    made.prepare = clear_output;
    made.sort = sort;
    made.finish = have_result;
    return made;
}

const peer peer_std_unique_copy = make("std::unique_copy", PEER_HAS(OP_UNIQUE), unique_copy);
const peer peer_std_is_sorted_until =
    make("std::is_sorted_until", PEER_HAS(OP_CHECK), is_sorted_until);
