/* linux.c - clsort-tool-common: calls that POSIX lacks; no other file of the tools has any */
#define _GNU_SOURCE /* mremap, O_TMPFILE */
#include "linux.h"

#include <fcntl.h>
#include <sys/mman.h>

void *linux_enlarge(void *mapping, size_t size, size_t new_size)
{
    void *enlarged;

    if (mapping == NULL)
        enlarged = mmap(NULL, new_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    else
        enlarged = mremap(mapping, size, new_size, MREMAP_MAYMOVE);
    if (enlarged == MAP_FAILED)
        return NULL;
    madvise(enlarged, new_size, MADV_HUGEPAGE); /* reduces page faults; may fail */
    return enlarged;
}

int linux_open_unnamed(const char *folder, mode_t mode)
{
    return open(folder, O_WRONLY | O_TMPFILE | O_CLOEXEC, mode);
}
