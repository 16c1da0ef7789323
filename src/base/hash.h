/* hash.h - a 64-bit hash for file names and checksums; it does not protect against forgery */
#ifndef CLSORT_BASE_HASH_H
#define CLSORT_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define CLS_HASH_START UINT64_C(0xcbf29ce484222325)

/* FNV-1a (Fowler, Noll, Vo). Continues an earlier hash; the first one is CLS_HASH_START. */
static inline uint64_t cls_hash(uint64_t hash, const void *data, size_t size)
{
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/* Continues a hash with a number. */
static inline uint64_t cls_hash_number(uint64_t hash, uint64_t number)
{
    return cls_hash(hash, &number, sizeof number);
}

#endif
