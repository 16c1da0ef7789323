/* verify_selection.c - verification of the first k keys, and of the k-th key */
#include "verify_selection.h"

#include "parallel.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static uint64_t order_at(const struct job *job, const void *keys, size_t index)
{
    return data_order(job->spec.type, 0, job_key_at(job, keys, index));
}

static uint64_t index_at(const struct job *job, size_t i)
{
    return job_value_index(job, job_value_at(job, job->values_out, i));
}

/* -- the indexes ------------------------------------------------------------------------------- */

/* seen: a bit for each element of the input, all 0. */
static const char *check_each_index(const struct job *job, unsigned char *seen)
{
    for (size_t i = 0; i < job->result_count; i++) {
        const uint64_t index = index_at(job, i);
        if (index >= job->count)
            return "an index is out of bounds";
        if (memcmp(job_key_at(job, job->keys, (size_t)index), job_key_at(job, job->keys_out, i),
                   job->spec.type->size) != 0)
            return "an index is not that of its key";
        if (seen[index / 8] >> index % 8 & 1)
            return "an index occurs twice";
        seen[index / 8] |= (unsigned char)(1 << index % 8);
    }
    return NULL;
}

static const char *check_indexes(const struct job *job)
{
    unsigned char *seen = calloc(job->count / 8 + 1, 1);
    const char *fault = seen ? check_each_index(job, seen) : "no memory for the verification";
    free(seen);
    return fault;
}

/* -- the order of the result ------------------------------------------------------------------- */

static const char *check_input_order(const struct job *job)
{
    for (size_t i = 1; i < job->result_count; i++)
        if (index_at(job, i - 1) >= index_at(job, i))
            return "the elements are not in the order of the input";
    return NULL;
}

static const char *check_sorted(const struct job *job, const struct verify_rules *rules)
{
    const size_t count = job->result_count;
    if (data_disorder(job->spec.type, 0, job->keys_out, count) != count)
        return "the keys are out of order";
    for (size_t i = 1; rules->stable && !rules->keys_only && i < count; i++)
        if (order_at(job, job->keys_out, i - 1) == order_at(job, job->keys_out, i) &&
            index_at(job, i - 1) >= index_at(job, i))
            return "elements with equal keys are not in the order of the input";
    return NULL;
}

static const char *check_order(const struct job *job, const struct verify_rules *rules)
{
    if (!job->spec.input_order)
        return check_sorted(job, rules);
    return rules->keys_only ? NULL : check_input_order(job);
}

/* -- the rank ---------------------------------------------------------------------------------- */

/* The last key of a result. */
struct threshold {
    uint64_t key;   /* as data_order */
    uint64_t index; /* the highest one of the result's keys that equal it */
};

static struct threshold find_threshold(const struct job *job, bool has_indexes)
{
    struct threshold last = {0};
    for (size_t i = 0; i < job->result_count; i++) {
        const uint64_t key = order_at(job, job->keys_out, i);
        const uint64_t index = has_indexes ? index_at(job, i) : 0;
        if (key > last.key)
            last = (struct threshold){key, index};
        else if (key == last.key && index > last.index)
            last.index = index;
    }
    return last;
}

/* Numbers of the keys of an array that are below the threshold, equal to it, and equal to it and not
 * behind its index; and the checksum of those below. */
struct rank {
    uint64_t below, equal, early, sum;
};

static struct rank rank_of(const struct job *job, const void *keys, size_t first, size_t count,
                           struct threshold last)
{
    struct rank rank = {0};
    for (size_t i = first; i < first + count; i++) {
        const uint64_t key = order_at(job, keys, i);
        if (key < last.key) {
            rank.below++;
            rank.sum += data_checksum(job_key_at(job, keys, i), job->spec.type->size, 1);
        } else if (key == last.key) {
            rank.equal++;
            rank.early += i <= last.index;
        }
    }
    return rank;
}

struct rank_task {
    const struct job *job;
    struct threshold last;
    atomic_uint_least64_t below, equal, early, sum;
};

static void rank_part(void *context, size_t first, size_t count)
{
    struct rank_task *all = context;
    const struct rank rank = rank_of(all->job, all->job->keys, first, count, all->last);
    atomic_fetch_add(&all->below, rank.below);
    atomic_fetch_add(&all->equal, rank.equal);
    atomic_fetch_add(&all->early, rank.early);
    atomic_fetch_add(&all->sum, rank.sum);
}

static struct rank rank_in_input(const struct job *job, struct threshold last)
{
    struct rank_task all = {.job = job, .last = last};
    parallel_parts(job->count, rank_part, &all);
    return (struct rank){atomic_load(&all.below), atomic_load(&all.equal), atomic_load(&all.early),
                         atomic_load(&all.sum)};
}

static const char *check_rank(const struct job *job, const struct verify_rules *rules)
{
    static const char WRONG_ONES[] = "of equal keys, others than the first ones are selected";
    const bool has_indexes = !rules->keys_only;
    const struct threshold last = find_threshold(job, has_indexes);
    const struct rank input = rank_in_input(job, last);
    if (job->spec.op == OP_NTH) {
        if (job->k < input.below || job->k >= input.below + input.equal)
            return "the key is not the k-th of the input";
        return has_indexes && rules->stable && input.below + input.early != job->k + 1 ? WRONG_ONES
                                                                                       : NULL;
    }
    const struct rank result = rank_of(job, job->keys_out, 0, job->result_count, last);
    if (result.sum != input.sum || result.equal > input.equal)
        return "the keys are not the first ones of the input";
    return has_indexes && rules->stable && input.early != result.equal ? WRONG_ONES : NULL;
}

const char *verify_selection(const struct job *job, const struct verify_rules *rules)
{
    const char *fault = rules->keys_only ? NULL : check_indexes(job);
    if (!fault && !rules->unordered)
        fault = check_order(job, rules);
    return fault ? fault : check_rank(job, rules);
}
