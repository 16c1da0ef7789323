/* absent.c - placeholders for peers whose libraries were not found at build time */
#include "peers.h"

#define ABSENT(peer_name, package)                                                                 \
    {                                                                                              \
        .name = peer_name, .missing = package                                                      \
    }

#ifndef CLSORT_BENCH_BOOST
const struct peer peer_spreadsort = ABSENT("spreadsort", "libboost-dev");
const struct peer peer_block_indirect_sort = ABSENT("block_indirect_sort", "libboost-dev");
const struct peer peer_boost_compute = ABSENT("Boost.Compute", "libboost-dev");
#endif

#ifndef CLSORT_BENCH_CUB
const struct peer peer_cub = ABSENT("cub", "nvidia-cuda-toolkit");
const struct peer peer_cub_64 = ABSENT("cub-64", "nvidia-cuda-toolkit");
const struct peer peer_cub_segmented = ABSENT("cub-segmented", "nvidia-cuda-toolkit");
const struct peer peer_cub_full_sort = ABSENT("cub-full-sort", "nvidia-cuda-toolkit");
const struct peer peer_cub_unique = ABSENT("cub-unique", "nvidia-cuda-toolkit");
const struct peer peer_cub_gather = ABSENT("cub-gather", "nvidia-cuda-toolkit");
#endif

#ifndef CLSORT_BENCH_CUB_WIDE_KEYS
const struct peer peer_cub_decomposer = ABSENT("cub-decomposer", "nvidia-cuda-toolkit>=12.3");
const struct peer peer_cub_int128 = ABSENT("cub-int128", "nvidia-cuda-toolkit>=12.3");
#endif

#ifndef CLSORT_BENCH_CUB_TOPK
const struct peer peer_cub_topk =
    ABSENT("cub-topk", "CLSORT_CCCL"); /* the CMake variable that names its headers */
#endif

#ifndef CLSORT_BENCH_TBB
const struct peer peer_tbb_parallel_sort = ABSENT("tbb::parallel_sort", "libtbb-dev");
#endif

#ifndef CLSORT_BENCH_HWY
const struct peer peer_vqsort = ABSENT("vqsort", "libhwy-dev");
#endif
