/* layout.h - the tables of counting sort for work-groups, for the host and the kernels */
#ifndef CLSORT_COUNT_LAYOUT_H
#define CLSORT_COUNT_LAYOUT_H

#include "common/shared_types.h"

/* Keys are read and written in packs: aligned vectors of this many bytes. */
enum { COUNT_PACK_BYTES = 16 };

/* Keys of 8 bits: a chunk's table is a counter (index_t) for each bin. */
enum { COUNT_BINS_8 = 1 << 8 };

/* Keys of 16 bits: a chunk's counters are COUNT_WORDS words (cls_u32), each with COUNT_FIELDS
 * counters. Bins are divided into blocks of neighbours; the start of a bin's run is the start of the
 * block (index_t) plus the offset of the run in the block (index_t). */
enum {
    COUNT_BINS_16 = 1 << 16,
    COUNT_FIELD_BITS = 4,
    COUNT_FIELD_MAX = (1 << COUNT_FIELD_BITS) - 1,
    COUNT_FIELDS = 32 / COUNT_FIELD_BITS,
    COUNT_WORDS = COUNT_BINS_16 / COUNT_FIELDS,
    COUNT_BLOCK_BINS = 64,
    COUNT_BLOCKS = COUNT_BINS_16 / COUNT_BLOCK_BINS
};

/* The carries of these counters are tables in global memory that all chunks share, with a number
 * (cls_u32) for each bin: COUNT_CARRY_TABLES tables of the carries into the next counter of the
 * word, and before them one of the counts of wide counters divided by 16, which do not carry. With
 * several tables, carries of the same bin conflict less often. */
enum { COUNT_CARRY_TABLES = 8, COUNT_CARRIES = (COUNT_CARRY_TABLES + 1) * COUNT_BINS_16 };

/* The maximum number of keys that have wide counters. */
enum { COUNT_WIDE_BITS = 8, COUNT_WIDE = 1 << COUNT_WIDE_BITS };

#endif
