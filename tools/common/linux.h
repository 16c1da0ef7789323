/* linux.h - clsort-tool-common: calls that POSIX lacks */
#ifndef CLSORT_TOOLS_LINUX_H
#define CLSORT_TOOLS_LINUX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Enlarges a mapping, or makes one if it is NULL. Pages are moved instead of copied, so that the peak
 * memory is the new size. Returns NULL and sets errno on failure; the mapping then is unchanged.
 * munmap releases it. */
void *linux_enlarge(void *mapping, size_t size, size_t new_size);

/* Creates a file without a name in this folder. access: O_WRONLY or O_RDWR. Returns its descriptor, or -1 if that
 * is not supported. */
int linux_open_unnamed(const char *folder, int access, mode_t mode);

/* Opens the file of a descriptor again, for transfers that bypass the page cache. Returns -1 if the file system
 * does not support these. */
int linux_open_direct(int fd, int access);

/* Locks a file for writing, until all copies of this descriptor are closed. (Other locks of POSIX end as soon as the
 * process closes any descriptor of the file.) Returns false if another process has locked it, or if the file system
 * has no locks. */
bool linux_lock(int fd);

/* Lets later transfers of a descriptor use the page cache. Returns false and sets errno on failure. */
bool linux_make_buffered(int fd);

/* Allocates a part of a file, and enlarges it if the part is behind its end. Returns false and sets errno on
 * failure. */
bool linux_allocate(int fd, uint64_t offset, uint64_t size);

/* Makes the system begin to write a part of a file from the page cache to the disk. */
void linux_start_writing(int fd, uint64_t offset, uint64_t size);

/* Returns whether the file system of a file keeps its data in memory. */
bool linux_is_in_memory(int fd);

/* Returns the space of a part of a file to the file system. Returns false and sets errno on failure. */
bool linux_punch(int fd, uint64_t offset, uint64_t size);

#endif
