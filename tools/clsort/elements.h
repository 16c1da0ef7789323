/* elements.h - converts elements of .npy files to keys that clsort sorts, and back
 *
 * Elements in the other byte order are swapped. NaT of datetime64 and timedelta64 is the smallest
 * i64, but NumPy sorts it last; in descending order the smallest key is last anyway. */
#ifndef CLSORT_TOOLS_ELEMENTS_H
#define CLSORT_TOOLS_ELEMENTS_H

#include "npy.h"

/* flags: CLSORT_DESCENDING if the keys will be sorted, or are, in descending order. */
void elements_to_keys(const struct npy_array *array, uint32_t flags, void *elements, size_t count);
void elements_from_keys(const struct npy_array *array, uint32_t flags, void *keys, size_t count);

#endif
