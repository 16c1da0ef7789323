/* search.c - exact splitters of sorted shares that are on the ranks of an MPI communicator
 *
 * Solomonik and Kale, "Highly scalable parallel sorting", IPDPS 2010, count probes in all shares and narrow the range
 * of each splitter. Here the first probes are quantiles of a sample, and the following ones interpolate between the
 * counts of the range's ends, as elements are often nearly uniform in a small range. If a probe by interpolation comes
 * little closer, the next one bisects the range, which bounds the number of rounds for any distribution. The counts of
 * a probe narrow the ranges of all searches.
 *
 * A search ends when its probe separates the wanted number of elements, with or without elements that are equal to it.
 * The ends of a range are keys of elements, namely the neighbours of probes, so that ranges of few elements need few
 * rounds, whatever their width. Uniform keys need about 8 rounds; a bisection of keys needs 64. */
#include "mpi/search.h"

#include "base/arithmetic.h"

#include <stdlib.h>

enum {
    MIN_SAMPLES = 512 /* of all ranks */
};

/* What the shares of some ranks have to do with a probe. */
struct neighbourhood {
    struct cls_key_counts counts;
    uint64_t predecessor,
        successor; /* the nearest keys below it, or 0, and above it, or UINT64_MAX */
};

/* A key that is counted in all shares */
struct probe {
    uint64_t key;
    struct cls_key_counts own;
    struct neighbourhood all;
};

struct search {
    uint64_t rank;
    uint64_t low,
        high; /* the splitter is in this range of keys, whose ends are elements after the first round */
    uint64_t below, not_above; /* elements of all shares that are below low, and not above high */
    uint64_t first, end;       /* the same of the own share */
    bool is_done, bisects;
    struct probe probe; /* the next one, or the one that ended the search */
};

struct state {
    struct cls_ranks *ranks;
    const struct cls_sorted_keys *keys;
    size_t count, probe_count;
    struct search *searches;
    struct probe *probes;                    /* of a round, in order */
    struct neighbourhood *joined, *received; /* one for each probe */
    struct sample *samples;                  /* samples_each of each rank */
    size_t samples_each;
    uint64_t *numbers;    /* three for each search */
    clsort_status status; /* of this rank, since the last agreement */
};

/* Notes the error code that an MPI function has returned. The rank goes on as if there were none. */
static void called(struct state *state, const char *function, int code)
{
    const clsort_status status = cls_ranks_called(state->ranks, function, code);
    if (state->status == CLSORT_OK)
        state->status = status;
}

/* -- sums over ranks --------------------------------------------------------------------------- */

/* Joins the neighbourhoods of the probes in the shares of this and some other ranks with those of more ranks, which
 * have been received. */
static void join(struct state *state)
{
    for (size_t i = 0; i < state->probe_count; i++) {
        const struct neighbourhood *from = &state->received[i];
        struct neighbourhood *to = &state->joined[i];
        to->counts.below += from->counts.below;
        to->counts.not_above += from->counts.not_above;
        to->predecessor = cls_max(from->predecessor, to->predecessor);
        to->successor = cls_min(from->successor, to->successor);
    }
}

/* Returns the number of integers that the neighbourhoods of the probes consist of. */
static int message_count(const struct state *state)
{
    return (int)(state->probe_count * sizeof *state->joined / sizeof(uint64_t));
}

static void send(struct state *state, int to)
{
    called(state, "MPI_Send",
           MPI_Send(state->joined, message_count(state), MPI_UINT64_T, to, 0, state->ranks->comm));
}

static void receive(struct state *state, struct neighbourhood *received, int from)
{
    called(state, "MPI_Recv",
           MPI_Recv(received, message_count(state), MPI_UINT64_T, from, 0, state->ranks->comm,
                    MPI_STATUS_IGNORE));
}

static void exchange(struct state *state, int partner)
{
    const int count = message_count(state);
    called(state, "MPI_Sendrecv",
           MPI_Sendrecv(state->joined, count, MPI_UINT64_T, partner, 0, state->received, count,
                        MPI_UINT64_T, partner, 0, state->ranks->comm, MPI_STATUS_IGNORE));
}

