// arrays.cl - the arrays and the extent of a merge round, as kernel arguments
#ifndef CLSORT_MERGE_ARRAYS_CL
#define CLSORT_MERGE_ARRAYS_CL

#include "common/types.cl"

// The host sets these arguments by cls_merge_arg_key_arrays, cls_merge_arg_value_arrays and
// cls_merge_arg_round.
//
// MERGE_VALUE_ARRAYS ends with a comma unless it is empty. The values may be indexes: merge_tiles,
// merge_init and their counterparts in cores.cl have written them.
#define MERGE_KEY_ARRAYS INPUT(keys), INPUT(second_keys), BUFFER(keys_to)
#define MERGE_VALUE_ARRAYS VALUE_BUFFER(values) VALUE_BUFFER(second_values) VALUE_BUFFER(values_to)

// n: elements of the output. width: elements of each run except the last, or of the first input.
// (Separate arguments: as a struct by value they make merge_round 2.5 % slower on an H200.)
#define MERGE_ROUND const index_t n, const index_t width, const uint two_inputs

#endif
