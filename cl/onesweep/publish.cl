// publish.cl - how the tiles of a section publish their counts
//
// The table of the tiles (tables.cl) has a row of RADIX words for each tile. Words are stored complemented, so that
// 0, as in a cleared table, means that nothing is published.
#ifndef CLSORT_ONESWEEP_PUBLISH_CL
#define CLSORT_ONESWEEP_PUBLISH_CL

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
