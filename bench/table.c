/* table.c - tables of many contests: --table */
#include "table.h"

#include "contest.h"
#include "peers.h"
#include "stable.h"

#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One contest of clsort's algorithms between device buffers. */
static enum table_outcome measure(const struct options *options, const struct target *target,
                                  const struct shape *shape, size_t n,
                                  struct contestant *contestants, size_t count)
{
    struct job job;
    for (size_t i = 0; i < count; i++)
        contestants[i].peer = &peer_clsort_device;
    if (!job_create(shape, options->dist, n, target, &job))
        return TABLE_TROUBLE;
    enum table_outcome outcome =
        contest_run(&job, options->runs, contestants, count) ? TABLE_DONE : TABLE_TROUBLE;
    for (size_t i = 0; i < count && outcome == TABLE_DONE; i++)
        if (!contestants[i].verified)
            outcome = TABLE_WRONG;
    job_destroy(&job);
    return outcome;
}

static void print_head(const struct options *options, const struct target *target)
{
    printf("clsort %s on %s, device buffers, %s, runs: %zu, of up to 2^19 elements %zu\n\n",
           clsort_version(), target->name, data_dist_name(options->dist), options->runs,
           contest_runs(options->runs, 1));
}

/* -- bitonic ----------------------------------------------------------------------------------- */

/* Bainville, "OpenCL Sorting" (2011): Mkeys/s of key + value and of keys, on a GPU of that time. */
static const struct {
    const char *set;
    unsigned pairs, keys;
} PUBLISHED[] = {
    {"bitonic:B2", 49, 73},    {"bitonic:B2+B4", 78, 115}, {"bitonic:B2+B4+B8", 103, 160},
    {"bitonic:C2+B", 92, 108}, {"bitonic:C4+B", 131, 190},
};

static int decimals(double value)
{
    return value < 10 ? 1 : 0;
}

static enum table_outcome print_bitonic(const struct options *options, const struct target *target,
                                        struct contestant *contestants)
{
    enum { SETS = sizeof PUBLISHED / sizeof *PUBLISHED, LEAST = 20, MOST = 24, STEP = 2 };
    double mkeys[SETS][2][(MOST - LEAST) / STEP + 1];
    for (size_t set = 0; set < SETS; set++)
        contestants[set].asked = PUBLISHED[set].set;
    for (size_t keys = 0; keys < 2; keys++)
        for (size_t power = LEAST; power <= MOST; power += STEP) {
            const struct shape shape = {.type = data_type_of(CLSORT_U32),
                                        .value_size = keys ? 0 : 4};
            const size_t n = (size_t)1 << power;
            const enum table_outcome outcome =
                measure(options, target, &shape, n, contestants, SETS);
            if (outcome != TABLE_DONE)
                return outcome;
            for (size_t set = 0; set < SETS; set++)
                mkeys[set][keys][(power - LEAST) / STEP] =
                    (double)n / contestants[set].median_s / 1e6;
        }
    print_head(options, target);
    printf("u32 keys with u32 values / u32 keys, Mkeys/s\n\n| kernels |");
    for (size_t power = LEAST; power <= MOST; power += STEP)
        printf(" 2^%zu |", power);
    printf(" published |\n|---|");
    for (size_t power = LEAST; power <= MOST; power += STEP)
        printf("---|");
    printf("---|\n");
    for (size_t set = 0; set < SETS; set++) {
        printf("| %s |", PUBLISHED[set].set);
        for (size_t i = 0; i <= (MOST - LEAST) / STEP; i++)
            printf(" %.*f / %.*f |", decimals(mkeys[set][0][i]), mkeys[set][0][i],
                   decimals(mkeys[set][1][i]), mkeys[set][1][i]);
        printf(" %u / %u |\n", PUBLISHED[set].pairs, PUBLISHED[set].keys);
    }
    return TABLE_DONE;
}

/* -- selection --------------------------------------------------------------------------------- */

/* Whether clsort can sort so many of them by that algorithm on the target. Other trouble comes back when it is
 * measured. */
static bool can(const struct target *target, const struct shape *shape, size_t n,
                const char *algorithm)
{
    clsort_desc desc = CLSORT_DESC_INIT;
    clsort_plan *plan = NULL;
    desc.key = shape->type->key;
    desc.value_size = shape->value_size;
    desc.max_count = n;
    desc.algorithm = algorithm;
    const clsort_status status = clsort_plan_create(target->engine, &desc, &plan);
    clsort_plan_destroy(plan);
    return status != CLSORT_E_UNSUPPORTED;
}

