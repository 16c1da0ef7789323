// words.cl - the words of an element, numbers of 64 bits that are compared one after the other
//
// The bytes of all columns, ordered as unsigned big-endian numbers, are one string after the other, which is cut
// into words. A part of a word is a number, or some bytes of a byte string (cls_columns_part); the parts of word w
// are those from firsts[w] to firsts[w + 1]. All work-items evaluate the same parts, so that their branches do not
// diverge.
//
// Options, besides those of common/types.cl:
//   COLUMN_BUFFERS    1: columns have buffers of their own; 0: they are fields of records
//   GROUP_SIZE        as in common/work_group.cl
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

// Elements whose words are read together. CPU cores thus read vectors; the work-items of a group read one each.
#if GROUP_SIZE == 1
#define WORDS_AT_ONCE 64u
#else
#define WORDS_AT_ONCE 1u
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

// Sets x to the numbers of which a part of `size` elements is read, in the byte order of the device. `at` is where the
// number of the first element is.
static inline void load_numbers(__global const uchar *at, __global const cls_columns_part *part,
                                const uint size, ulong *x)
{
    const uint load = part->load, unit = part->unit, stride = part->stride;
#define LOAD_NUMBERS(number)                                                                       \
    for (uint e = 0; e < size; e++, at += stride) {                                                \
        x[e] = number;                                                                             \
    }
    if (load == 8 && unit == 8) {
        LOAD_NUMBERS(*(__global const ulong *)at);
    } else if (load == 8 && unit == 4) {
        LOAD_NUMBERS(
            join_halves(((__global const uint *)at)[0], ((__global const uint *)at)[1], 32));
    } else if (load == 8) {
        LOAD_NUMBERS(as_ulong(vload8(0, at)));
    } else if (load == 4 && unit == 4) {
        LOAD_NUMBERS(*(__global const uint *)at);
    } else if (load == 4) {
        LOAD_NUMBERS(as_uint(vload4(0, at)));
    } else if (load == 2) {
        LOAD_NUMBERS(join_halves(at[0], at[1], 8));
    } else {
        LOAD_NUMBERS(at[0]);
    }
#undef LOAD_NUMBERS
}

// Returns where the number is of which a part of element i is read.
static inline __global const uchar *
element_part(const elements_t *elements, __global const cls_columns_part *part, const ulong i)
{
    return elements->buffer[MAX_BUFFERS > 1 ? part->buffer : 0] + i * part->stride + part->offset;
}

// Returns the ordered number. The sign is 0 unless it is a float.
static inline ulong order_number(const ulong x, const ulong sign, const ulong flip)
{
    return x ^ (x & sign ? sign - 1 : 0) ^ flip;
}

// Sets x to a part of `size` elements, from element i on. Each step is a loop over the elements, so that what depends
// on the part only is decided once.
static inline void load_parts(const elements_t *elements, __global const cls_columns_part *part,
                              const ulong i, const uint size, ulong *x)
{
    const ulong mask = part->mask, sign = part->sign, flip = part->flip, infinity = part->infinity;
    const uint drop = part->drop;
    load_numbers(element_part(elements, part, i), part, size, x);
#ifdef __ENDIAN_LITTLE__
    if (part->is_big_endian) {
        const uint unread = 64 - 8 * part->load;
        for (uint e = 0; e < size; e++) {
            x[e] = swap_bytes(x[e]) >> unread;
        }
    }
#endif
    if (infinity == 0) {
        for (uint e = 0; e < size; e++) {
            x[e] = order_number(x[e] >> drop & mask, sign, flip);
        }
        return;
    }
    for (uint e = 0; e < size; e++) {
        const ulong number = x[e] >> drop & mask, magnitude = number & ~sign;
        const ulong ordered = order_number(magnitude == 0 ? 0 : number, sign, flip);
        x[e] = magnitude > infinity ? mask : ordered; // all NaNs are equal and come last
    }
}

// Sets x to word w of `size` elements, at most WORDS_AT_ONCE, from element i on.
static inline void load_words(const elements_t *elements, const uint w, const ulong i,
                              const uint size, ulong *x)
{
    const uint end = elements->firsts[w + 1];
    ulong parts[WORDS_AT_ONCE];
    for (uint e = 0; e < size; e++) {
        x[e] = 0;
    }
    for (uint p = elements->firsts[w]; p < end; p++) {
        __global const cls_columns_part *part = &elements->parts[p];
        const uint left = part->left, right = part->right;
        load_parts(elements, part, i, size, parts);
        for (uint e = 0; e < size; e++) {
            x[e] |= parts[e] << left >> right;
        }
    }
}

// Returns word w of element i.
static inline ulong load_word(const elements_t *elements, const uint w, const ulong i)
{
    ulong word;
    load_words(elements, w, i, 1, &word);
    return word;
}

// Prefetches what the first part of word w of element i is read from.
static inline void prefetch_word(const elements_t *elements, const uint w, const ulong i)
{
    __global const cls_columns_part *part = &elements->parts[elements->firsts[w]];
    prefetch_bytes(element_part(elements, part, i), part->load);
}

// Returns whether element a of some elements precedes element b of others in the words from w on.
static inline bool precedes_other(const elements_t *some, const elements_t *others, uint w,
                                  const uint words, const ulong a, const ulong b)
{
    for (; w < words; w++) {
        const ulong x = load_word(some, w, a), y = load_word(others, w, b);
        if (x != y) {
            return x < y;
        }
    }
    return false;
}

// Returns whether element a precedes element b in the words from w on.
static inline bool precedes_from(const elements_t *elements, const uint w, const uint words,
                                 const ulong a, const ulong b)
{
    return precedes_other(elements, elements, w, words, a, b);
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
