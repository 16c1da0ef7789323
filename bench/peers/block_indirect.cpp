// block_indirect.cpp - peer: Boost's block_indirect_sort
#include "peers.h"
#include "typed.hpp"

#include <boost/sort/block_indirect_sort/block_indirect_sort.hpp>

static bool sort(const job *job, void *)
{
    typed_sort_same_width(*job, [](auto first, auto last, auto less) {
        boost::sort::block_indirect_sort(first, last, less);
    });
    return true;
}

const peer peer_block_indirect_sort =
    typed_peer("block_indirect_sort", "all cores", "Boost " CLSORT_BENCH_BOOST,
               peers_same_width_unsupported, sort);
