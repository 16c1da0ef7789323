/* verify.c - verification of results */
#include "verify.h"

#include "order.h"
#include "parallel.h"
#include "verify_neighbours.h"
#include "verify_selection.h"

#include <stdatomic.h>
#include <string.h>

/* -- sums -------------------------------------------------------------------------------------- */

/* Continues the sum of an element by some of its bytes. */
static uint64_t add_bytes(uint64_t sum, const unsigned char *bytes, size_t size)
{
    for (size_t at = 0; at < size; at += sizeof sum) {
        size_t left = size - at;
        uint64_t word = 0;
        memcpy(&word, bytes + at, left < sizeof word ? left : sizeof word);
        word ^= sum;
        sum = data_checksum(&word, sizeof word, 1);
    }
    return sum;
}

static uint64_t key_sum(const struct spec *spec, const unsigned char *key)
{
    return spec->rows ? add_bytes(0, key, spec->type->size)
                      : data_checksum(key, spec->type->size, 1);
}

struct sum_task {
    const struct job *job;
    const void *keys, *values;
    atomic_uint_least64_t sum;
};

static void sum_part(void *context, size_t first, size_t count)
{
    struct sum_task *all = context;
    const struct job *job = all->job;
    uint64_t sum = 0;
    if (!all->values && !job->spec.rows)
        sum = data_checksum(job_key_at(job, all->keys, first), job->spec.type->size, count);
    else
        for (size_t i = first; i < first + count; i++)
            sum += add_bytes(key_sum(&job->spec, job_key_at(job, all->keys, i)),
                             job_value_at(job, all->values, i),
                             all->values ? job->spec.value_size : 0);
    atomic_fetch_add(&all->sum, sum);
}

uint64_t verify_sum(const struct job *job, const void *keys, const void *values)
{
    struct sum_task all = {.job = job, .keys = keys, .values = values};
    parallel_parts(job->count, sum_part, &all);
    return atomic_load(&all.sum);
}

/* -- order ------------------------------------------------------------------------------------- */

struct check_task {
    const struct job *job;
    const struct verify_rules *rules;
    atomic_bool disordered, unstable;
};

static bool halves_are_in_order(const uint64_t *keys, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (order_of_halves(keys[i - 1]) > order_of_halves(keys[i]))
            return false;
    return true;
}

static bool is_zero(const struct data_type *type, const void *key)
{
    const uint64_t zero = 0;
    return data_ordered(type, true, key) == data_ordered(type, true, &zero);
}

static bool numbers_are_in_order(const struct data_type *type, const void *keys, size_t count,
                                 bool zeros_equal)
{
    const unsigned char *key = keys;
    for (;;) {
        const size_t at = data_disorder(type, 0, key, count);
        if (at == count)
            return true;
        key += at * type->size;
        count -= at;
        if (!zeros_equal || !is_zero(type, key - type->size) || !is_zero(type, key))
            return false;
    }
}

/* Equal keys are equal bit for bit, except zeros if these are equal: the order of -0 and +0 is not
 * checked. */
static bool is_stable(const struct job *job, size_t first, size_t count)
{
    const size_t key_size = job->spec.type->size, value_size = job->spec.value_size;
    const unsigned char *key = job_key_at(job, job->keys_out, first);
    const unsigned char *value = job_value_at(job, job->values_out, first);
    for (size_t i = 1; i < count; i++, key += key_size, value += value_size)
        if (memcmp(key, key + key_size, key_size) == 0 &&
            job_value_index(job, value) >= job_value_index(job, value + value_size))
            return false;
    return true;
}

/* Checks rows. Without values, their payload contains their index. */
static void check_rows(struct check_task *all, size_t first, size_t count)
{
    const struct job *job = all->job;
    const struct row_layout *layout = job->spec.rows;
    const bool has_index = layout->payload_offset > 0;
    for (size_t i = first + 1; i < first + count; i++) {
        const void *a = job_key_at(job, job->keys_out, i - 1),
                   *b = job_key_at(job, job->keys_out, i);
        const int order = rows_compare(layout, a, b);
        if (order > 0)
            atomic_store(&all->disordered, true);
        if (order == 0 && has_index && rows_index(layout, a) >= rows_index(layout, b) &&
            all->rules->stable)
            atomic_store(&all->unstable, true);
    }
}

static void check_keys(struct check_task *all, size_t first, size_t count)
{
    const struct job *job = all->job;
    const void *keys = job_key_at(job, job->keys_out, first);
    const bool halves = job->spec.op == OP_CUSTOM && job->spec.type->key == CLSORT_U64;
    if (!(halves ? halves_are_in_order(keys, count)
                 : numbers_are_in_order(job->spec.type, keys, count, all->rules->zeros_equal)))
        atomic_store(&all->disordered, true);
}

static void check_part(void *context, size_t first, size_t count)
{
    struct check_task *all = context;
    const struct job *job = all->job;
    if (first > 0) { /* compare the first key with its predecessor */
        first--;
        count++;
    }
    if (job->spec.rows)
        check_rows(all, first, count);
    else
        check_keys(all, first, count);
    if (all->rules->stable && job->spec.value_size && job_has_indices(job) &&
        !is_stable(job, first, count))
        atomic_store(&all->unstable, true);
}

