/* linux.h - clsort-tool-common: calls that POSIX lacks */
#ifndef CLSORT_TOOLS_LINUX_H
#define CLSORT_TOOLS_LINUX_H

#include <stddef.h>
#include <sys/types.h>

/* Enlarges a mapping, or makes one if it is NULL. Pages are moved instead of copied, so that the peak
 * memory is the new size. Returns NULL and sets errno on failure; the mapping then is unchanged.
 * munmap releases it. */
void *linux_enlarge(void *mapping, size_t size, size_t new_size);

/* Creates a file without a name in this folder, for writing. Returns its descriptor, or -1 if that
 * is not supported. */
int linux_open_unnamed(const char *folder, mode_t mode);

#endif
