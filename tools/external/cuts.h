/* cuts.h - clsort-external: stable merges of many runs, by cuts */
#ifndef CLSORT_EXTERNAL_CUTS_H
#define CLSORT_EXTERNAL_CUTS_H

#include "external.h"
#include "io.h"
#include "runs.h"
#include "store.h"

/* Takes merged elements, and may change them. Returns false after it has printed an error. */
typedef bool cuts_taker(void *context, unsigned char *elements, size_t count);

/* Returns the bytes of memory that a merge of `count` runs maps. */
size_t cuts_memory(const struct external_plan *plan, size_t count);

/* Merges `count` consecutive runs from `first` on, and punches the blocks that it has read out of the store. Prints an
 * error and returns false on failure. If the plan is a merge of inputs, checks the order of these, and adds their
 * checksums and counts to those of *external. */
bool cuts_merge(struct external *external, struct io *io, struct store *store,
                const struct runs *runs, size_t first, size_t count, cuts_taker *take,
                void *context);

#endif
