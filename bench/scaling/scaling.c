/* scaling.c - where the time of a sort over MPI ranks goes, for many ranks: scaling NAME=VALUE...
 *
 * The program runs the library's search of splitters and its exchange. It is compiled twice by scripts/scaling.sh: by
 * smpicc for the simulator SimGrid, which predicts times on a network that is described to it, and by mpicc, to measure
 * the same calls on a network that exists.
 *
 * The keys are virtual (virtual_keys.h). The elements that are exchanged have no contents: in the simulation, all ranks
 * share one array, which the simulator does not copy. Sorts, merges and counts of keys are replaced by the time that
 * they take, at rates that are given; in a measured run they take no time.
 *
 *   count=N        elements of each rank (default: 2^20)
 *   bytes=N        size of an element (8)
 *   sort=NS        time of a sort per element, in nanoseconds (0)
 *   merge=NS       time of a merge per element (0)
 *   probe=NS       time to count a key (0)
 *   message=N      largest message in bytes (16 MiB)
 *   levels=1|2     2: the exchange is in two levels (see run_first_level) (1)
 *   rounds=N       an exchange of more than 2 N rounds is run with N and with 2 N rounds at regular distances, whose
 *                  times are extrapolated to all rounds (0: all rounds)
 *   repeats=N      the median of N runs counts (1)
 *
 * Rank 0 prints the times as a JSON line. A phase ends when its last rank has ended it. */
#include "mpi/exchange.h"
#include "mpi/search.h"
#include "virtual_keys.h"

#include "base/arithmetic.h"

#include <stdio.h>
#include <stdlib.h>

enum { PHASES = 4, MAX_REPEATS = 64, PROBES_AT_ONCE = 1024 };

static const char *const phase_names[PHASES] = {"sort", "search", "exchange", "merge"};

enum phase { SORT, SEARCH, EXCHANGE, MERGE };

struct options {
    uint64_t count, bytes, message, levels, rounds, repeats;
    double sort_ns, merge_ns, probe_ns;
};

struct run {
    const struct options *options;
    /* The ranks that exchange elements at the last level, and at the first of two levels */
    struct cls_ranks world, group, across;
    char *from, *to;
    double phase_start, seconds[PHASES];
};

/* What the exchange of a level needs, with an element for each rank */
struct level {
    uint64_t *rank_of, *position, *sent, *received, *send_first, *receive_first, *receive_count;
};

enum { LEVEL_ARRAYS = 7 };

