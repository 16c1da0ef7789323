/* write.h - writes sorted keys or indexes, and merges them meanwhile if there are pieces */
#ifndef CLSORT_TOOLS_WRITE_H
#define CLSORT_TOOLS_WRITE_H

#include "input.h"
#include "output.h"
#include "pieces.h"

/* All print an error and return false on failure. */

/* Writes elements as they are in memory, of this size in bytes. */
bool write_keys(struct output *output, const void *keys, size_t size);

/* Writes the indexes that --argsort has found. */
bool write_indexes(struct output *output, const void *indexes, size_t index_size, size_t count);

/* Writes the elements of rows whose pieces are sorted keys (elements.h), or their indexes if
 * `indexes` is not NULL. The keys of each row must be adjacent. flags: as in clsort_desc. */
bool write_merged(struct output *output, const struct input *input, const struct rows *rows,
                  void *indexes, const struct pieces *pieces, uint32_t flags);

#endif
