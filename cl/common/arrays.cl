// arrays.cl - the three arrays between which sorts move their elements: input, output and scratch
#ifndef CLSORT_COMMON_ARRAYS_CL
#define CLSORT_COMMON_ARRAYS_CL

#include "common/types.cl"

// The array that elements are in.
enum array { INPUT_ARRAY, OUTPUT_ARRAY, SCRATCH_ARRAY };

// The arguments of kernels that move elements between these arrays; cls_arg_key_arrays and
// cls_arg_value_arrays of the host set them. VALUE_ARRAYS ends with a comma where there are values.
#define KEY_ARRAYS INPUT(keys), BUFFER(keys_to), BUFFER(keys_tmp)
#define VALUE_ARRAYS VALUE_INPUT(values) VALUE_BUFFER(values_to) VALUE_BUFFER(values_tmp)

// The same, as arguments of a function that has these parameters.
#define KEY_ARRAYS_HERE keys, keys_at, keys_to, keys_to_at, keys_tmp, keys_tmp_at
#if VALUE_BYTES == 0
#define VALUE_ARRAYS_HERE
#elif VALUE_INDEX
#define VALUE_ARRAYS_HERE values_to, values_to_at, values_tmp, values_tmp_at,
#else
#define VALUE_ARRAYS_HERE values, values_at, values_to, values_to_at, values_tmp, values_tmp_at,
#endif

static inline __global key_t *array_of(const uint array, __global const key_t *in,
                                       __global key_t *out, __global key_t *tmp)
{
    return array == INPUT_ARRAY ? (__global key_t *)in : array == OUTPUT_ARRAY ? out : tmp;
}
#define KEYS_OF(array)                                                                             \
    array_of(array, AT(const key_t, keys), AT(key_t, keys_to), AT(key_t, keys_tmp))

#if VALUE_BYTES > 0
// Value i of an array of units in local memory.
#define VALUE_IN(unit, i) ((__local value_t *)(unit) + (i))
#define VALUES_TO(array)                                                                           \
    ((array) == OUTPUT_ARRAY ? AT(value_t, values_to) : AT(value_t, values_tmp))
#if VALUE_INDEX
#define VALUES_FROM(array) ((__global const value_t *)VALUES_TO(array))
#define VALUE_FROM(values, array, i) ((array) == INPUT_ARRAY ? value_of_index(i) : values[i])
#else
#define VALUES_FROM(array)                                                                         \
    ((array) == INPUT_ARRAY ? AT(const value_t, values)                                            \
                            : (__global const value_t *)VALUES_TO(array))
#define VALUE_FROM(values, array, i) values[i]
#endif
#endif

#endif
