/* data_loops.h - the library clsort-keys: loops over elements, which data_vectors.c has for vectors, too
 *
 * They are inlined with constant sizes, so that compilers turn them into vector instructions if the processor has them
 * for 64-bit words. */
#ifndef CLSORT_TOOLS_DATA_LOOPS_H
#define CLSORT_TOOLS_DATA_LOOPS_H

#include "bits.h"

/* How the bits of keys become their order, unless they are floats in numeric order. */
struct data_mapping {
    bool is_float;      /* all bits of negative keys are complemented, and the sign of others */
    uint64_t sign, all; /* bits of the type */
    uint64_t mask;      /* XORed last */
};

/* Returns the checksum of elements. */
static inline uint64_t data_loop_checksum(const unsigned char *p, size_t size, size_t count)
{
    uint64_t sum = 0;

    /* bits_mix(0) is 0; the offset makes zeros contribute to the sum. */
    for (size_t i = 0; i < count; i++)
        sum += bits_mix(bits_load(p + i * size, size) + BITS_GAMMA);
    return sum;
}

enum { DATA_RECORDS = 8 }; /* records whose hashes are computed at the same time */

/* Returns the sum of the hashes of records, of which there is a constant number of at most DATA_RECORDS. A hash is a
 * chain of dependent steps, one for each word of the record. */
static inline uint64_t data_loop_records(const unsigned char *p, size_t size, size_t count)
{
    const size_t word = sizeof(uint64_t), words = size / word * word;
    uint64_t hash[DATA_RECORDS], sum = 0;

    for (size_t i = 0; i < count; i++)
        hash[i] = size;
    for (size_t at = 0; at < words; at += word)
        for (size_t i = 0; i < count; i++)
            hash[i] = bits_mix(hash[i] + bits_load(p + i * size + at, word));
    for (size_t i = 0; i < count; i++)
        sum += words == size ? hash[i]
                             : bits_mix(hash[i] + bits_load(p + i * size + words, size - words));
    return sum;
}

/* The same for any multiple of DATA_RECORDS records. */
static inline uint64_t data_loop_all_records(const unsigned char *p, size_t size, size_t count)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < count; i += DATA_RECORDS)
        sum += data_loop_records(p + i * size, size, DATA_RECORDS);
    return sum;
}

static inline uint64_t data_loop_order(const struct data_mapping *mapping, bool is_float,
                                       uint64_t bits)
{
    const uint64_t flip = bits & mapping->sign ? mapping->all : mapping->sign;

    return (is_float ? bits ^ flip : bits) ^ mapping->mask;
}

/* Returns whether no key precedes the one before it. */
static inline bool data_loop_is_ordered(const unsigned char *p, size_t size, size_t count,
                                        const struct data_mapping *mapping, bool is_float)
{
    uint64_t wrong = 0;

    for (size_t i = 1; i < count; i++)
        wrong |= data_loop_order(mapping, is_float, bits_load(p + i * size, size)) <
                         data_loop_order(mapping, is_float, bits_load(p + (i - 1) * size, size))
                     ? 1
                     : 0;
    return wrong == 0;
}

#endif
