// elements.cl - keys with their values in global memory, for sorts whose work-items go through arrays alone
#ifndef CLSORT_COMMON_ELEMENTS_CL
#define CLSORT_COMMON_ELEMENTS_CL

#include "common/types.cl"

typedef struct {
    __global key_t *keys;
    VALUES(__global value_t *values;)
} elements_t;

static inline elements_t elements_at(const elements_t items, const index_t i)
{
    elements_t at = items;
    at.keys += i;
    VALUES(at.values += i;)
    return at;
}

static inline void copy_elements(const elements_t from, const elements_t to, const index_t count)
{
    for (index_t i = 0; i < count; i++)
        to.keys[i] = from.keys[i];
#if VALUE_BYTES > 0
    for (index_t i = 0; i < count; i++)
        to.values[i] = from.values[i];
#endif
}

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
// The input is only read; values that are indexes are nowhere.
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

// So many of them, the values behind the keys.
static inline elements_t elements_in(__global uchar *bytes, const uint count)
{
    elements_t items;
    items.keys = (__global key_t *)bytes;
    VALUES(items.values = (__global value_t *)(bytes + (size_t)count * KEY_BYTES);)
    return items;
}

#endif
