// std.cpp - peers: std::sort and std::stable_sort
#include "peers.h"
#include "typed.hpp"

#include <algorithm>

static bool sort(const job *job, void *)
{
    typed_sort(*job, [](auto first, auto last, auto less) { std::sort(first, last, less); });
    return true;
}

static bool stable_sort(const job *job, void *)
{
    typed_sort(*job, [](auto first, auto last, auto less) { std::stable_sort(first, last, less); });
    return true;
}

// Whether equal keys alone keep their order cannot be seen, so nobody would pay for it.
static const char *stable_objection(const shape *shape)
{
    return shape->value_size ? host_array_objection(shape) : "it is of use for pairs only";
}

const peer peer_std_sort = {
    "std::sort", "one core",         false, host_array_objection, nullptr,
    nullptr,     host_array_prepare, sort,  host_array_finish,
};

const peer peer_std_stable_sort = {
    "std::stable_sort", "one core",  true,
    stable_objection,   nullptr,     nullptr,
    host_array_prepare, stable_sort, host_array_finish,
};
