/* memory.h - clsort-tool-common: how much more memory this process may take */
#ifndef CLSORT_TOOLS_MEMORY_H
#define CLSORT_TOOLS_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

/* Bytes that are left. UINT64_MAX: there is no limit, or it is unknown. */
struct memory {
    uint64_t address_space; /* of the limits of ulimit -v and ulimit -d */
    uint64_t ram;           /* of the machine and of the control groups of this process */
    uint64_t swap;          /* free swap space; 0 if a control group limits ram */
};

struct memory memory_left(void);

/* The same with the files /proc and /sys below the folder root, and with the given limits on the
 * address space and on the data, for tests. */
struct memory memory_read(const char *root, uint64_t max_address_space, uint64_t max_data);

/* Return the bytes that are left without and with swapping. */
uint64_t memory_unswapped(const struct memory *left);
uint64_t memory_total(const struct memory *left);

/* Return the resident memory of this process in bytes, now and at most so far; 0 if it is unknown. */
uint64_t memory_resident(void);
uint64_t memory_peak(void);

enum { MEMORY_SHORTAGE_SIZE = 160 };

/* Formats how many bytes an action, such as "sorting", needs, how many are left, and what limits
 * them. Returns the text. */
const char *memory_shortage(char text[MEMORY_SHORTAGE_SIZE], const char *action, uint64_t needed,
                            const struct memory *left);

#endif
