/* arena.h - clsort-external: the memory of a phase, which is mapped at once and divided into aligned parts */
#ifndef CLSORT_EXTERNAL_ARENA_H
#define CLSORT_EXTERNAL_ARENA_H

#include <stdbool.h>
#include <stddef.h>

struct arena {
    unsigned char *memory;
    size_t size, used;
};

/* Maps memory for parts of `size` bytes altogether, each of which has up to arena_padding more. Prints an error and
 * returns false on failure. The caller calls arena_unmap in either case. */
bool arena_map(struct arena *arena, size_t size);
void arena_unmap(struct arena *arena);

/* Returns the size of a part with its padding. */
size_t arena_padded(size_t size);

/* Returns a part that begins at a page. The parts taken must fit in the arena. */
unsigned char *arena_take(struct arena *arena, size_t size);

#endif
