/* world.h - the ranks of clsort-mpi, which agree on errors and print each once */
#ifndef CLSORT_TOOLS_MPI_WORLD_H
#define CLSORT_TOOLS_MPI_WORLD_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct world {
    int rank, size;
    MPI_Comm node; /* the ranks that share memory with this one */
    int node_rank, node_size;
    FILE *messages; /* what print_error prints, until world_agree */
    char *text;
    size_t text_size;
};

/* Initializes MPI, whose errors are returned from here on. print_error prints to world->messages. Returns false on all
 * ranks on failure. The caller calls world_end in either case. */
bool world_start(struct world *world, int *argc, char ***argv);
void world_end(struct world *world);

/* Returns whether all ranks are done, and no function of MPI has failed on any. If not, rank 0 prints the messages of
 * the first rank that is not; else it prints those of the first rank that has some. Those of other ranks are dropped,
 * since most errors occur on all ranks. Collective. */
bool world_agree(struct world *world, bool done);

/* Prints an error of MPI, which occurred with this subject, unless the code is MPI_SUCCESS. Returns whether it is. */
bool world_check(const char *subject, int code);

/* Returns whether a function of MPI has succeeded, by its result. If it has not, the next call of world_agree fails.
 * Until then, the rank goes on as the others do, which wait for it. */
bool world_called(const char *function, int code);

/* Return sums of the numbers of all ranks, modulo 2^64; before: of the ranks before this one. Collective, as the
 * following functions are. If MPI fails, the result is another one, which is in use until world_agree only. */
uint64_t world_sum(uint64_t number);
uint64_t world_sum_before(uint64_t number);

/* Return the maximum and the minimum of the numbers of all ranks, which are less than 2^63. Collective. */
uint64_t world_max(uint64_t number);
uint64_t world_min(uint64_t number);

/* Returns whether no rank before this one is on the same node and of the same kind. Collective. */
bool world_is_first(const struct world *world, uint64_t kind);

/* The part of `count` elements that a rank has: the first ranks have one more if the division leaves a rest. */
uint64_t world_first(const struct world *world, uint64_t count, int rank);

#endif
