/* part.c - clsort-mpi: elements of a rank in its memory */
#include "part.h"

#include "linux.h"
#include "print.h"

#include <sys/mman.h>

bool part_allocate(struct part *part, const struct job *job, size_t count, size_t size)
{
    const size_t bytes = count > 0 ? count * size : 1; /* mappings are not empty */

    *part = (struct part){.count = count, .bytes = bytes};
    part->elements = linux_enlarge(NULL, 0, bytes);
    if (part->elements == NULL)
        print_error(job->input.name, "out of memory: the system does not provide %zu bytes", bytes);
    return part->elements != NULL;
}

void part_free(struct part *part)
{
    if (part->elements != NULL)
        munmap(part->elements, part->bytes);
    *part = (struct part){.count = 0};
}
