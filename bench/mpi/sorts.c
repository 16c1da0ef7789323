/* sorts.c - clsort over the ranks of MPI, and the cost floor of such a sort */
#include "sorts.h"

#include "print.h"

#include <stdlib.h>
#include <string.h>

/* -- clsort ------------------------------------------------------------------------------------ */

static clsort_desc describe(const struct share *share)
{
    clsort_desc desc = CLSORT_DESC_INIT;
    desc.key = share->type->key;
    return desc;
}

static bool run_clsort(const struct share *share)
{
    const clsort_desc desc = describe(share);
    const clsort_status status = clsort_mpi_host(share->mpi, &desc, share->count, share->keys, NULL,
                                                 share->count, share->out, NULL);
    char text[512];
    if (status == CLSORT_OK)
        return true;
    clsort_mpi_last_error(sizeof text, text, NULL);
    print_error(sort_clsort.name, "%s", text[0] ? text : clsort_status_string(status));
    return false;
}

const struct sort sort_clsort = {.name = "clsort_mpi_host", .run = run_clsort};

/* -- cost floor -------------------------------------------------------------------------------- */

/* Finds out how many keys go where: as many as clsort has sent. counts and firsts have two arrays each: those that are
 * sent, and those that are received. Returns whether as many keys arrive as leave. */
static bool plan_floor(const struct share *share, int *counts, int *firsts)
{
    const int size = share->world->size, rank = share->world->rank;
    uint64_t sent = 0, received = 0;
    for (int i = 0; i < size; i++) {
        counts[i] = i == rank ? 0 : (int)(share->sent[i] / share->type->size);
        sent += (uint64_t)counts[i];
    }
    counts[rank] = (int)(share->count - sent);
    MPI_Alltoall(counts, 1, MPI_INT, counts + size, 1, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < size; i++)
        received += (uint64_t)counts[size + i];
    for (int part = 0; part < 2 * size; part += size)
        for (int i = part + 1; i < part + size; i++)
            firsts[i] = firsts[i - 1] + counts[i - 1];
    return sent <= share->count && received == share->count;
}

static void exchange_floor(const struct share *share, const int *counts, const int *firsts)
{
    const int size = share->world->size;
    MPI_Datatype key;
    MPI_Type_contiguous((int)share->type->size, MPI_BYTE, &key);
    MPI_Type_commit(&key);
    MPI_Alltoallv(share->copy, counts, firsts, key, share->out, counts + size, firsts + size, key,
                  MPI_COMM_WORLD);
    MPI_Type_free(&key);
}

/* One sort in the calling thread, in a copy of the keys, and one exchange of the keys that clsort has exchanged. No
 * splitters are searched, and nothing is merged. */
static bool run_floor(const struct share *share)
{
    const clsort_desc desc = describe(share);
    const size_t size = (size_t)share->world->size;
    int *const numbers = calloc(4 * size, sizeof *numbers);
    if (!numbers) { /* the other ranks wait for this one */
        print_error(sort_floor.name, "out of memory");
        MPI_Abort(MPI_COMM_WORLD, EXIT_ERROR);
        return false;
    }
    memcpy(share->copy, share->keys, share->count * share->type->size);
    const clsort_status status = clsort_host(NULL, NULL, &desc, share->count, share->copy, NULL);
    const bool is_balanced = plan_floor(share, numbers, numbers + 2 * size);
    if (world_sum(!is_balanced) == 0)
        exchange_floor(share, numbers, numbers + 2 * size);
    free(numbers);
    if (status != CLSORT_OK || !is_balanced)
        print_error(sort_floor.name, "%s",
                    is_balanced ? clsort_status_string(status)
                                : "the bytes that were counted are not those of an exchange");
    return status == CLSORT_OK && is_balanced;
}

const struct sort sort_floor = {.name = "sort-alltoallv-copy", .is_floor = true, .run = run_floor};

/* -- list -------------------------------------------------------------------------------------- */

const struct sort *sorts_at(size_t index)
{
    static const struct sort *const sorts[SORTS_MAX] = {&sort_clsort, &sort_floor, &sort_mpsort};
    return index < SORTS_MAX ? sorts[index] : NULL;
}
