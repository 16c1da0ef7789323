/* segments.h - --segments, and short rows, which are sorted in one call */
#ifndef CLSORT_TOOLS_SEGMENTS_H
#define CLSORT_TOOLS_SEGMENTS_H

#include "rows.h"

#include <clsort.h>

struct job;

/* Parts of the array. They are sorted in one call; selections take one after the other. */
struct segments {
    clsort_segments form; /* CLSORT_WHOLE: the rows are sorted one after the other */
    size_t count;
    size_t offset_size;
    void *offsets; /* CLSORT_OFFSETS: count + 1 of them, in order and within the array */
};

/* Returns offset i of CLSORT_OFFSETS. */
size_t segments_offset(const struct segments *segments, size_t i);

/* Returns the number of keys in segment i of CLSORT_OFFSETS. */
size_t segments_length(const struct segments *segments, size_t i);

/* Returns the length of the longest segment of CLSORT_OFFSETS. */
size_t segments_max_length(const struct segments *segments);

/* Reads the offsets of --segments for the elements of the input, and checks them. Prints an error and
 * returns false on failure. */
bool segments_read(struct job *job);
void segments_free(struct job *job);

/* Lets all rows be sorted in one call if that is faster: if they are so short that the calling thread
 * would sort one after the other. */
void segments_join_rows(struct job *job);

/* Undoes it. */
void segments_part_rows(struct job *job);

/* Returns the rows that are sorted by one call: one row of all elements if there are segments. For
 * selections from segments, returns one row of the length of the longest. */
struct rows segments_rows(const struct job *job);

/* Sorts all segments. The keys are as elements_to_keys returns them. */
clsort_status segments_sort(struct job *job);

#endif
