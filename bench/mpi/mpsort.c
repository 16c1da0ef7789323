/* mpsort.c - the peer MP-sort (Feng, Straka, Di Matteo and Croft, "MP-sort: sorting for a cosmological simulation on
 * BlueWaters", Cray User Group 2015; github.com/rainwoodman/MP-sort) */
#include "sorts.h"

#include <mpi.h>
#include <mpsort.h>
#include <string.h>

/* Write the number by which a key is sorted. */
static void radix_u32(const void *key, void *radix, void *arg)
{
    (void)arg;
    memcpy(radix, key, sizeof(uint32_t));
}

static void radix_u64(const void *key, void *radix, void *arg)
{
    (void)arg;
    memcpy(radix, key, sizeof(uint64_t));
}

static const char *unsupported(const struct data_type *type)
{
    return type->key == CLSORT_U32 || type->key == CLSORT_U64 ? NULL : "it sorts u32 and u64 only";
}

/* It aborts the program if it fails. The input is overwritten. */
static bool run(const struct share *share)
{
    const size_t size = share->type->size;
    mpsort_mpi_newarray(share->copy, share->count, share->out, share->count, size,
                        size == sizeof(uint32_t) ? radix_u32 : radix_u64, size, NULL,
                        MPI_COMM_WORLD);
    return true;
}

const struct sort sort_mpsort = {.name = "MP-sort", .unsupported = unsupported, .run = run};
