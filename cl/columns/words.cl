// words.cl - the words of an element, numbers of 64 bits that are compared one after the other
//
// The bytes of all columns, ordered as unsigned big-endian numbers, are one string after the other, which is cut
// into words. A part of a word is a number, or some bytes of a byte string (cls_columns_part); the parts of word w
// are those from firsts[w] to firsts[w + 1]. All work-items evaluate the same parts, so that their branches do not
// diverge.
//
// Options, besides those of common/types.cl:
//   COLUMN_BUFFERS    1: columns have buffers of their own; 0: they are fields of records
#ifndef CLSORT_COLUMNS_WORDS_CL
#define CLSORT_COLUMNS_WORDS_CL

#include "columns/layout.h"
#include "common/prefetch.cl"
#include "common/types.cl"

#if COLUMN_BUFFERS
#define MAX_BUFFERS 16
#define ELEMENT_ARGUMENTS                                                                          \
    INPUT(c0), INPUT(c1), INPUT(c2), INPUT(c3), INPUT(c4), INPUT(c5), INPUT(c6), INPUT(c7),        \
        INPUT(c8), INPUT(c9), INPUT(c10), INPUT(c11), INPUT(c12), INPUT(c13), INPUT(c14),          \
        INPUT(c15), INPUT(parts), INPUT(firsts)
#else
#define MAX_BUFFERS 1
#define ELEMENT_ARGUMENTS INPUT(records), INPUT(parts), INPUT(firsts)
#endif

typedef struct {
    __global const uchar *buffer[MAX_BUFFERS];
    __global const cls_columns_part *parts;
    __global const uint *firsts;
} elements_t;

// Sets the elements from the arguments of the kernel.
#if COLUMN_BUFFERS
#define SET_BUFFER(elements, i) (elements)->buffer[i] = AT(const uchar, c##i)
#define LOAD_ELEMENTS(elements)                                                                    \
    SET_BUFFER(elements, 0);                                                                       \
    SET_BUFFER(elements, 1);                                                                       \
    SET_BUFFER(elements, 2);                                                                       \
    SET_BUFFER(elements, 3);                                                                       \
    SET_BUFFER(elements, 4);                                                                       \
    SET_BUFFER(elements, 5);                                                                       \
    SET_BUFFER(elements, 6);                                                                       \
    SET_BUFFER(elements, 7);                                                                       \
    SET_BUFFER(elements, 8);                                                                       \
    SET_BUFFER(elements, 9);                                                                       \
    SET_BUFFER(elements, 10);                                                                      \
    SET_BUFFER(elements, 11);                                                                      \
    SET_BUFFER(elements, 12);                                                                      \
    SET_BUFFER(elements, 13);                                                                      \
    SET_BUFFER(elements, 14);                                                                      \
    SET_BUFFER(elements, 15);                                                                      \
    (elements)->parts = AT(const cls_columns_part, parts);                                         \
    (elements)->firsts = AT(const uint, firsts)
#else
#define LOAD_ELEMENTS(elements)                                                                    \
    (elements)->buffer[0] = AT(const uchar, records);                                              \
    (elements)->parts = AT(const cls_columns_part, parts);                                         \
    (elements)->firsts = AT(const uint, firsts)
#endif

static inline ulong swap_bytes(ulong x)
{
    x = ((x & 0x00ff00ff00ff00ffUL) << 8) | (x >> 8 & 0x00ff00ff00ff00ffUL);
    x = ((x & 0x0000ffff0000ffffUL) << 16) | (x >> 16 & 0x0000ffff0000ffffUL);
    return x << 32 | x >> 32;
}

// Joins two halves of a number in the byte order of the device.
static inline ulong join_halves(const ulong first, const ulong second, const uint bits)
{
#ifdef __ENDIAN_LITTLE__
    return first | second << bits;
#else
    return first << bits | second;
#endif
}

// Reads a number of `load` bytes, in the byte order of the device.
static inline ulong load_number(__global const uchar *at, const uint load, const uint unit)
{
    if (load == 8) {
        if (unit == 8) {
            return *(__global const ulong *)at;
        }
        if (unit == 4) {
            __global const uint *halves = (__global const uint *)at;
            return join_halves(halves[0], halves[1], 32);
        }
        return as_ulong(vload8(0, at));
    }
    if (load == 4) {
        return unit == 4 ? *(__global const uint *)at : as_uint(vload4(0, at));
    }
    return load == 2 ? join_halves(at[0], at[1], 8) : at[0];
}

// Returns where the number is of which a part of element i is read.
static inline __global const uchar *
element_part(const elements_t *elements, __global const cls_columns_part *part, const ulong i)
{
    return elements->buffer[MAX_BUFFERS > 1 ? part->buffer : 0] + i * part->stride + part->offset;
}

static inline ulong load_part(const elements_t *elements, __global const cls_columns_part *part,
                              const ulong i)
{
    ulong x = load_number(element_part(elements, part, i), part->load, part->unit);
#ifdef __ENDIAN_LITTLE__
    if (part->is_big_endian) {
        x = swap_bytes(x) >> (64 - 8 * part->load);
    }
#endif
    x = x >> part->drop & part->mask;
    if (part->infinity) {
        const ulong magnitude = x & ~part->sign;
        if (magnitude > part->infinity) {
            return part->mask; // all NaNs are equal and come last
        }
        x = magnitude == 0 ? 0 : x;
    }
    if (x & part->sign) {
        x ^= part->sign - 1;
    }
    return x ^ part->flip;
}

// Returns word w of element i.
static inline ulong load_word(const elements_t *elements, const uint w, const ulong i)
{
    const uint end = elements->firsts[w + 1];
    ulong word = 0;
    for (uint p = elements->firsts[w]; p < end; p++) {
        __global const cls_columns_part *part = &elements->parts[p];
        const ulong x = load_part(elements, part, i);
        word |= x << part->left >> part->right;
    }
    return word;
}

// Prefetches what the first part of word w of element i is read from.
static inline void prefetch_word(const elements_t *elements, const uint w, const ulong i)
{
    __global const cls_columns_part *part = &elements->parts[elements->firsts[w]];
    prefetch_bytes(element_part(elements, part, i), part->load);
}

// Returns whether element a precedes element b in the words from `first` on.
static inline bool precedes_from(const elements_t *elements, uint w, const uint words,
                                 const ulong a, const ulong b)
{
    for (; w < words; w++) {
        const ulong x = load_word(elements, w, a), y = load_word(elements, w, b);
        if (x != y) {
            return x < y;
        }
    }
    return false;
}

// Returns whether the elements differ in any word.
static inline bool differ(const elements_t *elements, const uint words, const ulong a,
                          const ulong b)
{
    uint w = 0;
    while (w < words && load_word(elements, w, a) == load_word(elements, w, b)) {
        w++;
    }
    return w < words;
}

#endif