/* AUTO and the algorithms that do the same sort, but for those in `slow`. Returns how many they are. */
static size_t gather(const struct target *target, const struct shape *shape, size_t n,
                     uint32_t slow, struct contestant *contestants)
{
    size_t count = 1;
    contestants[0].asked = "auto";
    for (size_t i = 0; clsort_algorithm_name(i); i++) {
        const char *name = clsort_algorithm_name(i);
        if (!(slow >> i & 1) && (shape->value_size == 0 || stable_by_name(name)) &&
            can(target, shape, n, name))
            contestants[count++].asked = name;
    }
    return count;
}

/* The contestant that was asked for that algorithm; NULL: it takes no part. */
static const struct contestant *find(const struct contestant *contestants, size_t count,
                                     const char *algorithm)
{
    for (size_t c = 1; c < count; c++)
        if (strcmp(contestants[c].asked, algorithm) == 0)
            return &contestants[c];
    return NULL;
}

/* Algorithms that are far behind do not take part with more elements. */
static uint32_t find_slow(const struct contestant *contestants, size_t count)
{
    const double much = 8;
    uint32_t slow = 0;
    for (size_t i = 0; clsort_algorithm_name(i); i++) {
        const struct contestant *one = find(contestants, count, clsort_algorithm_name(i));
        if (one && one->median_s > much * contestants[0].median_s)
            slow |= UINT32_C(1) << i;
    }
    return slow;
}

static void print_selection_head(void)
{
    printf(
        "Medians in us. share: the time of the fastest by name / AUTO's\n\n| keys + values | n |");
    for (size_t i = 0; clsort_algorithm_name(i); i++)
        printf(" %s |", clsort_algorithm_name(i));
    printf(" AUTO | its choice | share |\n|---|---|---|---|---|");
    for (size_t i = 0; clsort_algorithm_name(i); i++)
        printf("---|");
    putchar('\n');
}

static void print_selection_row(const struct shape *shape, size_t power,
                                const struct contestant *contestants, size_t count)
{
    double fastest = contestants[1].median_s;
    printf("| %s", shape->type->name);
    if (shape->value_size > 0)
        printf(" + %zu bytes", shape->value_size);
    printf(" | 2^%zu |", power);
    for (size_t i = 0; clsort_algorithm_name(i); i++) {
        const struct contestant *one = find(contestants, count, clsort_algorithm_name(i));
        if (one && one->median_s < fastest)
            fastest = one->median_s;
        if (one)
            printf(" %.1f |", one->median_s * 1e6);
        else
            printf(" |");
    }
    printf(" %.1f | %s | %.2f |\n", contestants[0].median_s * 1e6, contestants[0].algorithm,
           fastest / contestants[0].median_s);
    fflush(stdout);
}

static enum table_outcome print_selection(const struct options *options,
                                          const struct target *target,
                                          struct contestant *contestants)
{
    static const struct {
        clsort_key key;
        size_t value_size;
    } SHAPES[] = {{CLSORT_U32, 0}, {CLSORT_U64, 0}, {CLSORT_U32, 4}};
    enum { LEAST = 8, MOST = 26, STEP = 2, MANY = 1 << 18 };
    print_head(options, target);
    print_selection_head();
    for (size_t s = 0; s < sizeof SHAPES / sizeof *SHAPES; s++) {
        const struct shape shape = {.type = data_type_of(SHAPES[s].key),
                                    .value_size = SHAPES[s].value_size};
        uint32_t slow = 0;
        for (size_t power = LEAST; power <= MOST; power += STEP) {
            const size_t n = (size_t)1 << power;
            const size_t count = gather(target, &shape, n, slow, contestants);
            const enum table_outcome outcome =
                measure(options, target, &shape, n, contestants, count);
            if (outcome != TABLE_DONE)
                return outcome;
            print_selection_row(&shape, power, contestants, count);
            if (n >= MANY)
                slow |= find_slow(contestants, count);
        }
    }
    return TABLE_DONE;
}

/* -- all tables -------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    enum table_outcome (*print)(const struct options *options, const struct target *target,
                                struct contestant *contestants);
} TABLES[] = {{"bitonic", print_bitonic}, {"selection", print_selection}};

const char *table_name(size_t index)
{
    return index < sizeof TABLES / sizeof *TABLES ? TABLES[index].name : NULL;
}

enum table_outcome table_print(size_t index, const struct options *options,
                               const struct target *target)
{
    enum { MAX_CONTESTANTS = 33 }; /* AUTO, and a bit of a mask for each algorithm */
    struct contestant *contestants = calloc(MAX_CONTESTANTS, sizeof *contestants);
    if (!contestants) {
        warnx("out of memory");
        return TABLE_TROUBLE;
    }
    const enum table_outcome outcome = TABLES[index].print(options, target, contestants);
    free(contestants);
    if (fflush(stdout) == 0 && !ferror(stdout))
        return outcome;
    warnx("the table could not be written");
    return TABLE_TROUBLE;
}
