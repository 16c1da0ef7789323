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
 *   levels=1|2     2: groups of ranks exchange first, then the ranks of each group (1)
 *   rounds=N       at most N rounds of each exchange are run, and their time is scaled to all (0: all rounds)
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
    struct cls_ranks world, group; /* group: the ranks that exchange elements at the last level */
    uint64_t groups;               /* of the first of two levels; 1: there is one level */
    char *from, *to;
    double phase_start, seconds[PHASES];
};

/* What the exchange of a level needs, with an element for each rank */
struct level {
    uint64_t *rank_of, *position, *sent, *received, *send_first, *receive_first;
};

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

static void begin_phase(struct run *run)
{
    MPI_Barrier(run->world.comm);
    run->phase_start = MPI_Wtime();
}

/* Adds the time since the beginning of the phase on the slowest rank, multiplied by a factor. */
static void end_phase(struct run *run, enum phase phase, double factor)
{
    double seconds = MPI_Wtime() - run->phase_start;
    MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, run->world.comm);
    run->seconds[phase] += factor * seconds;
    begin_phase(run);
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
    end_phase(run, SEARCH, 1);
}

/* -- exchange ---------------------------------------------------------------------------------- */

/* Leaves all pairs of ranks empty but those of a part of the rounds, which are at equal distances. In round s, a rank
 * sends to the one that is s after it. Returns the number of all rounds divided by that of the rounds that are left. */
static double leave_out_rounds(const struct run *run, const struct cls_ranks *ranks,
                               struct level *level)
{
    const uint64_t size = (uint64_t)ranks->size, self = (uint64_t)ranks->rank;
    const uint64_t all = size - 1, max = run->options->rounds;
    if (max == 0 || all <= max)
        return 1;
    bool *is_left = take(size * sizeof *is_left);
    for (uint64_t i = 0; i < max; i++)
        is_left[1 + i * all / max] = true;
    for (uint64_t s = 0; s < size; s++)
        if (!is_left[s])
            level->sent[(self + s) % size] = level->received[(self + size - s) % size] = 0;
    free(is_left);
    return (double)all / (double)max;
}

/* Sends level->sent[i] elements to each rank, and receives level->received[i]. */
static void exchange(struct run *run, struct cls_ranks *ranks, struct level *level)
{
    const double factor = leave_out_rounds(run, ranks, level);
    const struct cls_exchange_array array = {run->from, run->to, run->options->bytes};
    const struct cls_exchange_parts parts = {level->send_first, level->receive_first,
                                             level->received};
    for (int i = 0; i < ranks->size; i++) {
        level->send_first[i + 1] = level->send_first[i] + level->sent[i];
        level->receive_first[i + 1] = level->receive_first[i] + level->received[i];
    }
    begin_phase(run);
    require(cls_exchange(ranks, &parts, &array, 1));
    end_phase(run, EXCHANGE, factor);
}

/* Tells each rank how many elements it gets. */
static void exchange_counts(struct run *run, struct cls_ranks *ranks, struct level *level)
{
    MPI_Alltoall(level->sent, 1, MPI_UINT64_T, level->received, 1, MPI_UINT64_T, ranks->comm);
    end_phase(run, EXCHANGE, 1);
}

/* -- levels ------------------------------------------------------------------------------------ */

/* Sends the elements of each group of ranks to one rank of it. Returns how many elements this rank has then.
 *
 * Let there be k groups of m ranks. The ranks from j * k to j * k + k - 1 send to the rank number j of each group. So
 * the ranks of a group have the elements of ascending ranks, and the next level keeps the order of equal keys. */
