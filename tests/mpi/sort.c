/* sort.c - clsort_mpi_host gives the bytes of one stable sort, however many ranks there are and whatever they have
 *
 *   clsort-test-mpi-sort [device] [MAXIMUM BYTES OF A MESSAGE] */
#include "fixture.h"

#include "bits.h"
#include "custom_order.h"

#include <stdio.h>
#include <string.h>

/* Bytes that this rank has sent to others by point-to-point messages. */
static size_t sent_bytes;

int MPI_Isend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    int size = 0;
    MPI_Type_size(type, &size);
    sent_bytes += (size_t)count * (size_t)size;
    return PMPI_Isend(buffer, count, type, to, tag, comm, request);
}

/* With more ranks than this, a rank waits for the others most of the time, so that the tests sort less often. */
static bool is_crowded(const struct ranks *ranks)
{
    return ranks->size > 4;
}

static size_t pick(uint64_t *random, size_t count)
{
    return (size_t)(bits_mix(*random += BITS_GAMMA) % count);
}

/* -- keys of built-in types ------------------------------------------------------------------------ */

/* Sorts with all pairs of divisions of the input and the output. */
static void sort_all_divisions(const struct ranks *ranks, struct whole *whole, const char *name)
{
    whole_sort(whole);
    for (int in = 0; in < DIVISIONS; in++)
        for (int out = 0; out < DIVISIONS; out++)
            sort_divided(ranks, whole, (enum division)in, (enum division)out, name);
    whole_free(whole);
}

static void divisions(const struct ranks *ranks)
{
    static const enum data_dist dists[] = {DATA_UNIFORM, DATA_EQUAL, DATA_HOT, DATA_FEW};
    for (size_t i = 0; i < (is_crowded(ranks) ? 2 : sizeof dists / sizeof *dists); i++) {
        struct whole whole = whole_of_keys(CLSORT_U32, 0, dists[i], 2000 + 7 * i, 8);
        sort_all_divisions(ranks, &whole, data_dist_name(dists[i]));
    }
}

/* Fewer elements than ranks. */
static void few(const struct ranks *ranks)
{
    const size_t step = is_crowded(ranks) ? (size_t)ranks->size - 1 : 1;
    for (size_t count = 0; count <= (size_t)ranks->size + 1; count += step) {
        struct whole whole = whole_of_keys(CLSORT_I16, CLSORT_DESCENDING, DATA_FEW, count, 4);
        sort_all_divisions(ranks, &whole, "few elements");
    }
}

static void sort_random(const struct ranks *ranks, uint64_t seed, size_t max_count)
{
    static const size_t value_sizes[] = {0, 0, 1, 4, 8, 12, 100};
    static const uint32_t flags[] = {0, CLSORT_DESCENDING, CLSORT_FLOAT_NUMERIC,
                                     CLSORT_FLOAT_NUMERIC | CLSORT_DESCENDING};
    uint64_t random = seed;
    const clsort_key key = (clsort_key)(CLSORT_U8 + pick(&random, 11));
    const enum data_dist dist = (enum data_dist)pick(&random, DATA_DIST_COUNT);
    const size_t count = pick(&random, max_count);
    struct whole whole = whole_of_keys(key, flags[pick(&random, key >= CLSORT_F16 ? 4 : 2)], dist,
                                       count, value_sizes[pick(&random, 7)]);
    if (pick(&random, 4) == 0) {
        const uint32_t width = (uint32_t)(8 * whole.key_bytes);
        whole.desc.end_bit = 1 + (uint32_t)pick(&random, width);
        whole.desc.begin_bit = (uint32_t)pick(&random, whole.desc.end_bit + 1);
    }
    char name[64];
    snprintf(name, sizeof name, "seed %llu, %s %s", (unsigned long long)seed,
             data_type_of(key)->name, data_dist_name(dist));
    whole_sort(&whole);
    const enum division in = (enum division)pick(&random, DIVISIONS);
    sort_divided(ranks, &whole, in, (enum division)pick(&random, DIVISIONS), name);
    whole_free(&whole);
}

