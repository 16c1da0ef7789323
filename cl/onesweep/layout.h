/* layout.h - constants and arguments that the host and the kernels of onesweep share */
#ifndef CLSORT_ONESWEEP_LAYOUT_H
#define CLSORT_ONESWEEP_LAYOUT_H

#include "common/layout.h"

/* A word of the table, from the lowest bit: a count, a bit that says whether it is the tile's own
 * count (0) or an inclusive prefix (1), and the epoch of the stage. */
enum {
    CLS_ONESWEEP_COUNT_BITS = 28,
    CLS_ONESWEEP_EPOCH_BITS = 32 - CLS_ONESWEEP_COUNT_BITS - 1,
    CLS_ONESWEEP_EPOCHS = 1 << CLS_ONESWEEP_EPOCH_BITS,
    CLS_ONESWEEP_CHUNK_ALIGNMENT = 2048,
    /* The maximum number of elements of a section. With all count bits set, the complement of a
     * word could be 0, which means that nothing is published. */
    CLS_ONESWEEP_MAX_SECTION = (1 << CLS_ONESWEEP_COUNT_BITS) - 2
};

/* Returns the number of elements of each chunk except the last one that is not empty. */
static inline cls_u64 cls_onesweep_chunk(const cls_u64 count, const cls_u64 chunks)
{
    const cls_u64 unit = chunks * CLS_ONESWEEP_CHUNK_ALIGNMENT;
    return (count / unit + (count % unit > 0)) * CLS_ONESWEEP_CHUNK_ALIGNMENT;
}

/* The chunks whose first elements have indexes that agree in all bits but this number of the lowest ones share a row of
 * totals. Since a chunk has at most 2^31 elements, they have less than 2^32. */
enum { CLS_ONESWEEP_TOTALS_BITS = 31 };

/* Returns the number of rows of totals. */
static inline cls_u32 cls_onesweep_totals(const cls_u64 count)
{
    return (cls_u32)(count >> CLS_ONESWEEP_TOTALS_BITS) + 1;
}

/* The indexes of the counters in the control block: one for each step of a sort, which are the histograms, the
 * plan of the passes, and the stages, those of a launch with different epochs; and CLS_ONESWEEP_SUMMARIES, whose
 * tickets number the key summaries, and whose element of complete[] is not used. */
enum {
    CLS_ONESWEEP_HISTOGRAMS,
    CLS_ONESWEEP_SUMMARIES,
    CLS_ONESWEEP_PLAN,
    CLS_ONESWEEP_STAGES,
    CLS_ONESWEEP_STEPS = CLS_ONESWEEP_STAGES + CLS_ONESWEEP_EPOCHS
};

/* The control block. tickets and complete are these counters (common/steps.cl). The totals follow the block: the
 * histograms of all chunks that onesweep_sort counts, added up. */
typedef struct {
    cls_lsd_control lsd;
    cls_u32 tickets[CLS_ONESWEEP_STEPS];
    cls_u32 complete[CLS_ONESWEEP_STEPS];
    cls_u32 early_rows; /* rows of histograms that hybrid_choose has written */
    cls_u32 unused;
} cls_onesweep_control;

/* What the kernels need besides the arrays and the control block. */
typedef struct {
    cls_u64 count;             /* elements to sort */
    cls_u64 chunk;             /* elements of each chunk except the last */
    cls_u64 flip, pad, window; /* as in struct cls_spec; window: the bits that are compared */
    cls_u64 table_words;       /* to clear */
    /* Where the tables are: byte offsets from the start of the rows of histograms. */
    cls_u64 table_at, offsets_at, summaries_at;
    cls_u32 begin_bit, end_bit;
    cls_u32 passes, sections, chunks;
    cls_u32 section_tiles;          /* tiles of each section except the last */
    cls_u32 first_stage, end_stage; /* of the launch */
    cls_u32 takes_one_tile;         /* 1: each work-group takes a single tile of a stage */
    cls_u32 in_place;
    /* onesweep_sort: the numbers of chunks and of parts of the plan, or 0 in later launches; whether to copy the
     * result. */
    cls_u32 chunks_to_count, plans, is_last;
    cls_u32 tile; /* elements of a tile */
} cls_onesweep_args;

#endif
