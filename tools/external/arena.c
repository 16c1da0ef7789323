/* arena.c - clsort-external: the memory of a phase, which is mapped at once and divided into aligned parts */
#include "arena.h"

#include "io.h"
#include "linux.h"
#include "print.h"

#include <sys/mman.h>

size_t arena_padded(size_t size)
{
    return (size + IO_ALIGNMENT - 1) / IO_ALIGNMENT * IO_ALIGNMENT;
}

bool arena_map(struct arena *arena, size_t size)
{
    *arena = (struct arena){.size = arena_padded(size + 1)};
    arena->memory = linux_enlarge(NULL, 0, arena->size);
    if (arena->memory == NULL)
        print_error("memory", "the system does not provide %zu bytes", arena->size);
    return arena->memory != NULL;
}

void arena_unmap(struct arena *arena)
{
    if (arena->memory != NULL)
        munmap(arena->memory, arena->size);
    *arena = (struct arena){.memory = NULL};
}

unsigned char *arena_take(struct arena *arena, size_t size)
{
    unsigned char *part = arena->memory + arena->used;

    arena->used += arena_padded(size);
    return part;
}