/* -- indexes ----------------------------------------------------------------------------------- */

struct index_task {
    const struct job *job;
    atomic_bool wrong;
};

/* Copies the keys that the indexes of an argsort refer to. */
static void take_keys(void *context, size_t first, size_t count)
{
    struct index_task *all = context;
    const struct job *job = all->job;
    const size_t key_size = job->spec.type->size;
    unsigned char *key = (unsigned char *)job->keys_out + first * key_size;
    for (size_t i = first; i < first + count; i++, key += key_size) {
        const uint64_t index = job_value_index(job, job_value_at(job, job->values_out, i));
        if (index < job->count)
            memcpy(key, job_key_at(job, job->keys, (size_t)index), key_size);
        else
            atomic_store(&all->wrong, true);
    }
}

/* Compares the values of a gather, whose keys are the indexes, with those that a loop reads. */
static void compare_gathered(void *context, size_t first, size_t count)
{
    struct index_task *all = context;
    const struct job *job = all->job;
    for (size_t i = first; i < first + count; i++) {
        uint64_t index = 0;
        memcpy(&index, job_key_at(job, job->keys, i), job->spec.type->size);
        if (memcmp(job_value_at(job, job->values_out, i),
                   job_value_at(job, job->values, (size_t)index), job->spec.value_size) != 0)
            atomic_store(&all->wrong, true);
    }
}

/* -- results ----------------------------------------------------------------------------------- */

static const char *verify_sorted(const struct job *job, uint64_t sum,
                                 const struct verify_rules *rules)
{
    struct check_task all = {.job = job, .rules = rules};
    parallel_parts(job->count, check_part, &all);
    if (atomic_load(&all.disordered))
        return "the keys are out of order";
    if (verify_sum(job, job->keys_out, job->values_out) != sum)
        return "the elements are not those of the input";
    if (atomic_load(&all.unstable))
        return "elements with equal keys are not in the order of the input";
    return NULL;
}

/* -- segments ---------------------------------------------------------------------------------- */

/* Checks whole segments: their order, and that their elements are those of the input. */
static void check_segments(void *context, size_t first, size_t count)
{
    struct check_task *all = context;
    const struct job *job = all->job;
    const size_t key = job->spec.type->size;
    for (size_t i = first; i < first + count; i++) {
        const size_t begin = (size_t)job->offsets[i], n = (size_t)job->offsets[i + 1] - begin;
        const void *keys = job_key_at(job, job->keys_out, begin);
        if (n == 0)
            continue;
        if (!numbers_are_in_order(job->spec.type, keys, n, all->rules->zeros_equal) ||
            data_checksum(keys, key, n) != data_checksum(job_key_at(job, job->keys, begin), key, n))
            atomic_store(&all->disordered, true);
        if (all->rules->stable && job->spec.value_size && job_has_indices(job) &&
            !is_stable(job, begin, n))
            atomic_store(&all->unstable, true);
    }
}

static const char *verify_segments(const struct job *job, uint64_t sum,
                                   const struct verify_rules *rules)
{
    struct check_task all = {.job = job, .rules = rules};
    parallel_parts(job->segment_count, check_segments, &all);
    if (atomic_load(&all.disordered))
        return "the keys of a segment are out of order, or not those of the input";
    if (verify_sum(job, job->keys_out, job->values_out) != sum)
        return "the elements are not those of the input";
    return atomic_load(&all.unstable) ? "elements with equal keys are not in the order of the input"
                                      : NULL;
}

static bool is_clear(const unsigned char *bytes, size_t size)
{
    return size == 0 || (bytes[0] == 0 && memcmp(bytes, bytes + 1, size - 1) == 0);
}

const char *verify_rest(const struct job *job, size_t count)
{
    const size_t key_size = job->spec.type->size, value_size = job->spec.value_size;
    const size_t rest = job->result_count - count;
    const bool has_keys = operation_of(job->spec.op)->has_keys_out;
    if (has_keys && !is_clear(job_key_at(job, job->keys_out, count), rest * key_size))
        return "keys beyond the count were overwritten";
    if (value_size > 0 && !is_clear(job_value_at(job, job->values_out, count), rest * value_size))
        return "values beyond the count were overwritten";
    return NULL;
}

const char *verify_result(const struct job *job, uint64_t sum, const struct verify_rules *rules)
{
    struct index_task indexes = {.job = job};
    switch (job->spec.op) {
    case OP_TOP:
    case OP_NTH:
        return verify_selection(job, rules);
    case OP_UNIQUE:
        return verify_unique(job);
    case OP_CHECK:
        return verify_check(job);
    case OP_SEGMENTS:
        return verify_segments(job, sum, rules);
    case OP_GATHER:
        parallel_parts(job->count, compare_gathered, &indexes);
        return atomic_load(&indexes.wrong) ? "the values are not those of the indexes" : NULL;
    case OP_ARGSORT:
    case OP_COLUMNS:
        parallel_parts(job->count, take_keys, &indexes);
        if (atomic_load(&indexes.wrong))
            return "an index is out of bounds";
        break;
    default:
        break;
    }
    return verify_sorted(job, sum, rules);
}
