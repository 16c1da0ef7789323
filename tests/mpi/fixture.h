/* fixture.h - sorts over MPI ranks for tests: each rank makes the whole input, and knows what its output must be */
#ifndef CLSORT_TESTS_MPI_FIXTURE_H
#define CLSORT_TESTS_MPI_FIXTURE_H

#include "data.h"

#include <clsort_mpi.h>
#include <stdbool.h>
#include <stdint.h>

struct custom_order;

/* The ranks of MPI_COMM_WORLD. */
struct ranks {
    clsort_mpi *mpi;
    clsort_engine *engine; /* NULL: the host sorts */
    cl_context context;
    cl_command_queue queue;
    int rank, size;
};

/* Begins a test program, whose arguments are: [device] [MAXIMUM BYTES OF A MESSAGE]. With "device", each rank has an
 * engine of the device under test. */
void ranks_open(struct ranks *ranks, int argc, char **argv);

/* Ends it, and prints the number of checks. Returns the exit status. */
int ranks_close(struct ranks *ranks);

/* Prints why a check failed, and ends all ranks. */
#define check(condition, ...)                                                                      \
    check_condition((condition), #condition, __FILE__, __LINE__, __VA_ARGS__)
void check_condition(bool condition, const char *text, const char *file, int line,
                     const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Checks that a call has returned this status, and that its sentence contains `text`. */
void check_failure(clsort_status found, clsort_status expected, const char *text);

/* A sort and its result, of all ranks together. */
struct whole {
    clsort_desc desc;
    size_t count, key_bytes, value_bytes;
    uint8_t *keys, *values, *sorted_keys, *sorted_values;
};

/* Makes sorts. The keys of the first are `count` of this type and distribution. */
struct whole whole_of_keys(clsort_key key, uint32_t flags, enum data_dist dist, size_t count,
                           size_t value_bytes);
struct whole whole_of_records(size_t count, bool are_byte_strings);
struct whole whole_of_order(const struct custom_order *order, size_t count, size_t value_bytes);

/* Computes the result. Call it when the descriptor is complete. */
void whole_sort(struct whole *whole);
void whole_free(struct whole *whole);

/* How elements are divided between the ranks. */
enum division { EVENLY, RANDOMLY, ALL_ON_FIRST, ALL_ON_LAST, EVERY_OTHER, DIVISIONS };

/* Returns the index of the first element of a rank; of the rank `size`: count. */
size_t division_first(enum division division, size_t count, int rank, int size);

/* The arrays of a rank. Each has exactly the size that it needs. */
struct part {
    size_t first, count;
    uint8_t *keys, *values;
};

/* Returns the part of the input, or an empty output. */
struct part part_of_input(const struct ranks *ranks, const struct whole *whole, enum division how);
struct part part_of_output(const struct ranks *ranks, const struct whole *whole, enum division how);
void part_free(struct part part);

/* Checks that the output of this rank is right. */
void part_check(const struct ranks *ranks, const struct whole *whole, struct part out,
                const char *name);

/* Sorts with these divisions of the input and the output, and checks the result. */
void sort_divided(const struct ranks *ranks, const struct whole *whole, enum division in,
                  enum division out, const char *name);

#endif
