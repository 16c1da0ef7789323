/* copy.h - clsort-external: copies to memory that is not read before it has left the caches */
#ifndef CLSORT_EXTERNAL_COPY_H
#define CLSORT_EXTERNAL_COPY_H

#include <stddef.h>

void copy_past_caches(unsigned char *to, const unsigned char *from, size_t size);

#endif
