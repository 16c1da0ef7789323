/* table.c - clsort-bench --table: tables of clsort's algorithms */
#include "table.h"

#include "contest.h"
#include "peers.h"
#include "stable.h"

#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Runs one contest of clsort's algorithms between device buffers. */
static enum table_outcome measure(const struct options *options, const struct target *target,
                                  const struct spec *spec, size_t n, struct contestant *contestants,
                                  size_t count)
{
    struct job job;
    for (size_t i = 0; i < count; i++)
        contestants[i].peer = &peer_clsort_device;
    if (!job_create(spec, options->dist, (struct job_size){.first = n}, target, &job))
        return TABLE_ERROR;
    enum table_outcome outcome =
        contest_run(&job, options->runs, contestants, count) ? TABLE_DONE : TABLE_ERROR;
    for (size_t i = 0; i < count && outcome == TABLE_DONE; i++)
        if (!contestants[i].verified)
            outcome = TABLE_WRONG;
    job_destroy(&job);
    return outcome;
}

static void print_head(const struct options *options, const struct target *target)
{
    printf("clsort %s on %s, device buffers, %s, runs: %zu, for up to 2^19 elements %zu\n\n",
           clsort_version(), target->name, data_dist_name(options->dist), options->runs,
           contest_runs(options->runs, 1));
}

/* -- bitonic ----------------------------------------------------------------------------------- */

/* Bainville, "OpenCL sorting", 2011: Mkeys/s of pairs and of keys on a GPU of that time. */
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
    enum { SETS = sizeof PUBLISHED / sizeof *PUBLISHED, MIN_POWER = 20, MAX_POWER = 24, STEP = 2 };
    double mkeys[SETS][2][(MAX_POWER - MIN_POWER) / STEP + 1];
    for (size_t set = 0; set < SETS; set++)
        contestants[set].requested = PUBLISHED[set].set;
    for (size_t keys = 0; keys < 2; keys++)
        for (size_t power = MIN_POWER; power <= MAX_POWER; power += STEP) {
            const struct spec spec = {.op = keys ? OP_KEYS : OP_PAIRS,
                                      .type = data_type_of(CLSORT_U32),
                                      .value_size = keys ? 0 : 4};
            const size_t n = (size_t)1 << power;
            const enum table_outcome outcome =
                measure(options, target, &spec, n, contestants, SETS);
            if (outcome != TABLE_DONE)
                return outcome;
            for (size_t set = 0; set < SETS; set++)
                mkeys[set][keys][(power - MIN_POWER) / STEP] =
                    (double)n / contestants[set].median_s / 1e6;
        }
    print_head(options, target);
    printf("u32 keys with u32 values / u32 keys, Mkeys/s\n\n| kernels |");
    for (size_t power = MIN_POWER; power <= MAX_POWER; power += STEP)
        printf(" 2^%zu |", power);
    printf(" published |\n|---|");
    for (size_t power = MIN_POWER; power <= MAX_POWER; power += STEP)
        printf("---|");
    printf("---|\n");
    for (size_t set = 0; set < SETS; set++) {
        printf("| %s |", PUBLISHED[set].set);
        for (size_t i = 0; i <= (MAX_POWER - MIN_POWER) / STEP; i++)
            printf(" %.*f / %.*f |", decimals(mkeys[set][0][i]), mkeys[set][0][i],
                   decimals(mkeys[set][1][i]), mkeys[set][1][i]);
        printf(" %u / %u |\n", PUBLISHED[set].pairs, PUBLISHED[set].keys);
    }
    return TABLE_DONE;
}

/* -- selection --------------------------------------------------------------------------------- */

/* Returns whether the algorithm supports n elements of this spec on the target. Other errors will
 * occur again in the measurement. */
static bool is_supported(const struct target *target, const struct spec *spec, size_t n,
                         const char *algorithm)
{
    clsort_desc desc = CLSORT_DESC_INIT;
    clsort_plan *plan = NULL;
    desc.key = spec->type->key;
    desc.value_size = spec->value_size;
    desc.max_count = n;
    desc.algorithm = algorithm;
    const clsort_status status = clsort_plan_create(target->engine, &desc, &plan);
    clsort_plan_destroy(plan);
    return status != CLSORT_E_UNSUPPORTED;
}

