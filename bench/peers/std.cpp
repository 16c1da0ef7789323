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

// Stability of keys without values is not observable.
static const char *stable_unsupported(const spec *spec)
{
    return spec->value_size || spec->custom ? host_array_unsupported(spec)
                                            : "stability matters for pairs and custom orders only";
}

static constexpr peer stable(peer made)
{
    made.stable = true;
    return made;
}

const peer peer_std_sort =
    typed_peer("std::sort", "one core", LIBRARY, host_array_unsupported, sort);
const peer peer_std_stable_sort =
    stable(typed_peer("std::stable_sort", "one core", LIBRARY, stable_unsupported, stable_sort));
