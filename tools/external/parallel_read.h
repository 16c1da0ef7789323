/* parallel_read.h - clsort-external: reads a part of a file into memory by several threads
 *
 * Most of the time of a read from the page cache goes into the copy and into the first use of the memory, which several
 * threads share. */
#ifndef CLSORT_EXTERNAL_PARALLEL_READ_H
#define CLSORT_EXTERNAL_PARALLEL_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reads `size` bytes of a regular file from `offset` on. *size_read: the bytes before the first one that was not read;
 * fewer than `size` if the file is shorter, or if a read fails, which sets errno and returns false. Several threads
 * call progress with the number of bytes that they have read. The position of the file does not change. */
bool parallel_read(int fd, uint64_t offset, void *space, size_t size, size_t *size_read,
                   void (*progress)(uint64_t bytes));

#endif
