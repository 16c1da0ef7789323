/* conversion.h - clsort-external: the elements of chunks of the inputs become those that are sorted */
#ifndef CLSORT_EXTERNAL_CONVERSION_H
#define CLSORT_EXTERNAL_CONVERSION_H

#include "arena.h"
#include "external.h"
#include "reader.h"

struct conversion {
    struct external *external;
    /* Space for the elements of a chunk, if they have another size than in the inputs, and for those of the next one;
     * else NULL. */
    unsigned char *next, *after_next;
};

/* Returns how many bytes of the arena a conversion needs if a chunk has at most this number of elements. */
size_t conversion_memory(const struct external *external, size_t chunk_elements);

void conversion_open(struct conversion *conversion, struct external *external, struct arena *arena,
                     size_t chunk_elements);

/* Adds space for the elements of another chunk: those of the last chunk then remain when the next one is converted. */
void conversion_add_space(struct conversion *conversion, struct arena *arena,
                          size_t chunk_elements);

/* Counts the elements of a chunk, adds up the checksums that the output will be compared with (if is_proven) or that
 * are wanted anyway, and converts the elements. Returns them. */
unsigned char *conversion_take(struct conversion *conversion, const struct reader_chunk *chunk,
                               bool is_proven);

#endif