/* Joins the neighbourhoods of all ranks by recursive doubling: after the exchange of distance d, each rank has those of
 * 2 d ranks. Ranks from the maximum power of two on let a partner below it take part for them. MPI_Allreduce of Open
 * MPI uses a ring for some sizes, whose number of steps is proportional to the number of ranks. */
static void join_all(struct state *state)
{
    const int self = state->ranks->rank, size = state->ranks->size;
    int power = 1;
    while (power <= size / 2)
        power *= 2;
    if (self >= power) {
        send(state, self - power);
        receive(state, state->joined, self - power);
        return;
    }
    const bool has_partner = self < size - power;
    if (has_partner) {
        receive(state, state->received, self + power);
        join(state);
    }
    for (int distance = 1; distance < power; distance *= 2) {
        exchange(state, self ^ distance);
        join(state);
    }
    if (has_partner)
        send(state, self + power);
}

/* Replaces the first `count` of state->numbers by their sums of all ranks before this one: after the step of distance
 * d, `through` has the sums of this rank and up to 2 d - 1 ranks before it (Hillis and Steele). MPI_Exscan of Open MPI
 * passes the numbers from rank to rank. */
static void sum_before(struct state *state, size_t count)
{
    uint64_t *numbers = state->numbers, *through = numbers + count, *received = through + count;
    const int self = state->ranks->rank, size = state->ranks->size;
    memcpy(through, numbers, count * sizeof *numbers);
    memset(numbers, 0, count * sizeof *numbers);
    for (int distance = 1; distance < size; distance *= 2) {
        const int to = self + distance < size ? self + distance : MPI_PROC_NULL;
        const int from = self >= distance ? self - distance : MPI_PROC_NULL;
        called(state, "MPI_Sendrecv",
               MPI_Sendrecv(through, (int)count, MPI_UINT64_T, to, 0, received, (int)count,
                            MPI_UINT64_T, from, 0, state->ranks->comm, MPI_STATUS_IGNORE));
        for (size_t i = 0; i < count && from != MPI_PROC_NULL; i++) {
            numbers[i] += received[i];
            through[i] += received[i];
        }
    }
}

/* -- first probes ------------------------------------------------------------------------------ */

/* An element of the sample. It represents as many elements as its share has, divided by the number of samples of a
 * share. */
struct sample {
    uint64_t key, weight;
};

static int compare_samples(const void *a, const void *b)
{
    const uint64_t x = ((const struct sample *)a)->key, y = ((const struct sample *)b)->key;
    return (x > y) - (x < y);
}

/* Takes the elements at regular distances, which begin at a different position in each share, as the shares may have
 * the same distribution. */
static void take_sample(const struct state *state)
{
    const uint64_t elements = state->keys->count;
    const int self = state->ranks->rank;
    for (size_t i = 0; i < state->samples_each; i++) {
        struct sample *sample = &state->samples[(size_t)self * state->samples_each + i];
        const double offset = ((double)self + 0.5) / state->ranks->size;
        const double part = ((double)i + offset) / (double)state->samples_each;
        const uint64_t position = (uint64_t)(part * (double)elements);
        *sample = (struct sample){0, elements};
        if (elements > 0)
            sample->key = state->keys->key_at(state->keys->data, cls_min(position, elements - 1));
    }
}

/* Exchanges the samples, and returns the number of elements of all ranks. */
static uint64_t exchange_samples(struct state *state)
{
    const size_t each = state->samples_each, all = each * (size_t)state->ranks->size;
    uint64_t weight = 0;
    called(state, "MPI_Allgather",
           MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, state->samples, (int)(2 * each),
                         MPI_UINT64_T, state->ranks->comm));
    for (size_t i = 0; i < all; i += each)
        weight += state->samples[i].weight;
    qsort(state->samples, all, sizeof *state->samples, compare_samples);
    return weight;
}

/* Begins a search. It is done if it is for no element, or for all of them. */
static void begin(const struct cls_sorted_keys *keys, uint64_t max_key, uint64_t all,
                  struct search *search)
{
    const bool is_none = search->rank == 0;
    const struct cls_key_counts end = {keys->count, keys->count};
    const struct neighbourhood all_end = {.counts = {all, all}};
    search->high = max_key;
    search->not_above = all;
    search->end = keys->count;
    search->is_done = is_none || search->rank >= all;
    if (search->is_done && !is_none)
        search->probe = (struct probe){max_key, end, all_end};
}

