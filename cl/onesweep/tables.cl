// tables.cl - where the tables of onesweep are
#ifndef CLSORT_ONESWEEP_TABLES_CL
#define CLSORT_ONESWEEP_TABLES_CL

#include "common/types.cl"
#include "onesweep/args.cl"

// The tables: the rows of histograms, the table of the tiles, the offsets of the digits, and
// the key summaries, one for each row of histograms.
#define HISTOGRAM_ROWS AT(uint, tables)
#define TILE_TABLE ((__global uint *)(tables + tables_at + args.table_at))
#define DIGIT_OFFSETS ((__global index_t *)(tables + tables_at + args.offsets_at))
#define SUMMARIES ((__global cls_key_summary *)(tables + tables_at + args.summaries_at))

// Clears part i of `parts` parts of the table.
static inline void clear_table(__global uint *table, const ulong words, const uint i,
                               const uint parts)
{
    for (ulong w = i * GROUP_SIZE + (uint)get_local_id(0); w < words; w += parts * GROUP_SIZE) {
        table[w] = 0;
    }
}

#endif