static void *take(size_t bytes)
{
    void *memory = calloc(bytes, 1);
    if (!memory) {
        fprintf(stderr, "scaling: out of memory\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return memory;
}

static void require(clsort_status status)
{
    if (status != CLSORT_OK) {
        fprintf(stderr, "scaling: %s\n", clsort_status_string(status));
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

/* -- time -------------------------------------------------------------------------------------- */

/* Lets simulated time pass. */
static void compute(double nanoseconds)
{
#ifdef CLSORT_SIMULATED
    if (nanoseconds > 0)
        smpi_execute(nanoseconds * 1e-9);
#else
    (void)nanoseconds;
#endif
}

static double max_of_ranks(const struct run *run, double seconds)
{
    MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, run->world.comm);
    return seconds;
}

/* All ranks begin together. In the simulation, where clocks are equal, they agree on a time, as ranks leave a barrier
 * one after the other. */
static void begin_phase(struct run *run)
{
#ifdef CLSORT_SIMULATED
    const double start = max_of_ranks(run, MPI_Wtime()) + 10;
    compute((start - MPI_Wtime()) * 1e9);
#else
    MPI_Barrier(run->world.comm);
#endif
    run->phase_start = MPI_Wtime();
}

/* Returns the time since the beginning of the phase on the slowest rank, and begins the next phase. */
static double end_part(struct run *run)
{
    const double seconds = max_of_ranks(run, MPI_Wtime() - run->phase_start);
    begin_phase(run);
    return seconds;
}

static void end_phase(struct run *run, enum phase phase)
{
    run->seconds[phase] += end_part(run);
}

/* -- splitters --------------------------------------------------------------------------------- */

struct share {
    struct virtual_keys keys;
    double probe_ns;
    uint64_t *probes; /* whose time has not passed yet */
};

static struct cls_key_counts count_key(const void *data, uint64_t key, uint64_t first, uint64_t end)
{
    const struct share *share = data;
    (void)first;
    (void)end;
    if (++*share->probes == PROBES_AT_ONCE) {
        compute((double)*share->probes * share->probe_ns);
        *share->probes = 0;
    }
    return virtual_count(&share->keys, key);
}

static uint64_t key_at(const void *data, uint64_t position)
{
    const struct share *share = data;
    return virtual_key_at(&share->keys, position);
}

/* Finds out how many of the `count` elements of this rank belong to each of the parts, which get the same number of
 * elements. Returns these numbers in level->sent. */
static void divide(struct run *run, struct cls_ranks *ranks, struct level *level, uint64_t count,
                   uint64_t parts, uint64_t part_count)
{
    uint64_t probes = 0;
    const uint64_t seed = ((uint64_t)run->world.rank + 1) * 0xd1342543de82ef95u + parts;
    const struct share share = {{seed, count}, run->options->probe_ns, &probes};
    const struct cls_sorted_keys keys = {&share, count, count_key, key_at};
    for (uint64_t i = 0; i + 1 < parts; i++)
        level->rank_of[i] = (i + 1) * part_count;
    require(cls_search(ranks, &keys, UINT64_MAX, parts - 1, level->rank_of, level->position));
    level->position[parts - 1] = count;
    for (uint64_t i = 0; i < parts; i++)
        level->sent[i] = level->position[i] - (i > 0 ? level->position[i - 1] : 0);
    compute((double)probes * run->options->probe_ns);
    end_phase(run, SEARCH);
}

/* -- exchange ---------------------------------------------------------------------------------- */

/* Tells each rank how many elements it gets, and returns how many this rank gets from all. */
static uint64_t exchange_counts(struct run *run, struct cls_ranks *ranks, struct level *level)
{
    uint64_t all = 0;
    MPI_Alltoall(level->sent, 1, MPI_UINT64_T, level->received, 1, MPI_UINT64_T, ranks->comm);
    for (int i = 0; i < ranks->size; i++)
        all += level->received[i];
    end_phase(run, EXCHANGE);
    return all;
}

/* Runs an exchange in which only some of the rounds, at equal distances, have elements. In round s, a rank sends to the
 * one that is s after it. Returns the time. */
static double exchange_rounds(struct run *run, struct cls_ranks *ranks, struct level *level,
                              uint64_t rounds)
{
    const uint64_t size = (uint64_t)ranks->size, self = (uint64_t)ranks->rank;
    const struct cls_exchange_array array = {run->from, run->to, run->options->bytes};
    const struct cls_exchange_parts parts = {level->send_first, level->receive_first,
                                             level->receive_count};
    bool *has_elements = take(size * sizeof *has_elements);
    for (uint64_t i = 0; i < rounds; i++)
        has_elements[1 + i * (size - 1) / rounds] = true;
    for (uint64_t i = 0; i < size; i++) {
        const bool sends = has_elements[(i + size - self) % size];
        const bool receives = has_elements[(self + size - i) % size];
        level->receive_count[i] = receives ? level->received[i] : 0;
        level->send_first[i + 1] = level->send_first[i] + (sends ? level->sent[i] : 0);
        level->receive_first[i + 1] = level->receive_first[i] + level->receive_count[i];
    }
    free(has_elements);
    begin_phase(run);
    require(cls_exchange(ranks, &parts, &array, 1));
    return end_part(run);
}

/* Sends level->sent[i] elements to each rank, and receives level->received[i]. If only some rounds are run, a round
 * takes the difference between two exchanges, so that their beginning and end, when few messages are in flight, count
 * once. */
static void exchange(struct run *run, struct cls_ranks *ranks, struct level *level)
{
    const uint64_t all = (uint64_t)ranks->size - 1, some = run->options->rounds;
    if (some == 0 || all <= 2 * some) {
        run->seconds[EXCHANGE] += exchange_rounds(run, ranks, level, all);
        return;
    }
    const double of_some = exchange_rounds(run, ranks, level, some);
    const double of_twice = exchange_rounds(run, ranks, level, 2 * some);
    run->seconds[EXCHANGE] +=
        of_twice + (of_twice - of_some) / (double)some * (double)(all - 2 * some);
}

/* -- levels ------------------------------------------------------------------------------------ */

/* Sends elements to the group of ranks that they belong to, from the rank with the same number in each group. Returns
 * how many elements this rank has then. Equal elements are not in the order of their ranks after that: an exchange that
 * keeps it sends as many messages of the same sizes to other ranks of the groups. */
static uint64_t run_first_level(struct run *run, struct level *level)
{
    const uint64_t groups = (uint64_t)run->across.size;
    divide(run, &run->world, level, run->options->count, groups,
           (uint64_t)run->group.size * run->options->count);
    const uint64_t received = exchange_counts(run, &run->across, level);
    exchange(run, &run->across, level);
    compute((double)received * run->options->merge_ns);
    end_phase(run, MERGE);
    return received;
}

static void run_last_level(struct run *run, struct level *level, uint64_t count)
{
    divide(run, &run->group, level, count, (uint64_t)run->group.size, run->options->count);
    exchange_counts(run, &run->group, level);
    exchange(run, &run->group, level);
    if (run->group.size > 1)
        compute((double)run->options->count * run->options->merge_ns);
    end_phase(run, MERGE);
}

static void run_sort(struct run *run)
{
    const size_t size = (size_t)run->world.size + 1;
    uint64_t *memory = take(LEVEL_ARRAYS * size * sizeof *memory), count = run->options->count;
    struct level level = {memory,
                          memory + size,
                          memory + 2 * size,
                          memory + 3 * size,
                          memory + 4 * size,
                          memory + 5 * size,
                          memory + 6 * size};
    memset(run->seconds, 0, sizeof run->seconds);
    begin_phase(run);
    compute((double)count * run->options->sort_ns);
    end_phase(run, SORT);
    if (run->across.size > 1)
        count = run_first_level(run, &level);
    run_last_level(run, &level, count);
    free(memory);
}

/* -- set-up ------------------------------------------------------------------------------------ */

static struct cls_ranks ranks_of(MPI_Comm comm, const struct options *options)
{
    struct cls_ranks ranks = {.comm = comm, .max_message_bytes = options->message};
    MPI_Comm_rank(comm, &ranks.rank);
    MPI_Comm_size(comm, &ranks.size);
    return ranks;
}

/* Returns the maximum power of two that divides the number of ranks and is at most its square root. */
static int groups_of(int ranks)
{
    int groups = 1;
    while (ranks % (2 * groups) == 0 && 4 * groups * groups <= ranks)
        groups *= 2;
    return groups;
}

/* Divides the ranks into groups of successive ones. */
static void create_groups(struct run *run)
{
    const int self = run->world.rank, size = run->world.size;
    const int group_size = run->options->levels == 1 ? size : size / groups_of(size);
    MPI_Comm group, across;
    MPI_Comm_split(run->world.comm, self / group_size, self, &group);
    MPI_Comm_split(run->world.comm, self % group_size, self, &across);
    run->group = ranks_of(group, run->options);
    run->across = ranks_of(across, run->options);
}

static void free_groups(struct run *run)
{
    MPI_Comm_free(&run->group.comm);
    MPI_Comm_free(&run->across.comm);
}

/* Takes memory for the elements. The first level may give a rank more elements than it has in the end. In the
 * simulation, ranks share global variables. */
static void take_buffers(struct run *run)
{
    const size_t bytes = 2 * run->options->count * run->options->bytes;
#ifdef CLSORT_SIMULATED
    static char *shared;
    if (run->world.rank == 0)
        shared = SMPI_SHARED_MALLOC(bytes);
    MPI_Barrier(run->world.comm);
    run->from = run->to = shared;
#else
    run->from = take(bytes);
    run->to = take(bytes);
#endif
}

static void free_buffers(struct run *run)
{
#ifdef CLSORT_SIMULATED
    if (run->world.rank == 0)
        SMPI_SHARED_FREE(run->from);
#else
    free(run->from);
    free(run->to);
#endif
}

static bool read_option(const char *text, struct options *options)
{
    const struct {
        const char *name;
        uint64_t *whole;
        double *real;
    } known[] = {{"count=", &options->count, NULL},     {"bytes=", &options->bytes, NULL},
                 {"message=", &options->message, NULL}, {"levels=", &options->levels, NULL},
                 {"rounds=", &options->rounds, NULL},   {"repeats=", &options->repeats, NULL},
                 {"sort=", NULL, &options->sort_ns},    {"merge=", NULL, &options->merge_ns},
                 {"probe=", NULL, &options->probe_ns}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const size_t length = strlen(known[i].name);
        char *end;
        if (strncmp(text, known[i].name, length) != 0)
            continue;
        if (known[i].whole)
            *known[i].whole = strtoull(text + length, &end, 10);
        else
            *known[i].real = strtod(text + length, &end);
        return *end == '\0' && end != text + length;
    }
    return false;
}

static double total(const double *seconds)
{
    double sum = 0;
    for (int i = 0; i < PHASES; i++)
        sum += seconds[i];
    return sum;
}

static int compare_runs(const void *a, const void *b)
{
    const double x = total(a), y = total(b);
    return (x > y) - (x < y);
}

static void report(const struct run *run, double (*seconds)[PHASES])
{
    const struct options *options = run->options;
    qsort(seconds, options->repeats, sizeof *seconds, compare_runs);
    const double *median = seconds[options->repeats / 2];
    if (run->world.rank > 0)
        return;
    printf("{\"ranks\":%d,\"count\":%llu,\"levels\":%d", run->world.size,
           (unsigned long long)options->count, run->across.size > 1 ? 2 : 1);
    for (int i = 0; i < PHASES; i++)
        printf(",\"%s_s\":%.9f", phase_names[i], median[i]);
    printf(",\"total_s\":%.9f}\n", total(median));
}

int main(int argc, char **argv)
{
    struct options options = {
        .count = 1 << 20, .bytes = 8, .message = 16 << 20, .levels = 1, .repeats = 1};
    struct run run = {.options = &options};
    double seconds[MAX_REPEATS][PHASES];
    bool is_valid = true;
    for (int i = 1; i < argc; i++)
        is_valid = is_valid && read_option(argv[i], &options);
    if (!is_valid || options.levels < 1 || options.levels > 2 || options.repeats < 1 ||
        options.repeats > MAX_REPEATS) {
        fprintf(stderr, "usage: scaling NAME=VALUE... (see the head of scaling.c)\n");
        return 2;
    }
    MPI_Init(&argc, &argv);
    run.world = ranks_of(MPI_COMM_WORLD, &options);
    create_groups(&run);
    take_buffers(&run);
    for (uint64_t i = 0; i < options.repeats; i++) {
        run_sort(&run);
        memcpy(seconds[i], run.seconds, sizeof run.seconds);
    }
    report(&run, seconds);
    free_buffers(&run);
    free_groups(&run);
    MPI_Finalize();
    return 0;
}
