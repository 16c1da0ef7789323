// permute.cl - a work-group moves the values of a tile to where their keys are, through registers
//
// Options: ITEMS elements per work-item, GROUP_SIZE (common/work_group.cl)
#ifndef CLSORT_COMMON_PERMUTE_CL
#define CLSORT_COMMON_PERMUTE_CL

#include "common/types.cl"
#include "common/work_group.cl"

// Moves value base + from[j] of the input to element base + j of `to`, for each element j of the tile for
// which `moves` is true. `moves` and `to` are expressions that may contain j. In place, all values must be
// read before the first is written.
#define PERMUTE_VALUES(moves, from, values, base, to)                                              \
    {                                                                                              \
        value_t value[ITEMS];                                                                      \
        for (uint i = 0; i < ITEMS; i++) {                                                         \
            const uint j = (uint)get_local_id(0) + i * GROUP_SIZE;                                 \
            if (moves) {                                                                           \
                value[i] = INPUT_VALUE(values, (base) + (from)[j]);                                \
            }                                                                                      \
        }                                                                                          \
        barrier(CLK_GLOBAL_MEM_FENCE);                                                             \
        for (uint i = 0; i < ITEMS; i++) {                                                         \
            const uint j = (uint)get_local_id(0) + i * GROUP_SIZE;                                 \
            if (moves) {                                                                           \
                (to)[(base) + j] = value[i];                                                       \
            }                                                                                      \
        }                                                                                          \
    }

#endif
