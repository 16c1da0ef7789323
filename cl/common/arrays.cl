// arrays.cl - the three arrays between which sorts with scratch memory move their elements
#ifndef CLSORT_COMMON_ARRAYS_CL
#define CLSORT_COMMON_ARRAYS_CL

#include "common/types.cl"

enum place { INPUT_PLACE, OUTPUT_PLACE, TEMPORARY_PLACE };

// Kernels name the buffers of these places keys, keys_to, keys_tmp, values, values_to and values_tmp.

static inline __global key_t *place_of(const uint place, __global const key_t *in,
                                       __global key_t *out, __global key_t *tmp)
{
    return place == INPUT_PLACE ? (__global key_t *)in : place == OUTPUT_PLACE ? out : tmp;
}
#define KEYS_AT(place)                                                                             \
    place_of(place, AT(const key_t, keys), AT(key_t, keys_to), AT(key_t, keys_tmp))

#if VALUE_BYTES > 0
// In local memory, where values lie as units.
#define VALUE_IN(unit, i) ((__local value_t *)(unit) + (i))
#define VALUES_TO(place)                                                                           \
    ((place) == OUTPUT_PLACE ? AT(value_t, values_to) : AT(value_t, values_tmp))
#if VALUE_INDEX
#define VALUES_FROM(place) ((__global const value_t *)VALUES_TO(place))
#define VALUE_FROM(values, place, i) ((place) == INPUT_PLACE ? value_of_index(i) : values[i])
#else
#define VALUES_FROM(place)                                                                         \
    ((place) == INPUT_PLACE ? AT(const value_t, values)                                            \
                            : (__global const value_t *)VALUES_TO(place))
#define VALUE_FROM(values, place, i) values[i]
#endif
#endif

#endif
