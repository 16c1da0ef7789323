/* host_array.h - the array that peers on the host sort in place
 *
 * Keys alone are an array of keys, pairs an array of structs as a C programmer would declare them:
 * struct { key; value; }. Splitting and joining them is not timed. */
#ifndef CLSORT_BENCH_HOST_ARRAY_H
#define CLSORT_BENCH_HOST_ARRAY_H

#include "peer.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The struct's layout by the size of key and value, where a value of 16 bytes is two words: the key
 * is at 0, the value at the alignment of the whole. */
#define RECORD_VALUE_ALIGN(value) ((value) < 8 ? (value) : 8)
#define RECORD_VALUE_OFFSET(key, value)                                                            \
    ((key) > RECORD_VALUE_ALIGN(value) ? (key) : RECORD_VALUE_ALIGN(value))
#define RECORD_SIZE(key, value)                                                                    \
    (RECORD_VALUE_OFFSET(key, value) +                                                             \
     ((value) > RECORD_VALUE_OFFSET(key, value) ? (value) : RECORD_VALUE_OFFSET(key, value)))

/* Bytes of a record; 0 when there are no values or there is no such struct. */
size_t host_array_record_size(const struct shape *shape);

/* The array to sort. */
void *host_array(const struct job *job);

/* Hooks that peers on the host share. */
const char *host_array_objection(const struct shape *shape);
bool host_array_prepare(const struct job *job, void *state);
bool host_array_finish(const struct job *job, void *state);

#ifdef __cplusplus
}
#endif
#endif
