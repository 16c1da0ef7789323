/* conversion.h - clsort-external: the elements of chunks of the inputs become those that are sorted */
#ifndef CLSORT_EXTERNAL_CONVERSION_H
#define CLSORT_EXTERNAL_CONVERSION_H

#include "arena.h"
#include "external.h"
#include "reader.h"

struct conversion {
    struct external *external;
    unsigned char
        *elements; /* those of a chunk, if they have another size than in the inputs; else NULL */
};

/* Returns how many bytes of the arena a conversion needs if a chunk has at most this number of elements. */
size_t conversion_memory(const struct external *external, size_t chunk_elements);

void conversion_open(struct conversion *conversion, struct external *external, struct arena *arena,
                     size_t chunk_elements);

/* Counts the elements of a chunk, adds up the checksums that the output will be compared with (if is_proven) or that
 * are wanted anyway, and converts the elements. Returns them; those of the last chunk are gone. */
unsigned char *conversion_take(struct conversion *conversion, const struct reader_chunk *chunk,
                               bool is_proven);

#endif
