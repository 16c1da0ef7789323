/* key.h - keys in host memory */
#ifndef CLSORT_HOST_KEY_H
#define CLSORT_HOST_KEY_H

#include "base/spec.h"

#include <string.h>

/* Returns the compared bits of the ordered key at this address, which may be unaligned. */
static inline uint64_t cls_host_ordered_key(const struct cls_spec *spec, const void *at)
{
    uint8_t u8;
    uint16_t u16;
    uint32_t u32;
    uint64_t key;
    switch (spec->key_bytes) {
    case 1:
        memcpy(&u8, at, sizeof u8);
        key = u8;
        break;
    case 2:
        memcpy(&u16, at, sizeof u16);
        key = u16;
        break;
    case 4:
        memcpy(&u32, at, sizeof u32);
        key = u32;
        break;
    default:
        memcpy(&key, at, sizeof key);
    }
    return cls_ordered(spec, key) & cls_compared_mask(spec);
}

#endif
