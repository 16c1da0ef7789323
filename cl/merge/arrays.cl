// arrays.cl - the arrays of a merge round, as kernel arguments
#ifndef CLSORT_MERGE_ARRAYS_CL
#define CLSORT_MERGE_ARRAYS_CL

#include "common/types.cl"

// cls_merge_arg_key_arrays and cls_merge_arg_value_arrays of the host set these arguments.
// MERGE_VALUE_ARRAYS ends with a comma where there are values. Values that are indexes are read too.
#define MERGE_KEY_ARRAYS INPUT(keys), INPUT(second_keys), BUFFER(keys_to)
#define MERGE_VALUE_ARRAYS VALUE_BUFFER(values) VALUE_BUFFER(second_values) VALUE_BUFFER(values_to)

#endif
