// elements.cl - arrays of elements in global memory: keys, and their values if there are any
#ifndef CLSORT_COMMON_ELEMENTS_CL
#define CLSORT_COMMON_ELEMENTS_CL

#include "common/types.cl"

typedef struct {
    __global key_t *keys;
    VALUES(__global value_t *values;)
} elements_t;

// Returns the elements from index i on.
static inline elements_t elements_at(const elements_t elements, const index_t i)
{
    elements_t at = elements;
    at.keys += i;
    VALUES(at.values += i;)
    return at;
}

static inline void copy_elements(const elements_t from, const elements_t to, const index_t count)
{
    for (index_t i = 0; i < count; i++) {
        to.keys[i] = from.keys[i];
    }
#if VALUE_BYTES > 0
    for (index_t i = 0; i < count; i++) {
        to.values[i] = from.values[i];
    }
#endif
}

// Initializers of elements_t from the buffer arguments of a kernel. Kernels only read the elements
// of INPUT_ELEMENTS. If values are indexes, there are no input values.
#if VALUE_BYTES > 0
#define ELEMENTS(keys, values)                                                                     \
    {                                                                                              \
        AT(key_t, keys), AT(value_t, values)                                                       \
    }
#else
#define ELEMENTS(keys, values)                                                                     \
    {                                                                                              \
        AT(key_t, keys)                                                                            \
    }
#endif
#define INPUT_AT(type, name) ((__global type *)AT(const type, name))
#if VALUE_INDEX
#define INPUT_ELEMENTS(keys, values)                                                               \
    {                                                                                              \
        INPUT_AT(key_t, keys), 0                                                                   \
    }
#elif VALUE_BYTES > 0
#define INPUT_ELEMENTS(keys, values)                                                               \
    {                                                                                              \
        INPUT_AT(key_t, keys), INPUT_AT(value_t, values)                                           \
    }
#else
#define INPUT_ELEMENTS(keys, values)                                                               \
    {                                                                                              \
        INPUT_AT(key_t, keys)                                                                      \
    }
#endif

// Returns `count` elements in the memory at `bytes`, first all keys, then all values.
static inline elements_t elements_in(__global uchar *bytes, const uint count)
{
    elements_t elements;
    elements.keys = (__global key_t *)bytes;
    VALUES(elements.values = (__global value_t *)(bytes + (size_t)count * KEY_BYTES);)
    return elements;
}

#endif