/* Begins all searches with quantiles of the sample as their probes. `all` is the number of elements of all ranks. */
static void begin_all(struct state *state, uint64_t max_key, uint64_t all)
{
    struct search *search = state->searches, *const end = search + state->count;
    uint64_t weight = 0;
    size_t next = 0;
    for (; search < end; search++) {
        begin(state->keys, max_key, all, search);
        if (search->is_done)
            continue;
        while ((weight + state->samples[next].weight) / state->samples_each < search->rank)
            weight += state->samples[next++].weight;
        search->probe.key = state->samples[next].key;
    }
}

/* -- rounds ------------------------------------------------------------------------------------ */

/* Returns how many elements are between the range's nearer end and the splitter. */
static uint64_t distance(const struct search *search)
{
    return cls_min(search->rank - search->below, search->not_above - search->rank);
}

/* Narrows the range of a search by the counts of a probe. */
static void narrow(struct search *search, const struct probe *probe)
{
    const struct cls_key_counts all = probe->all.counts;
    if (all.below > search->rank) {
        if (probe->key > search->high)
            return;
        search->high = probe->all.predecessor;
        search->not_above = all.below;
        search->end = probe->own.below;
    } else if (all.not_above < search->rank) {
        if (probe->key < search->low)
            return;
        search->low = probe->all.successor;
        search->below = all.not_above;
        search->first = probe->own.not_above;
    } else {
        search->is_done = true;
        search->probe = *probe;
    }
}

/* Chooses the probe between the last of the wanted elements and the next one, if the elements are uniform in the range,
 * or the middle of the range. If only one element of the range is wanted, or only one is not, the end of the range
 * ends the search. */
static void choose_probe(struct search *search)
{
    const uint64_t elements = search->not_above - search->below;
    const uint64_t wanted = search->rank - search->below, width = search->high - search->low;
    const double part = search->bisects ? 0.5 : ((double)wanted - 0.5) / ((double)elements - 1);
    const double offset = part * (double)width;
    if (wanted == 1)
        search->probe.key = search->low;
    else if (wanted + 1 == elements || !(offset < (double)width))
        search->probe.key = search->high;
    else
        search->probe.key = search->low + (uint64_t)offset;
}

/* Narrows all ranges by the probes of a round, and chooses those of the next round. Of the probes, only the two that
 * are nearest to a splitter matter. */
static void narrow_all(struct state *state)
{
    size_t next = 0;
    for (size_t i = 0; i < state->count; i++) {
        struct search *search = &state->searches[i];
        const uint64_t before = distance(search);
        if (search->is_done)
            continue;
        while (next < state->probe_count && state->probes[next].all.counts.not_above < search->rank)
            next++;
        if (next > 0)
            narrow(search, &state->probes[next - 1]);
        if (next < state->probe_count)
            narrow(search, &state->probes[next]);
        search->bisects = !search->bisects && distance(search) > before / 4;
        if (!search->is_done)
            choose_probe(search);
    }
}

static int compare_probes(const void *a, const void *b)
{
    const uint64_t x = ((const struct probe *)a)->key, y = ((const struct probe *)b)->key;
    return (x > y) - (x < y);
}

/* Sorts the probes, which most often are in order, as the searches are. */
static void sort_probes(struct state *state)
{
    for (size_t i = 1; i < state->probe_count; i++)
        if (state->probes[i - 1].key > state->probes[i].key) {
            qsort(state->probes, state->probe_count, sizeof *state->probes, compare_probes);
            return;
        }
}

/* Collects the probes of the searches that are not done, with the counts of this share. */
static void collect_probes(struct state *state)
{
    const struct cls_sorted_keys *keys = state->keys;
    state->probe_count = 0;
    for (size_t i = 0; i < state->count; i++) {
        struct search *search = &state->searches[i];
        if (search->is_done)
            continue;
        search->probe.own =
            keys->count_key(keys->data, search->probe.key, search->first, search->end);
        state->probes[state->probe_count++] = search->probe;
    }
    sort_probes(state);
}

