/* verify.c - checks the result of a sort over all ranks, independently of clsort */
#include "verify.h"

uint64_t verify_checksum(const struct data_type *type, const void *keys, size_t count)
{
    return world_sum(data_checksum(keys, type->size, count));
}

bool verify_order(const struct world *world, const struct data_type *type, const void *keys,
                  size_t count)
{
    const char *last = (const char *)keys + (count - 1) * type->size;
    const uint64_t own = data_order(type, 0, last);
    const int next = world->rank + 1 < world->size ? world->rank + 1 : MPI_PROC_NULL;
    const int previous = world->rank > 0 ? world->rank - 1 : MPI_PROC_NULL;
    uint64_t before = 0;
    MPI_Sendrecv(&own, 1, MPI_UINT64_T, next, 0, &before, 1, MPI_UINT64_T, previous, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    const bool in_order =
        data_disorder(type, 0, keys, count) == count && before <= data_order(type, 0, keys);
    return world_sum(!in_order) == 0;
}
