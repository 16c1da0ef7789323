/* host_array.h - the array that host peers sort in place
 *
 * Keys without values are an array of keys, pairs an array of struct { key; value; }. The
 * conversion from and to separate arrays is not timed. */
#ifndef CLSORT_BENCH_HOST_ARRAY_H
#define CLSORT_BENCH_HOST_ARRAY_H

#include "peer.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Layout of the struct, given the sizes of key and value. The key is at offset 0, the value at the
 * alignment of the struct. A value of 16 bytes is two words of 8 bytes. */
#define RECORD_VALUE_ALIGN(value) ((value) < 8 ? (value) : 8)
#define RECORD_VALUE_OFFSET(key, value)                                                            \
    ((key) > RECORD_VALUE_ALIGN(value) ? (key) : RECORD_VALUE_ALIGN(value))
#define RECORD_SIZE(key, value)                                                                    \
    (RECORD_VALUE_OFFSET(key, value) +                                                             \
     ((value) > RECORD_VALUE_OFFSET(key, value) ? (value) : RECORD_VALUE_OFFSET(key, value)))

/* Returns the size of the struct in bytes; 0 if there are no values, or for unsupported sizes. */
size_t host_array_record_size(const struct spec *spec);

/* Returns the array to sort. */
void *host_array(const struct job *job);

/* Functions of struct peer that host peers share. */
const char *host_array_unsupported(const struct spec *spec);
bool host_array_prepare(const struct job *job, void *state);
bool host_array_finish(const struct job *job, void *state);

#ifdef __cplusplus
}
#endif
#endif
