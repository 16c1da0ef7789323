/* search.c - positions of splitters over ranks agree with a stable sort of the keys of all ranks
 *
 * Run by mpirun with any number of ranks. Also counts the rounds, which must be few. */
#include "mpi/search.h"

#include "bits.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    MAX_COUNT = 700,
    SEARCHES = 40,
    OTHER_AGREEMENTS = 3, /* of a search; there is one more in each round */
    MAX_ROUNDS_UNIFORM = 12
};

struct element {
    uint64_t key;
    int rank;
};

static int self, ranks, agreements;

/* The calls of the library (the profiling interface of MPI) */
int MPI_Allreduce(const void *send, void *receive, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm)
{
    agreements++;
    return PMPI_Allreduce(send, receive, count, type, op, comm);
}

static uint64_t next(uint64_t *state)
{
    return bits_mix(*state += BITS_GAMMA);
}

enum dist { UNIFORM, EQUAL, FEW, HOT, LOG_UNIFORM, IN_ORDER, EXTREMES, DISTS };

static const char *const dist_names[] = {"uniform", "equal",    "few",     "hot",
                                         "bits",    "in order", "extremes"};

static uint64_t key_of(enum dist dist, uint64_t bits)
{
    const uint64_t high = bits >> 60;
    switch (dist) {
    case EQUAL:
        return 42;
    case FEW:
        return high;
    case HOT:
        return high < 12 ? (uint64_t)1 << 40 : bits;
    case LOG_UNIFORM:
        return bits >> (bits & 63);
    case IN_ORDER:
        return ((uint64_t)self << 32) + (bits >> 40);
    case EXTREMES:
        return high < 8 ? 0 : UINT64_MAX;
    default:
        return bits;
    }
}

static int compare(const void *a, const void *b)
{
    const struct element *x = a, *y = b;
    if (x->key != y->key)
        return x->key > y->key ? 1 : -1;
    return x->rank - y->rank;
}

static struct cls_key_counts count_key(const void *data, uint64_t key, uint64_t first, uint64_t end)
{
    const struct element *own = data;
    struct cls_key_counts counts = {first, first};
    while (counts.below < end && own[counts.below].key < key)
        counts.below++;
    counts.not_above = counts.below;
    while (counts.not_above < end && own[counts.not_above].key == key)
        counts.not_above++;
    return counts;
}

static uint64_t key_at(const void *data, uint64_t position)
{
    return ((const struct element *)data)[position].key;
}

/* Searches for SEARCHES ranks, and returns the number of positions that are wrong. */
static int check(enum dist dist, uint64_t seed, bool some_are_empty)
{
    struct element own[MAX_COUNT], *all = malloc((size_t)ranks * MAX_COUNT * sizeof *all);
    int *bytes = malloc((size_t)ranks * 2 * sizeof *bytes), *at = bytes + ranks, faults = 0;
    uint64_t state = seed * 1000 + (uint64_t)self, common = seed, rank[SEARCHES];
    uint64_t position[SEARCHES], total = 0;
    int count = (int)(next(&state) % (MAX_COUNT + 1)), size;
    if (!all || !bytes)
        MPI_Abort(MPI_COMM_WORLD, 1);
    if (some_are_empty && self % 2 == 0)
        count = 0;
    for (int i = 0; i < count; i++)
        own[i] = (struct element){key_of(dist, next(&state)), self};
    qsort(own, (size_t)count, sizeof *own, compare);
    size = count * (int)sizeof *own;
    MPI_Allgather(&size, 1, MPI_INT, bytes, 1, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < ranks; i++) {
        at[i] = (int)(total * sizeof *own);
        total += (uint64_t)bytes[i] / sizeof *own;
    }
    MPI_Allgatherv(own, size, MPI_BYTE, all, bytes, at, MPI_BYTE, MPI_COMM_WORLD);
    qsort(all, total, sizeof *all, compare);
    for (int i = 0; i < SEARCHES; i++)
        rank[i] = i == SEARCHES - 1 ? total : total * (uint64_t)i / (SEARCHES - 1);
    rank[1] = rank[0] + next(&common) % (rank[2] - rank[0] + 1);

    const struct cls_sorted_keys keys = {own, (uint64_t)count, count_key, key_at};
    agreements = 0;
    struct cls_ranks world = {.comm = MPI_COMM_WORLD, .rank = self, .size = ranks};
    if (cls_search(&world, &keys, UINT64_MAX, SEARCHES, rank, position) != CLSORT_OK)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < SEARCHES; i++) {
        uint64_t expected = 0;
        for (uint64_t j = 0; j < rank[i]; j++)
            expected += all[j].rank == self;
        if (position[i] != expected && faults++ == 0)
            fprintf(stderr, "%s, seed %d, rank %d: the first %d of %d: %d instead of %d\n",
                    dist_names[dist], (int)seed, self, (int)rank[i], (int)total, (int)position[i],
                    (int)expected);
    }
    const int rounds = agreements - OTHER_AGREEMENTS;
    if (dist == UNIFORM && rounds > MAX_ROUNDS_UNIFORM) {
        fprintf(stderr, "uniform, seed %d: %d rounds\n", (int)seed, rounds);
        faults++;
    }
    free(all);
    free(bytes);
    return faults;
}

int main(int argc, char **argv)
{
    int faults = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &self);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int dist = 0; dist < DISTS; dist++)
        for (uint64_t seed = 1; seed <= 6; seed++)
            faults += check((enum dist)dist, seed, seed % 2 == 0);
    MPI_Allreduce(MPI_IN_PLACE, &faults, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return faults > 0;
}
