/* elements.h - what is sorted: a descriptor that libclsort has checked, and the arrays of a rank */
#ifndef CLSORT_MPI_ELEMENTS_H
#define CLSORT_MPI_ELEMENTS_H

#include "base/spec.h"

#include <clsort.h>

struct cls_mpi_elements {
    clsort_desc desc; /* complete, of CLSORT_SORT */
    size_t key_bytes, value_bytes;
    bool has_numbers; /* the keys have a built-in type; then spec is that of the keys */
    struct cls_spec spec;
    uint64_t hash; /* of all that must be the same on all ranks */
};

/* Reads a descriptor, and checks it as clsort_host would with this engine. */
clsort_status cls_elements_read(const clsort_desc *desc, clsort_engine *engine,
                                struct cls_mpi_elements *elements);

/* Arrays of a rank. */
struct cls_mpi_arrays {
    char *keys, *values;
};

/* Returns the arrays from index i on. */
static inline struct cls_mpi_arrays cls_arrays_at(const struct cls_mpi_elements *elements,
                                                  struct cls_mpi_arrays arrays, uint64_t i)
{
    return (struct cls_mpi_arrays){
        arrays.keys + i * elements->key_bytes,
        elements->value_bytes > 0 ? arrays.values + i * elements->value_bytes : NULL};
}

/* Copies elements to arrays that do not overlap. */
void cls_arrays_copy(const struct cls_mpi_elements *elements, struct cls_mpi_arrays from,
                     struct cls_mpi_arrays to, uint64_t count);

/* Checks the pointers of count elements: "keys_out is NULL". The names are those of the arguments. */
clsort_status cls_arrays_check(const struct cls_mpi_elements *elements, uint64_t count,
                               const void *keys, const void *values, const char *keys_name,
                               const char *values_name);

/* Sets the sentence that libclsort has about the failure of its last call in this thread, and returns status. */
clsort_status cls_library_failed(clsort_status status);

#endif