/* Makes the list of contestants: auto, and the algorithms that support the same sort and are not in
 * the mask slow. Returns their number. */
static size_t list_contestants(const struct target *target, const struct spec *spec, size_t n,
                               uint32_t slow, struct contestant *contestants)
{
    size_t count = 1;
    contestants[0].requested = "auto";
    for (size_t i = 0; clsort_algorithm_name(i); i++) {
        const char *name = clsort_algorithm_name(i);
        if (!(slow >> i & 1) && (spec->value_size == 0 || stable_by_name(name)) &&
            is_supported(target, spec, n, name))
            contestants[count++].requested = name;
    }
    return count;
}

/* Returns the contestant with this algorithm; NULL if there is none. */
static const struct contestant *find(const struct contestant *contestants, size_t count,
                                     const char *algorithm)
{
    for (size_t c = 1; c < count; c++)
        if (strcmp(contestants[c].requested, algorithm) == 0)
            return &contestants[c];
    return NULL;
}

/* Returns the mask of the algorithms that are too slow to be measured with more elements. */
static uint32_t find_slow(const struct contestant *contestants, size_t count)
{
    const double max_slowdown = 8;
    uint32_t slow = 0;
    for (size_t i = 0; clsort_algorithm_name(i); i++) {
        const struct contestant *one = find(contestants, count, clsort_algorithm_name(i));
        if (one && one->median_s > max_slowdown * contestants[0].median_s)
            slow |= UINT32_C(1) << i;
    }
    return slow;
}

static void print_selection_head(void)
{
    printf(
        "Medians in us. share: time of the fastest algorithm / time of AUTO\n\n"
        "| keys + values | n |");
    for (size_t i = 0; clsort_algorithm_name(i); i++)
        printf(" %s |", clsort_algorithm_name(i));
    printf(" AUTO | its choice | share |\n|---|---|---|---|---|");
    for (size_t i = 0; clsort_algorithm_name(i); i++)
        printf("---|");
    putchar('\n');
}

static void print_selection_row(const struct spec *spec, size_t power,
                                const struct contestant *contestants, size_t count)
{
    double fastest = contestants[1].median_s;
    printf("| %s", spec->type->name);
    if (spec->value_size > 0)
        printf(" + %zu bytes", spec->value_size);
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
    } SPECS[] = {{CLSORT_U32, 0}, {CLSORT_U64, 0}, {CLSORT_U32, 4}};
    enum { MIN_POWER = 8, MAX_POWER = 26, STEP = 2, LARGE_COUNT = 1 << 18 };
    print_head(options, target);
    print_selection_head();
    for (size_t s = 0; s < sizeof SPECS / sizeof *SPECS; s++) {
        const struct spec spec = {.op = SPECS[s].value_size ? OP_PAIRS : OP_KEYS,
                                  .type = data_type_of(SPECS[s].key),
                                  .value_size = SPECS[s].value_size};
        uint32_t slow = 0;
        for (size_t power = MIN_POWER; power <= MAX_POWER; power += STEP) {
            const size_t n = (size_t)1 << power;
            const size_t count = list_contestants(target, &spec, n, slow, contestants);
            const enum table_outcome outcome =
                measure(options, target, &spec, n, contestants, count);
            if (outcome != TABLE_DONE)
                return outcome;
            print_selection_row(&spec, power, contestants, count);
            if (n >= LARGE_COUNT)
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
    enum { MAX_CONTESTANTS = 33 }; /* auto, and one algorithm for each bit of a mask */
    struct contestant *contestants = calloc(MAX_CONTESTANTS, sizeof *contestants);
    if (!contestants) {
        warnx("out of memory");
        return TABLE_ERROR;
    }
    const enum table_outcome outcome = TABLES[index].print(options, target, contestants);
    free(contestants);
    if (fflush(stdout) == 0 && !ferror(stdout))
        return outcome;
    warnx("the table could not be written");
    return TABLE_ERROR;
}
