/* pages.h - large blocks of memory, in large pages where the system has them */
#ifndef CLSORT_BASE_PAGES_H
#define CLSORT_BASE_PAGES_H

#include <stddef.h>

/* Below this size, large pages save less time than they waste memory. */
enum { CLS_MIN_PAGES_BYTES = 4 << 20 };

/* Allocates at least CLS_MIN_PAGES_BYTES bytes, aligned to a large page. The first write to each
 * page then costs one page fault per 2 MiB instead of one per 4 KiB. Returns NULL if memory is
 * short. The caller frees the memory with free. */
void *cls_pages_alloc(size_t bytes);

#endif