/* A maximum count of the input does not limit the output. */
static void max_counts(const struct ranks *ranks)
{
    static const enum division outs[] = {EVENLY, ALL_ON_FIRST, ALL_ON_LAST};
    struct whole whole = whole_of_keys(CLSORT_U32, 0, DATA_UNIFORM, 3000, 8);
    whole_sort(&whole);
    for (int in = 0; in < DIVISIONS; in++) {
        const struct part part = part_of_input(ranks, &whole, (enum division)in);
        whole.desc.max_count = part.count; /* 0: any number */
        part_free(part);
        for (size_t i = 0; i < sizeof outs / sizeof *outs; i++)
            sort_divided(ranks, &whole, (enum division)in, outs[i], "maximum count");
    }
    whole_free(&whole);
}

/* Every type, in each order. */
static void types(const struct ranks *ranks)
{
    for (int key = CLSORT_U8; key <= CLSORT_F64; key++)
        for (int i = 0; i < (key >= CLSORT_F16 ? 4 : 2); i++) {
            const uint32_t flags =
                (i % 2 ? CLSORT_DESCENDING : 0) | (i / 2 ? CLSORT_FLOAT_NUMERIC : 0);
            struct whole whole = whole_of_keys((clsort_key)key, flags, DATA_SPECIAL, 3001, 8);
            whole_sort(&whole);
            sort_divided(ranks, &whole, RANDOMLY, EVENLY, data_type_of((clsort_key)key)->name);
            whole_free(&whole);
        }
}

/* -- other orders ---------------------------------------------------------------------------------- */

static void records(const struct ranks *ranks)
{
    static const size_t counts[] = {0, 5, 1500, 20000};
    for (size_t i = 0; i < 8; i++) {
        struct whole whole = whole_of_records(counts[i / 2], i % 2);
        whole_sort(&whole);
        sort_divided(ranks, &whole, RANDOMLY, EVENLY, "records");
        sort_divided(ranks, &whole, EVERY_OTHER, ALL_ON_LAST, "records");
        whole_free(&whole);
    }
}

static void orders(const struct ranks *ranks)
{
    static const char *const names[] = {"particle", "record"};
    for (size_t i = 0; i < 2; i++) {
        struct whole whole = whole_of_order(custom_order_find(names[i]), 6000, i == 0 ? 4 : 0);
        whole_sort(&whole);
        sort_divided(ranks, &whole, EVENLY, RANDOMLY, names[i]);
        sort_divided(ranks, &whole, ALL_ON_FIRST, EVENLY, names[i]);
        whole_free(&whole);
    }
}

