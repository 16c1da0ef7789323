/* write.h - writes sorted keys, and merges them meanwhile if they were sorted in pieces */
#ifndef CLSORT_TOOLS_WRITE_H
#define CLSORT_TOOLS_WRITE_H

#include "input.h"
#include "output.h"
#include "pieces.h"

/* Both print an error and return false on failure. */

/* Writes the elements of the input as they are in memory. */
bool write_keys(struct output *output, const struct input *input);

/* Writes the elements of rows whose pieces are sorted keys (elements.h). The keys of each row must
 * be adjacent. flags: as in clsort_desc. */
bool write_merged(struct output *output, const struct input *input, const struct rows *rows,
                  const struct pieces *pieces, uint32_t flags);

#endif
