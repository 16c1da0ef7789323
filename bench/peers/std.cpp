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
    return shape->value_size || shape->custom ? host_array_objection(shape)
                                              : "it is of use for pairs and custom orders only";
}

static constexpr peer on_one_core(const char *name, bool stable,
                                  decltype(peer::objection) objection, decltype(peer::sort) sort)
{
    peer made = {};
    made.name = name;
    made.place = "one core";
    made.stable = stable;
    made.objection = objection;
    made.prepare = host_array_prepare;
    made.sort = sort;
    made.finish = host_array_finish;
    return made;
}

const peer peer_std_sort = on_one_core("std::sort", false, host_array_objection, sort);
const peer peer_std_stable_sort =
    on_one_core("std::stable_sort", true, stable_objection, stable_sort);