/* Returns the counts and the neighbours of a probe in the share of this rank. */
static struct neighbourhood own_neighbourhood(const struct cls_sorted_keys *keys,
                                              struct cls_key_counts own)
{
    struct neighbourhood found = {own, 0, UINT64_MAX};
    if (own.below > 0)
        found.predecessor = keys->key_at(keys->data, own.below - 1);
    if (own.not_above < keys->count)
        found.successor = keys->key_at(keys->data, own.not_above);
    return found;
}

/* Counts the probes in all shares. */
static void count_probes(struct state *state)
{
    for (size_t i = 0; i < state->probe_count; i++)
        state->joined[i] = own_neighbourhood(state->keys, state->probes[i].own);
    join_all(state);
    for (size_t i = 0; i < state->probe_count; i++)
        state->probes[i].all = state->joined[i];
}

/* Agrees on the status of all ranks. After a failure, what this rank has received may be wrong. */
static bool is_ok(struct state *state)
{
    state->status = cls_ranks_agree(state->ranks, state->status);
    return state->status == CLSORT_OK;
}

static void run_rounds(struct state *state)
{
    for (collect_probes(state); state->probe_count > 0; collect_probes(state)) {
        count_probes(state);
        if (!is_ok(state))
            return;
        narrow_all(state);
    }
}

/* -- positions --------------------------------------------------------------------------------- */

/* Returns whether some, but not all, of the elements that are equal to the splitter are before it. */
static bool divides_equal(const struct search *search)
{
    const struct cls_key_counts all = search->probe.all.counts;
    return all.below < search->rank && search->rank < all.not_above;
}

/* Gives out the elements that are equal to a splitter in the order of the ranks. */
static void find_positions(struct state *state, uint64_t *position)
{
    size_t count = 0, next = 0;
    for (size_t i = 0; i < state->count; i++) {
        const struct search *search = &state->searches[i];
        if (divides_equal(search))
            state->numbers[count++] = search->probe.own.not_above - search->probe.own.below;
    }
    if (count > 0)
        sum_before(state, count);
    for (size_t i = 0; i < state->count; i++) {
        const struct search *search = &state->searches[i];
        const struct probe *probe = &search->probe;
        const struct cls_bisection found = {search->rank, probe->key, probe->key};
        const uint64_t equal = divides_equal(search) ? state->numbers[next++] : 0;
        const struct cls_key_counts before = {0, equal};
        position[i] = cls_bisection_position(&found, probe->all.counts, before, probe->own);
    }
}

/* -- all searches ------------------------------------------------------------------------------ */

static void take_memory(struct state *state)
{
    const size_t count = state->count + 1, ranks = (size_t)state->ranks->size;
    state->samples_each = (size_t)cls_divide_up(MIN_SAMPLES, ranks);
    state->samples = malloc(state->samples_each * ranks * sizeof *state->samples);
    state->searches = calloc(count, sizeof *state->searches);
    state->probes = malloc(count * sizeof *state->probes);
    state->joined = malloc(count * sizeof *state->joined);
    state->received = malloc(count * sizeof *state->received);
    state->numbers = malloc(3 * count * sizeof *state->numbers);
    if (!state->samples || !state->searches || !state->probes || !state->joined ||
        !state->received || !state->numbers)
        state->status = CLSORT_E_MEMORY;
}

static void free_memory(struct state *state)
{
    free(state->samples);
    free(state->searches);
    free(state->probes);
    free(state->joined);
    free(state->received);
    free(state->numbers);
}

static void search(struct state *state, uint64_t max_key, const uint64_t *rank_of,
                   uint64_t *position)
{
    for (size_t i = 0; i < state->count; i++)
        state->searches[i].rank = rank_of[i];
    take_sample(state);
    const uint64_t all = exchange_samples(state);
    if (is_ok(state)) {
        begin_all(state, max_key, all);
        run_rounds(state);
    }
    if (state->status == CLSORT_OK) {
        find_positions(state, position);
        is_ok(state);
    }
}

clsort_status cls_search(struct cls_ranks *ranks, const struct cls_sorted_keys *keys,
                         uint64_t max_key, size_t searches, const uint64_t *rank_of,
                         uint64_t *position)
{
    struct state state = {.ranks = ranks, .keys = keys, .count = searches};
    take_memory(&state);
    if (is_ok(&state))
        search(&state, max_key, rank_of, position);
    free_memory(&state);
    return state.status;
}
