// tbb.cpp - peer: oneTBB's parallel_sort
#include "peers.h"
#include "typed.hpp"

#include <tbb/parallel_sort.h>

static bool sort(const job *job, void *)
{
    typed_sort_same_width(
        *job, [](auto first, auto last, auto less) { tbb::parallel_sort(first, last, less); });
    return true;
}

const peer peer_tbb_parallel_sort =
    typed_peer("tbb::parallel_sort", "all cores", "oneTBB " CLSORT_BENCH_TBB,
               peers_same_width_unsupported, sort);
