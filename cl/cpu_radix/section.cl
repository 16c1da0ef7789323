// section.cl - parts of a bucket that wait to be sorted, each by itself
#ifndef CLSORT_CPU_RADIX_SECTION_CL
#define CLSORT_CPU_RADIX_SECTION_CL

#include "common/types.cl"

// A part of a bucket that is sorted by itself: its items differ in the bits [low, top) only.
typedef struct {
    index_t first, count;
    uint low, top;
    uint splits;   // that made it
    bool is_moved; // to where the bucket is to be
} section_t;

#define MAX_SECTIONS 1024u // four levels of splits

typedef struct {
    section_t section[MAX_SECTIONS];
    uint count;
} waiting_t;

// False if there is no room for it to.
static inline bool wait_for(waiting_t *waiting, const section_t section)
{
    if (waiting->count == MAX_SECTIONS)
        return false;
    waiting->section[waiting->count++] = section;
    return true;
}

#endif
