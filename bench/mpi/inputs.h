/* inputs.h - the keys that the ranks sort */
#ifndef CLSORT_BENCH_MPI_INPUTS_H
#define CLSORT_BENCH_MPI_INPUTS_H

#include "data.h"

/* A distribution over the keys of all ranks, one rank behind the other. */
struct inputs_dist {
    enum data_dist dist;
    bool has_hot_key; /* 9 of 10 keys are the same one */
};

/* The name of the distribution that data.h does not have. */
#define INPUTS_HOT_KEY "hot-key"

/* Finds a distribution by its name, which is hot-key or a name that data_dist_name returns. Returns false if no
 * distribution has this name. */
bool inputs_find(const char *name, struct inputs_dist *dist);
const char *inputs_name(struct inputs_dist dist);

/* Generates the keys of a rank: `count` of `total`, from the index `first` on. */
void inputs_fill(const struct data_type *type, struct inputs_dist dist, uint64_t total,
                 uint64_t first, void *keys, size_t count);

#endif
