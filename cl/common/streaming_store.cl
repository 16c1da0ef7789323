// streaming_store.cl - copies and fills by streaming stores
//
// A streaming store of a whole cache line bypasses the cache: the line is not read first, and the
// cache keeps other data. This suits output that is not read again soon.
#ifndef CLSORT_COMMON_STREAMING_STORE_CL
#define CLSORT_COMMON_STREAMING_STORE_CL

#include "common/types.cl"

// Stores a vector to an aligned address. A plain store replaces it where the compiler has no
// builtin.
#if defined(__has_builtin)
#if __has_builtin(__builtin_nontemporal_store)
#define STREAM(value, to) __builtin_nontemporal_store(value, to)
#endif
#endif
#ifndef STREAM
#define STREAM(value, to) (*(to) = (value))
#endif

// Copies `count` elements. Those that do not fill an aligned vector of 16 in `to` use plain stores.
#define STREAM_COPY(name, type, vector)                                                            \
    static inline void name(__global const type *restrict from, __global type *restrict to,        \
                            const size_t count)                                                    \
    {                                                                                              \
        size_t i = 0;                                                                              \
        for (; i < count && (uintptr_t)(to + i) % sizeof(vector) != 0; i++) {                      \
            to[i] = from[i];                                                                       \
        }                                                                                          \
        for (; i + 16 <= count; i += 16) {                                                         \
            STREAM(vload16(0, from + i), (__global vector *)(to + i));                             \
        }                                                                                          \
        for (; i < count; i++) {                                                                   \
            to[i] = from[i];                                                                       \
        }                                                                                          \
    }

STREAM_COPY(stream_keys, key_t, key_vector_t)
#if VALUE_BYTES > 0
STREAM_COPY(stream_units, value_unit_t, value_units_t)
#endif

// Sets the elements [first, last) to one key.
static inline void stream_key(__global key_t *to, size_t first, const size_t last, const key_t key)
{
    const key_vector_t keys = key;
    for (; first < last && (uintptr_t)(to + first) % sizeof(key_vector_t) != 0; first++) {
        to[first] = key;
    }
    for (; first + 16 <= last; first += 16) {
        STREAM(keys, (__global key_vector_t *)(to + first));
    }
    for (; first < last; first++) {
        to[first] = key;
    }
}

#endif
