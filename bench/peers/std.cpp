// std.cpp - peers: std::sort and std::stable_sort
#include "peers.h"
#include "text.h"
#include "typed.hpp"

#include <algorithm>

#ifdef _LIBCPP_VERSION
#define LIBRARY "libc++ " TEXT(_LIBCPP_VERSION)
#else
#define LIBRARY "libstdc++ " TEXT(_GLIBCXX_RELEASE)
#endif

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

static constexpr peer stable(peer made)
{
    made.stable = true;
    return made;
}

const peer peer_std_sort = typed_peer("std::sort", "one core", LIBRARY, host_array_objection, sort);
const peer peer_std_stable_sort =
    stable(typed_peer("std::stable_sort", "one core", LIBRARY, stable_objection, stable_sort));
