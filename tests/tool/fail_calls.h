/* fail_calls.h - which call fails, and how many bytes a transfer has */
#ifndef CLSORT_TEST_FAIL_CALLS_H
#define CLSORT_TEST_FAIL_CALLS_H

#include <stdbool.h>
#include <stddef.h>

/* Counts a call of this kind. Sets errno and returns true if it has to fail. */
bool fail_call(const char *call);

/* Returns whether the transfers of a descriptor bypass the page cache. */
bool fail_is_direct(int fd);

/* Returns the number of bytes that the next transfer of this size may have; 0: it is interrupted. */
size_t fail_transfer_size(size_t size);

#endif
