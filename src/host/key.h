/* key.h - keys in host memory, at addresses that may be unaligned */
#ifndef CLSORT_HOST_KEY_H
#define CLSORT_HOST_KEY_H

#include "base/spec.h"

#include <string.h>

/* Returns the key of 1, 2, 4 or 8 bytes at this address. Loops are fast if bytes is a constant. */
static inline uint64_t cls_host_load(const void *at, size_t bytes)
{
    uint8_t u8;
    uint16_t u16;
    uint32_t u32;
    uint64_t key;
    switch (bytes) {
    case 1:
        memcpy(&u8, at, sizeof u8);
        return u8;
    case 2:
        memcpy(&u16, at, sizeof u16);
        return u16;
    case 4:
        memcpy(&u32, at, sizeof u32);
        return u32;
    default:
        memcpy(&key, at, sizeof key);
        return key;
    }
}

/* Writes a key of 1, 2, 4 or 8 bytes to this address. */
static inline void cls_host_store(void *at, size_t bytes, uint64_t key)
{
    const uint8_t u8 = (uint8_t)key;
    const uint16_t u16 = (uint16_t)key;
    const uint32_t u32 = (uint32_t)key;
    switch (bytes) {
    case 1:
        memcpy(at, &u8, sizeof u8);
        break;
    case 2:
        memcpy(at, &u16, sizeof u16);
        break;
    case 4:
        memcpy(at, &u32, sizeof u32);
        break;
    default:
        memcpy(at, &key, sizeof key);
    }
}

/* Returns the compared bits of the ordered key at this address. */
static inline uint64_t cls_host_ordered_key(const struct cls_spec *spec, const void *at)
{
    return cls_ordered(spec, cls_host_load(at, spec->key_bytes)) & cls_compared_mask(spec);
}

/* Stores the compared bits of the ordered keys as words. bytes and word_bytes are constants in
 * every call, so that compilers make a loop for each, and vectorise those of integers. */
static inline void cls_host_read_keys(const struct cls_spec *spec, size_t bytes,
                                      const char *restrict keys, size_t count, char *restrict words,
                                      size_t word_bytes)
{
    const struct cls_spec own = *spec; /* the words may alias *spec */
    const uint64_t mask = cls_compared_mask(spec), flip = spec->flip & mask;
    if (own.order == CLS_ORDER_INTEGER)
        for (size_t i = 0; i < count; i++) {
            const uint64_t key = cls_host_load(keys + i * bytes, bytes);
            cls_host_store(words + i * word_bytes, word_bytes, (key & mask) ^ flip);
        }
    else
        for (size_t i = 0; i < count; i++) {
            const uint64_t key = cls_ordered(&own, cls_host_load(keys + i * bytes, bytes));
            cls_host_store(words + i * word_bytes, word_bytes, key & mask);
        }
}

/* Returns whether the keys are words in the order of the sort themselves. */
static inline bool cls_host_are_words(const struct cls_spec *spec, const char *keys,
                                      size_t word_bytes)
{
    return spec->key_bytes == word_bytes && spec->order == CLS_ORDER_INTEGER && spec->flip == 0 &&
           !cls_equal_keys_may_differ(spec) && (uintptr_t)keys % word_bytes == 0;
}

#endif