static uint64_t run_first_level(struct run *run, struct level *level)
{
    const uint64_t k = run->groups, size = (uint64_t)run->world.size, m = size / k;
    const uint64_t to = (uint64_t)run->world.rank / k;
    uint64_t *parts = take(k * sizeof *parts), received = 0;
    divide(run, &run->world, level, run->options->count, k, m * run->options->count);
    memcpy(parts, level->sent, k * sizeof *parts);
    memset(level->sent, 0, size * sizeof *level->sent);
    for (uint64_t i = 0; i < k; i++)
        level->sent[i * m + to] = parts[i];
    free(parts);
    exchange_counts(run, &run->world, level);
    for (uint64_t i = 0; i < size; i++)
        received += level->received[i];
    exchange(run, &run->world, level);
    compute((double)received * run->options->merge_ns);
    end_phase(run, MERGE, 1);
    return received;
}

static void run_last_level(struct run *run, struct level *level, uint64_t count)
{
    divide(run, &run->group, level, count, (uint64_t)run->group.size, run->options->count);
    exchange_counts(run, &run->group, level);
    exchange(run, &run->group, level);
    if (run->group.size > 1)
        compute((double)run->options->count * run->options->merge_ns);
    end_phase(run, MERGE, 1);
}

static void run_sort(struct run *run)
{
    const size_t size = (size_t)run->world.size + 1;
    uint64_t *memory = take(6 * size * sizeof *memory), count = run->options->count;
    struct level level = {
        memory,           memory + size, memory + 2 * size, memory + 3 * size, memory + 4 * size,
        memory + 5 * size};
    memset(run->seconds, 0, sizeof run->seconds);
    begin_phase(run);
    compute((double)count * run->options->sort_ns);
    end_phase(run, SORT, 1);
    if (run->groups > 1)
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

/* Returns the largest power of two that divides the number of ranks and is at most its square root. */
static uint64_t groups_of(int ranks)
{
    int groups = 1;
    while (ranks % (2 * groups) == 0 && 4 * groups * groups <= ranks)
        groups *= 2;
    return (uint64_t)groups;
}

/* Takes memory for the elements. The first level may give a rank more elements than it has in the end. */
static void take_buffers(struct run *run)
{
    const size_t bytes = 2 * run->options->count * run->options->bytes;
#ifdef CLSORT_SIMULATED
    uintptr_t at = 0;
    if (run->world.rank == 0)
        at = (uintptr_t)SMPI_SHARED_MALLOC(bytes);
    MPI_Bcast(&at, sizeof at, MPI_BYTE, 0, run->world.comm);
    run->from = run->to = (void *)at;
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
           (unsigned long long)options->count, run->groups > 1 ? 2 : 1);
    for (int i = 0; i < PHASES; i++)
        printf(",\"%s_s\":%.9f", phase_names[i], median[i]);
    printf(",\"total_s\":%.9f}\n", total(median));
}

int main(int argc, char **argv)
{
    struct options options = {
        .count = 1 << 20, .bytes = 8, .message = 16 << 20, .levels = 1, .repeats = 1};
    struct run run = {.options = &options, .groups = 1};
    double seconds[MAX_REPEATS][PHASES];
    bool is_valid = true;
    for (int i = 1; i < argc; i++)
        is_valid = is_valid && read_option(argv[i], &options);
    if (!is_valid || options.repeats < 1 || options.repeats > MAX_REPEATS) {
        fprintf(stderr, "usage: scaling NAME=VALUE... (see the head of scaling.c)\n");
        return 2;
    }
    MPI_Init(&argc, &argv);
    run.world = run.group = ranks_of(MPI_COMM_WORLD, &options);
    if (options.levels > 1) {
        MPI_Comm group;
        run.groups = groups_of(run.world.size);
        MPI_Comm_split(MPI_COMM_WORLD, run.world.rank / (run.world.size / (int)run.groups),
                       run.world.rank, &group);
        run.group = ranks_of(group, &options);
    }
    take_buffers(&run);
    for (uint64_t i = 0; i < options.repeats; i++) {
        run_sort(&run);
        memcpy(seconds[i], run.seconds, sizeof run.seconds);
    }
    report(&run, seconds);
    free_buffers(&run);
    if (options.levels > 1)
        MPI_Comm_free(&run.group.comm);
    MPI_Finalize();
    return 0;
}
