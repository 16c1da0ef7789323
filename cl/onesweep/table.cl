// table.cl - the table in which the tiles of a section publish their counts
//
// The table has a row of RADIX words for each tile. Words are stored complemented, so that 0, as in
// a cleared table, means that nothing is published.
#ifndef CLSORT_ONESWEEP_TABLE_CL
#define CLSORT_ONESWEEP_TABLE_CL

#include "common/lsd_passes.cl"
#include "common/sub_group.cl"
#include "onesweep/args.cl"

#define COUNT_MASK ((1u << CLS_ONESWEEP_COUNT_BITS) - 1)
#define PREFIX_BIT (1u << CLS_ONESWEEP_COUNT_BITS)
#define EPOCH_SHIFT (32 - CLS_ONESWEEP_EPOCH_BITS)

// The rows of the table, as a tile of one stage uses them.
typedef struct {
    __global volatile uint *words;
    uint stage;
    uint tile;
} onesweep_table_t;

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

static inline void clear_counters(__global cls_onesweep_control *control)
{
    for (uint i = (uint)get_local_id(0); i < CLS_ONESWEEP_STEPS; i += GROUP_SIZE) {
        control->tickets[i] = control->complete[i] = 0;
    }
}

__kernel SUB_GROUP_KERNEL void onesweep_clear(BUFFER(control), BUFFER(tables), ONESWEEP_ARGS)
{
    if (IS_SKIPPED) {
        return;
    }
    SIZE_ONESWEEP_ARGS
    clear_table(TILE_TABLE, args.table_words, (uint)get_group_id(0), (uint)get_num_groups(0));
    if (get_group_id(0) == 0) {
        clear_counters(AT(cls_onesweep_control, control));
    }
}

// Publishes a count of the tile's digit d, with PREFIX_BIT or without.
static inline void publish(const onesweep_table_t table, const uint d, const uint count)
{
    const uint word = table.stage % CLS_ONESWEEP_EPOCHS << EPOCH_SHIFT | count;
    publish_word(table.words + table.tile * RADIX + d, ~word);
}

static inline uint read_count(const onesweep_table_t table, const uint tile, const uint d)
{
    return ~read_published_word(table.words + tile * RADIX + d);
}

static inline bool is_published(const uint word, const uint stage)
{
    return word >> EPOCH_SHIFT == stage % CLS_ONESWEEP_EPOCHS && word != ~0u;
}

#endif
