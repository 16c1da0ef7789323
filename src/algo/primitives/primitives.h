/* primitives.h - the building blocks of the work-group sorts, tested alone (blocks.cl) */
#ifndef CLSORT_ALGO_BLOCKS_H
#define CLSORT_ALGO_BLOCKS_H

#include "algo/algo.h"

enum cls_block { CLS_BLOCK_SCAN, CLS_BLOCK_SEEN, CLS_BLOCK_RANK, CLS_BLOCK_MATCH, CLS_BLOCK_COUNT };

const char *cls_block_name(enum cls_block block);

/* Whether the algorithm is made of it. */
bool cls_block_is_of(enum cls_block block, const struct cls_algo *algo);

/* Runs a block on the device. CLSORT_E_SELF_TEST when its results are wrong, CLSORT_E_UNSUPPORTED where no
 * work-group is large enough for it. Waits for the device. */
clsort_status cls_block_test(struct cls_device *device, enum cls_block block);

#endif
