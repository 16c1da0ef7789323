/* layout.h - constants and structs that the host and the kernel of hybrid share */
#ifndef CLSORT_HYBRID_LAYOUT_H
#define CLSORT_HYBRID_LAYOUT_H

#include "msd/layout.h"

/* The paths; 0: the kernel chooses. */
enum { CLS_HYBRID_MSD = 1, CLS_HYBRID_LSD = 2, CLS_HYBRID_SPLITTERS = 3 };

enum {
    CLS_HYBRID_SAMPLES = 2048,    /* keys of the sample */
    CLS_HYBRID_COUNTER_BITS = 11, /* log2 of the number of counters */
    /* The number of samples with the same hash above which their key is heavy. Different keys hardly have so many. */
    CLS_HYBRID_MAX_LIGHT = 8,
    /* The number of repeated light samples above which the heavy ones are considered, too. */
    CLS_HYBRID_MAX_LIGHT_REPEATED = CLS_HYBRID_SAMPLES / 64,
    /* The numbers of samples in large buckets, if all are light, above which LSD is faster, measured on NVIDIA GPUs:
     * with values; of keys of at most 4 bytes; of longer keys. */
    CLS_HYBRID_MAX_PAIRS = CLS_HYBRID_SAMPLES / 128,
    CLS_HYBRID_MAX_SHORT = CLS_HYBRID_SAMPLES / 4,
    CLS_HYBRID_MAX_LONG = CLS_HYBRID_SAMPLES / 16,
    /* The number of repeated samples above which there are few different keys. */
    CLS_HYBRID_FEW_KEYS = CLS_HYBRID_SAMPLES / 16 * 15,
    /* The number of mixed samples (choose.cl) above which MSD would not separate few different keys. */
    CLS_HYBRID_MAX_MIXED = CLS_HYBRID_SAMPLES / 4,
    /* The counts from which heavy keys are ignored: of keys of 8 bytes, and of shorter ones. */
    CLS_HYBRID_MANY_ELEMENTS = 1 << 23,
    CLS_HYBRID_MANY_SHORT = 1 << 25,
    /* The counts from which few different keys are sorted by MSD: keys of 8 bytes, and shorter ones. */
    CLS_HYBRID_FEW_LONG = CLS_HYBRID_MANY_ELEMENTS,
    CLS_HYBRID_FEW_SHORT = 1 << 19,
    /* The collisions (choose.cl) above which keys are divided unevenly, unless there are many of 8 bytes: 1.75 times
     * those of keys that are divided evenly. LSD sorts such keys if there are more than VERY_UNEVEN times as many
     * collisions, or if MSD would leave large buckets even with the widest digit in round 0. */
    CLS_HYBRID_MAX_COLLISIONS =
        (CLS_HYBRID_SAMPLES * CLS_HYBRID_SAMPLES / 4 * 7) >> CLS_HYBRID_COUNTER_BITS,
    CLS_HYBRID_VERY_UNEVEN = 4,
    /* The number of keys of 8 bytes that are many: further rounds of MSD then take less time than LSD if the keys are
     * divided unevenly. */
    CLS_HYBRID_UNEVEN_LONG = 1 << 20,
    /* A bin of the sample is crowded if it has more samples of different keys than MAX_IN_BIN: of keys that are divided
     * evenly, 8 in 100 are in such bins. If more than MAX_CROWDED are, LSD is faster, unless there are many keys of 8
     * bytes. */
    CLS_HYBRID_MAX_IN_BIN = 3,
    CLS_HYBRID_MAX_CROWDED = CLS_HYBRID_SAMPLES / 4,
    /* A bucket counts as large if it has more samples than LARGE_TILES small buckets are expected to
     * have, and MORE_SAMPLES more, which hardly happens by chance. */
    CLS_HYBRID_LARGE_TILES = 4,
    CLS_HYBRID_MORE_SAMPLES = 7,
    /* The mean number of occurrences of a key, and the number of samples that equal their neighbour,
     * above which LSD is faster if values move. */
    CLS_HYBRID_MAX_REPEATS = 64,
    CLS_HYBRID_MAX_NEIGHBOURS = CLS_HYBRID_SAMPLES / 16,
    /* Round 0 may divide by splitters if keys have this number of bytes. Those of fewer take fewer passes of LSD. */
    CLS_HYBRID_SPLIT_BYTES = 8,
    /* Two neighbours of the sorted sample are close if they differ by less than 2^-CLOSE_BITS of what CLOSE_SAMPLES of
     * them spread over; about 55 of uniformly distributed keys are. If more than MAX_CLOSE are, bits would divide the
     * children by splitters unevenly. */
    CLS_HYBRID_CLOSE_SAMPLES = 8,
    CLS_HYBRID_CLOSE_BITS = 8,
    CLS_HYBRID_MAX_CLOSE = CLS_HYBRID_SAMPLES / 16,
    /* The number of samples of heavy keys above which splitters are faster than bits. */
    CLS_HYBRID_MANY_HEAVY = CLS_HYBRID_SAMPLES / 16,
    /* The number of repeated light samples above which LSD is faster than splitters if values move. */
    CLS_HYBRID_MAX_SPLIT_REPEATED = CLS_HYBRID_SAMPLES / 16
};

/* Returns the number of samples that a bucket of `count` elements has at most unless it is large. A small
 * bucket has at most `tile` elements. */
static inline cls_u32 cls_hybrid_large_count(const cls_u64 tile, const cls_u64 count)
{
    return (cls_u32)(CLS_HYBRID_LARGE_TILES * (tile * CLS_HYBRID_SAMPLES / count) +
                     CLS_HYBRID_MORE_SAMPLES);
}

/* Arguments of hybrid_choose. If the count is in device memory, these are those of its maximum; the kernel computes the
 * count and what depends on it, except for bits and rounds, which only influence the choice and the width of
 * the first digit. */
typedef struct {
    cls_u64 count; /* elements to sort */
    cls_u64 flip;  /* as in struct cls_spec */
    cls_u32 bits;  /* that the rounds of MSD partition by if keys are uniformly distributed */
    cls_u32 rounds;
    cls_u32 large_count; /* samples of more than this number with the same highest `bits` bits that
                          * vary are those of a bucket that would be large after these rounds */
    cls_u32 path;        /* the path to take, or 0 */
    cls_u32 tile;        /* elements of a small bucket at most */
    cls_u32 max_collisions; /* of all samples, above which keys are divided unevenly */
    cls_u32 max_crowded;    /* of all samples, above which LSD sorts */
    cls_msd_input input;    /* top is not set: the kernel finds it */
} cls_hybrid_args;

#endif
