/* pages.c - large blocks of memory, in large pages where the system has them */
#define _DEFAULT_SOURCE /* for madvise */
#include "base/pages.h"

#include "base/arithmetic.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { LARGE_PAGE = 2 << 20 }; /* of x86-64 and of most ARM systems */

void *cls_pages_alloc(size_t bytes)
{
    if (bytes > SIZE_MAX - LARGE_PAGE)
        return NULL;
    bytes = (size_t)cls_round_up(bytes, LARGE_PAGE);
    void *memory = aligned_alloc(LARGE_PAGE, bytes);
#ifdef MADV_HUGEPAGE
    if (memory)
        madvise(memory, bytes, MADV_HUGEPAGE); /* a hint: a failure changes nothing */
#endif
    return memory;
}
