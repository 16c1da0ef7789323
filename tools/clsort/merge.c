/* merge.c - merges the sorted pieces of an array
 *
 * A loser tree (Knuth, The Art of Computer Programming, volume 3, section 5.4.1) takes one
 * comparison per level for each key. Inner nodes 1 to k - 1 hold the piece that lost there; the
 * leaves k to 2k - 1 are the pieces. */
#include "merge.h"

#include "bits.h"

#include <stdlib.h>
#include <string.h>

/* The rest of a piece. */
struct run {
    uint64_t order; /* of the first key; ascends along sorted keys */
    size_t rank;    /* decides between equal keys: the index; that of an empty run is larger */
    const unsigned char *next, *end; /* keys, or the indexes of keys */
};

struct merge {
    const struct data_type *type;
    uint32_t flags;
    size_t piece;
    const unsigned char *keys;
    size_t index_size; /* 0: the runs consist of keys */
    size_t count;      /* of pieces */
    size_t winner;     /* the run with the first key */
    struct run *runs;
    size_t *losers;  /* by inner node */
    size_t *winners; /* by node; needed to build the tree */
};

void merge_destroy(struct merge *merge)
{
    if (merge == NULL)
        return;
    free(merge->runs);
    free(merge->losers);
    free(merge->winners);
    free(merge);
}

struct merge *merge_create(const struct data_type *type, uint32_t flags, size_t max_count,
                           size_t piece)
{
    const size_t max_pieces = max_count / piece + 1;
    struct merge *merge = malloc(sizeof *merge);

    if (merge == NULL)
        return NULL;
    *merge = (struct merge){.type = type, .flags = flags, .piece = piece};
    merge->runs = malloc(max_pieces * sizeof *merge->runs);
    merge->losers = malloc(max_pieces * sizeof *merge->losers);
    merge->winners = malloc(2 * max_pieces * sizeof *merge->winners);
    if (merge->runs != NULL && merge->losers != NULL && merge->winners != NULL)
        return merge;
    merge_destroy(merge);
    return NULL;
}

/* Returns the index in the array of the first key of a run of indexes. */
static inline size_t first_index(const struct merge *merge, const struct run *run)
{
    const size_t piece = (size_t)(run - merge->runs);

    return piece * merge->piece + (size_t)bits_load(run->next, merge->index_size);
}

static inline const unsigned char *first_key(const struct merge *merge, const struct run *run)
{
    return merge->index_size == 0 ? run->next
                                  : merge->keys + first_index(merge, run) * merge->type->size;
}

static inline void read_key(const struct merge *merge, struct run *run)
{
    if (run->next < run->end) {
        run->order = data_order(merge->type, merge->flags, first_key(merge, run));
    } else {
        run->order = UINT64_MAX;
        run->rank += merge->count;
    }
}

static inline bool precedes(const struct run *a, const struct run *b)
{
    return a->order < b->order || (a->order == b->order && a->rank < b->rank);
}

static void build_tree(struct merge *merge)
{
    const size_t count = merge->count;

    for (size_t node = 2 * count - 1; node > 0; node--) {
        if (node >= count) {
            merge->winners[node] = node - count;
            continue;
        }
        const size_t a = merge->winners[2 * node], b = merge->winners[2 * node + 1];
        const bool a_wins = precedes(&merge->runs[a], &merge->runs[b]);
        merge->winners[node] = a_wins ? a : b;
        merge->losers[node] = a_wins ? b : a;
    }
    merge->winner = merge->winners[1];
}

/* Divides `elements`, which are the keys or the indexes, into runs. */
static void start(struct merge *merge, const void *elements, size_t size, size_t count)
{
    const unsigned char *next = elements;
    const unsigned char *end = next + count * size;
    const size_t piece_size = merge->piece * size;

    merge->count = count / merge->piece + (count % merge->piece != 0);
    for (size_t i = 0; i < merge->count; i++) {
        const size_t rest = (size_t)(end - next);
        struct run *run = &merge->runs[i];

        *run = (struct run){.rank = i, .next = next, .end = end};
        if (rest > piece_size)
            run->end = next + piece_size;
        read_key(merge, run);
        next = run->end;
    }
    if (merge->count > 0)
        build_tree(merge);
}

void merge_start(struct merge *merge, const void *keys, size_t count)
{
    merge->index_size = 0;
    start(merge, keys, merge->type->size, count);
}

void merge_start_indexes(struct merge *merge, const void *keys, const void *indexes,
                         size_t index_size, size_t count)
{
    merge->keys = keys;
    merge->index_size = index_size;
    start(merge, indexes, index_size, count);
}

/* Removes the first element, of `size` bytes, from the winner and finds the next winner. */
static inline void advance(struct merge *merge, size_t size)
{
    size_t winner = merge->winner;
    struct run *run = &merge->runs[winner];

    run->next += size;
    read_key(merge, run);
    for (size_t node = (winner + merge->count) / 2; node > 0; node /= 2) {
        const size_t loser = merge->losers[node];

        if (precedes(&merge->runs[loser], &merge->runs[winner])) {
            merge->losers[node] = winner;
            winner = loser;
        }
    }
    merge->winner = winner;
}

/* Inlined with a constant size, so that the copy of a key is one instruction. */
static inline void take(struct merge *merge, unsigned char *to, size_t size, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        memcpy(to + i * size, merge->runs[merge->winner].next, size);
        advance(merge, size);
    }
}

void merge_take(struct merge *merge, void *to, size_t count)
{
    switch (merge->type->size) {
    case 1:
        take(merge, to, 1, count);
        break;
    case 2:
        take(merge, to, 2, count);
        break;
    case 4:
        take(merge, to, 4, count);
        break;
    default:
        take(merge, to, 8, count);
        break;
    }
}

void merge_take_indexes(struct merge *merge, uint64_t *to, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        to[i] = first_index(merge, &merge->runs[merge->winner]);
        advance(merge, merge->index_size);
    }
}
