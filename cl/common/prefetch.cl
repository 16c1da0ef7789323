// prefetch.cl - requests cache lines that are read in random order soon
//
// Variants with one work-item per core prefetch, since a core waits for its reads. On GPUs, other work-items hide
// the latency.
#ifndef CLSORT_COMMON_PREFETCH_CL
#define CLSORT_COMMON_PREFETCH_CL

#include "common/work_group.cl"

#define CACHE_LINE 64

// Oclgrind does not support the builtin.
#if GROUP_SIZE == 1 && (defined(__x86_64__) || defined(__aarch64__)) && defined(__has_builtin)
#if __has_builtin(__builtin_prefetch)
#define PREFETCHES 1
#endif
#endif
#ifndef PREFETCHES
#define PREFETCHES 0
#endif

// Prefetches the lines of some bytes.
static inline void prefetch_bytes(__global const uchar *at, const uint bytes)
{
#if PREFETCHES
    for (uint i = 0; i < bytes; i += CACHE_LINE) {
        __builtin_prefetch(at + i);
    }
    __builtin_prefetch(at + bytes - 1);
#endif
}

#endif