/* A relation that is no strict weak order gives an error on all ranks, or some order of the elements. */
static void invalid_orders(const struct ranks *ranks)
{
    for (const struct custom_order *order = custom_orders_invalid; order->name; order++) {
        struct whole whole = whole_of_order(order, 5000, 0);
        const struct part from = part_of_input(ranks, &whole, EVENLY);
        const struct part to = part_of_output(ranks, &whole, EVENLY);
        uint64_t before = 0, after = 0;
        const clsort_status status = clsort_mpi_host(ranks->mpi, &whole.desc, from.count, from.keys,
                                                     NULL, to.count, to.keys, NULL);
        int worst = status, best = status;
        MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
        MPI_Allreduce(MPI_IN_PLACE, &best, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
        check(worst == best, "statuses %d and %d", worst, best);
        check(status == CLSORT_OK || status == CLSORT_E_ORDER, "%s", clsort_status_string(status));
        clsort_mpi_check(ranks->mpi, &whole.desc, from.count, from.keys, NULL, NULL, NULL, &before);
        clsort_mpi_check(ranks->mpi, &whole.desc, to.count, to.keys, NULL, NULL, NULL, &after);
        check(status != CLSORT_OK || before == after, "%s: elements are lost", order->name);
        part_free(from);
        part_free(to);
        whole_free(&whole);
    }
}

/* -- what moves ------------------------------------------------------------------------------------ */

/* If the input is in order across the ranks, only elements move whose rank changes. */
static void in_order(const struct ranks *ranks)
{
    for (int in = 0; in < DIVISIONS; in++) {
        struct whole whole = whole_of_keys(CLSORT_U64, 0, DATA_SORTED, 9001, 0);
        whole_sort(&whole);
        const struct part part = part_of_input(ranks, &whole, (enum division)in);
        const size_t first = division_first(EVENLY, whole.count, ranks->rank, ranks->size);
        const size_t end = division_first(EVENLY, whole.count, ranks->rank + 1, ranks->size);
        const size_t low = first > part.first ? first : part.first;
        const size_t high = end < part.first + part.count ? end : part.first + part.count;
        const size_t stays = high > low ? high - low : 0;
        sent_bytes = 0;
        sort_divided(ranks, &whole, (enum division)in, EVENLY, "in order");
        check(sent_bytes == 8 * (part.count - stays), "%zu bytes were sent", sent_bytes);
        part_free(part);
        whole_free(&whole);
    }
}

static void balanced_counts(const struct ranks *ranks)
{
    uint64_t share = 0;
    const uint64_t own = 3 * (uint64_t)ranks->rank + 1, all = (uint64_t)ranks->size;
    const uint64_t total = 3 * all * (all - 1) / 2 + all;
    const clsort_status status = clsort_mpi_balanced_count(ranks->mpi, own, &share);
    check_failure(status, CLSORT_OK, "");
    check(share == total / all + ((uint64_t)ranks->rank < total % all), "share %llu",
          (unsigned long long)share);
}

/* -- order and content ----------------------------------------------------------------------------- */

static void checks(const struct ranks *ranks)
{
    struct whole whole = whole_of_keys(CLSORT_F32, CLSORT_DESCENDING, DATA_UNIFORM, 4000, 4);
    whole_sort(&whole);
    const struct part in = part_of_input(ranks, &whole, RANDOMLY);
    struct part out = part_of_output(ranks, &whole, EVERY_OTHER);
    uint64_t before = 0, after = 0, total = 0;
    int is_sorted = 2;
    memcpy(out.keys, whole.sorted_keys + 4 * out.first, 4 * out.count);
    memcpy(out.values, whole.sorted_values + 4 * out.first, 4 * out.count);
    check_failure(clsort_mpi_check(ranks->mpi, &whole.desc, in.count, in.keys, in.values,
                                   &is_sorted, &total, &before),
                  CLSORT_OK, "");
    check(!is_sorted && total == 4000, "in order: %d, %llu elements", is_sorted,
          (unsigned long long)total);
    check_failure(clsort_mpi_check(ranks->mpi, &whole.desc, out.count, out.keys, out.values,
                                   &is_sorted, &total, &after),
                  CLSORT_OK, "");
    check(is_sorted && total == 4000 && before == after, "in order: %d", is_sorted);
    if (ranks->rank == 0)
        out.values[0] ^= 1;
    clsort_mpi_check(ranks->mpi, &whole.desc, out.count, out.keys, out.values, &is_sorted, NULL,
                     &after);
    check(is_sorted && before != after, "another value has the same checksum");
    part_free(in);
    part_free(out);
    whole_free(&whole);
}

/* The only disorder is between two ranks. */
static void border(const struct ranks *ranks)
{
    uint64_t keys[3] = {0};
    clsort_desc desc = CLSORT_DESC_INIT;
    int is_sorted = 2;
    desc.key = CLSORT_U64;
    for (int last = 0; last < 2; last++) {
        for (uint64_t i = 0; i < 3; i++)
            keys[i] = 3 * (uint64_t)ranks->rank + i + 1;
        if (ranks->rank == ranks->size - 1 && last)
            keys[0] = 0;
        clsort_mpi_check(ranks->mpi, &desc, 3, keys, NULL, &is_sorted, NULL, NULL);
        check(is_sorted == (last == 0 || ranks->size == 1), "in order: %d", is_sorted);
    }
}

int main(int argc, char **argv)
{
    struct ranks ranks;
    ranks_open(&ranks, argc, argv);
    divisions(&ranks);
    few(&ranks);
    max_counts(&ranks);
    if (!is_crowded(&ranks))
        types(&ranks);
    for (uint64_t seed = 1; seed <= (is_crowded(&ranks) ? 12 : 60); seed++)
        sort_random(&ranks, 1000 * seed, (size_t)1 << (4 + seed % 12));
    records(&ranks);
    if (ranks.engine) {
        sort_random(&ranks, 7, 400000);
        orders(&ranks);
        invalid_orders(&ranks);
    }
    in_order(&ranks);
    balanced_counts(&ranks);
    checks(&ranks);
    border(&ranks);
    return ranks_close(&ranks);
}
