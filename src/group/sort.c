/* sort.c - sorts host arrays on several devices
 *
 * Sample sort with exact splitters (splitters.h):
 *   1. Each device sorts a share of the input, to other memory.
 *   2. The sorted shares are divided at exact positions: one range of the output for each device.
 *   3. Each device merges its parts of all shares to its range of the output.
 *
 * The input is only read until all shares are sorted, and the sorted shares are only read after that. All elements are
 * thus in memory that no device writes to, so that another device can repeat the work of one that fails.
 *
 * The calling thread compiles and tests the kernels of both steps before the devices start: drivers may not support
 * compilation in several threads at once (docs/devices.md).
 *
 * For CLSORT_ARGSORT, the indexes are values of the keys; records get theirs as a field that is not compared. */
#include "group/group.h"

#include "api/host_parts.h"
#include "base/arithmetic.h"
#include "base/index.h"
#include "base/versioned.h"
#include "group/crew.h"
#include "group/divide.h"
#include "group/memory.h"

#include <stdlib.h>

struct job {
    struct cls_crew crew;
    clsort_desc desc;                         /* of a sort, also if the permutation is wanted */
    clsort_column bytes;                      /* the column of byte strings with indexes */
    struct cls_request sort, merge;           /* by this descriptor */
    struct cls_host_elements in, sorted, out; /* out is in, or does not overlap it */
    struct cls_ranges shares, parts;
    /* Part i has the elements from position[i][s] to position[i + 1][s] of share s. */
    uint64_t position[CLSORT_MAX_GROUP + 1][CLSORT_MAX_GROUP];
    bool merges[CLSORT_MAX_GROUP]; /* whether the device of a part merges two runs, or sorts them */
};

/* -- shares ------------------------------------------------------------------------------------ */

static clsort_status prepare_share(void *data, size_t device, size_t i)
{
    struct job *job = data;
    return cls_host_sort_warm(job->crew.group->engines[device], &job->sort,
                              cls_range_length(&job->shares, i));
}

static clsort_status sort_share(void *data, size_t device, size_t i)
{
    struct job *job = data;
    const struct cls_spec *spec = &job->sort.spec;
    struct cls_share *share = &job->crew.share[device];
    const size_t first = job->shares.first[i], count = cls_range_length(&job->shares, i);
    uint64_t ns;
    const clsort_status status =
        cls_host_sort_to(job->crew.group->engines[device], &job->sort, count,
                         cls_host_elements_at(spec, job->in, first),
                         cls_host_elements_at(spec, job->sorted, first), &ns);
    if (status != CLSORT_OK)
        return status;
    share->elements += count;
    if (ns > 0) {
        share->ns += (double)ns;
        share->bytes += (double)count * (double)(spec->key_bytes + spec->value_bytes);
    }
    return CLSORT_OK;
}

static clsort_status sort_shares(struct job *job, size_t count)
{
    static const struct cls_crew_work work = {prepare_share, sort_share};
    cls_crew_divide(&job->crew, count, &job->shares);
    return cls_crew_run(&job->crew, &job->shares, &work, job);
}

/* -- positions --------------------------------------------------------------------------------- */

/* Returns whether no share ends before it begins. A custom order that is not a strict weak order can give such
 * positions. */
static bool are_positions_valid(const struct job *job)
{
    for (size_t i = 0; i < job->parts.count; i++)
        for (size_t s = 0; s < job->shares.count; s++)
            if (job->position[i][s] > job->position[i + 1][s])
                return false;
    return true;
}

/* Makes the whole output one part. */
static void use_one_part(struct job *job, size_t count)
{
    job->parts.count = 1;
    job->parts.first[1] = count;
    for (size_t s = 0; s < job->shares.count; s++) {
        job->position[0][s] = 0;
        job->position[1][s] = cls_range_length(&job->shares, s);
    }
}

static clsort_status divide_shares(struct job *job, size_t count)
{
    const struct cls_sorted_shares shares = {&job->desc, &job->sort, job->sorted.keys,
                                             &job->shares};
    struct cls_ranges *parts = &job->parts;
    clsort_status status = CLSORT_OK;
    cls_crew_divide(&job->crew, count, parts);
    for (size_t i = 1; i < parts->count && status == CLSORT_OK; i++)
        status = cls_divide_shares(&shares, &job->crew, parts->first[i], job->position[i]);
    for (size_t s = 0; s < job->shares.count; s++)
        job->position[parts->count][s] = cls_range_length(&job->shares, s);
    if (!are_positions_valid(job))
        use_one_part(job, count);
    return status;
}

/* -- parts of the output ----------------------------------------------------------------------- */

/* Sets runs to the parts of shares that are not empty, and returns the number of them. */
static size_t runs_of(const struct job *job, size_t part, struct cls_host_run *runs)
{
    size_t count = 0;
    for (size_t s = 0; s < job->shares.count; s++) {
        const uint64_t first = job->position[part][s], end = job->position[part + 1][s];
        if (first < end)
            runs[count++] =
                (struct cls_host_run){cls_host_elements_at(&job->sort.spec, job->sorted,
                                                           job->shares.first[s] + (size_t)first),
                                      (size_t)(end - first)};
    }
    return count;
}

/* Copies the runs to the output, one after the other, and sorts them there. */
static clsort_status sort_runs(const struct job *job, clsort_engine *engine,
                               const struct cls_host_run *runs, size_t count,
                               struct cls_host_elements to)
{
    size_t end = 0;
    uint64_t ns;
    for (size_t i = 0; i < count; i++) {
        cls_host_copy(&job->sort.spec, runs[i].at, cls_host_elements_at(&job->sort.spec, to, end),
                      runs[i].count);
        end += runs[i].count;
    }
    return count > 1 ? cls_host_sort_to(engine, &job->sort, end, to, to, &ns) : CLSORT_OK;
}

static clsort_status prepare_part(void *data, size_t device, size_t part)
{
    struct job *job = data;
    clsort_engine *engine = job->crew.group->engines[device];
    struct cls_host_run runs[CLSORT_MAX_GROUP];
    const size_t count = runs_of(job, part, runs), length = cls_range_length(&job->parts, part);
    job->merges[part] = count == 2 && cls_host_merge_warm(engine, &job->merge, length);
    return count <= 1 || job->merges[part] ? CLSORT_OK
                                           : cls_host_sort_warm(engine, &job->sort, length);
}

static clsort_status merge_part(void *data, size_t device, size_t part)
{
    const struct job *job = data;
    clsort_engine *engine = job->crew.group->engines[device];
    const struct cls_host_elements to =
        cls_host_elements_at(&job->sort.spec, job->out, job->parts.first[part]);
    struct cls_host_run runs[CLSORT_MAX_GROUP];
    const size_t count = runs_of(job, part, runs);
    bool is_merged = false;
    const clsort_status status = job->merges[part]
                                     ? cls_host_merge_to(engine, &job->merge, runs, to, &is_merged)
                                     : CLSORT_OK;
    return status != CLSORT_OK || is_merged ? status : sort_runs(job, engine, runs, count, to);
}

static clsort_status merge_parts(struct job *job)
{
    static const struct cls_crew_work work = {prepare_part, merge_part};
    return cls_crew_run(&job->crew, &job->parts, &work, job);
}

/* -- arrays ------------------------------------------------------------------------------------ */

/* Reads the requests of the sorts and the merges. */
static clsort_status read_requests(struct job *job)
{
    clsort_desc merge = job->desc;
    merge.operation = CLSORT_MERGE_SORTED;
    merge.algorithm = NULL;
    merge.flags &= ~(uint32_t)(CLSORT_NO_SCRATCH | CLSORT_UNSTABLE);
    const clsort_status status = cls_request_read(&job->desc, &job->sort);
    return status == CLSORT_OK ? cls_request_read(&merge, &job->merge) : status;
}

/* Takes memory for job->sorted and, if the caller wants no sorted keys, for those of job->out. */
static struct cls_block take_memory(struct job *job, size_t count)
{
    const struct cls_spec *spec = &job->sort.spec;
    const uint64_t key_bytes = cls_round_up(count * spec->key_bytes, 64);
    const uint64_t value_bytes = cls_round_up(count * spec->value_bytes, 64);
    const bool needs_keys = !job->out.keys;
    const struct cls_block block =
        cls_group_take(job->crew.group, key_bytes + value_bytes + (needs_keys ? key_bytes : 0));
    if (!block.at)
        return block;
    job->sorted = (struct cls_host_elements){block.at, block.at + key_bytes};
    if (needs_keys)
        job->out.keys = block.at + key_bytes + value_bytes;
    return block;
}

/* Sorts the elements of job->in to job->out, by way of job->sorted. */
static clsort_status run_steps(struct job *job, size_t count)
{
    clsort_status status = sort_shares(job, count);
    if (status == CLSORT_OK)
        status = divide_shares(job, count);
    if (status == CLSORT_OK) {
        status = merge_parts(job);
        if (status != CLSORT_OK) /* parts of the output are missing */
            cls_host_copy(&job->sort.spec, job->sorted, job->out, count);
    }
    return status;
}

/* Sorts the elements of job->in, whose descriptor is complete, to job->out. */
static clsort_status run(struct job *job, size_t count)
{
    clsort_status status = read_requests(job);
    if (status != CLSORT_OK)
        return status;
    const struct cls_block block = take_memory(job, count);
    if (!block.at)
        return CLSORT_E_MEMORY;
    status = run_steps(job, count);
    cls_group_give(job->crew.group, block);
    return status;
}

/* Finds the permutation that sorts keys, as values of the keys. */
static clsort_status argsort_keys(struct job *job, size_t count, void *keys, void *indexes)
{
    const size_t index_bytes = job->sort.spec.value_bytes;
    cls_number_elements(index_bytes, count, indexes);
    job->desc.value_size = index_bytes;
    job->in = (struct cls_host_elements){keys, indexes};
    job->out = (struct cls_host_elements){NULL, indexes};
    return run(job, count);
}

/* Finds the permutation that sorts records, as a field of copies of the records. */
static clsort_status argsort_records(struct job *job, size_t count, const char *records,
                                     char *indexes)
{
    const size_t record = job->sort.spec.key_bytes, index = job->sort.spec.value_bytes;
    const size_t both = record + index;
    if (job->desc.record_size == 0) { /* byte strings */
        job->bytes = (clsort_column){CLSORT_BYTES, job->desc.flags & CLSORT_DESCENDING, record, 0};
        job->desc.columns = &job->bytes;
        job->desc.column_count = 1;
        job->desc.key = CLSORT_U32;
        job->desc.key_size = 0;
        job->desc.flags &= ~(uint32_t)CLSORT_DESCENDING;
    }
    job->desc.record_size = both;
    const struct cls_block block = cls_group_take(job->crew.group, count * both);
    char *const copies = block.at;
    if (!copies)
        return CLSORT_E_MEMORY;
    for (size_t i = 0; i < count; i++) {
        memcpy(copies + i * both, records + i * record, record);
        cls_store_index(i, index, copies + i * both + record);
    }
    job->in = job->out = (struct cls_host_elements){copies, NULL};
    const clsort_status status = run(job, count);
    for (size_t i = 0; i < count && status == CLSORT_OK; i++)
        memcpy(indexes + i * index, copies + i * both + record, index);
    cls_group_give(job->crew.group, block);
    return status;
}

/* Sorts by a request of the caller. */
static clsort_status sort_arrays(struct job *job, size_t count, void *keys, void *values)
{
    if (!job->sort.spec.value_is_index) {
        job->in = job->out = (struct cls_host_elements){keys, values};
        return run(job, count);
    }
    if (job->sort.no_scratch)
        return cls_fail(CLSORT_E_UNSUPPORTED,
                        "CLSORT_ARGSORT needs scratch memory, which CLSORT_NO_SCRATCH forbids");
    job->desc.operation = CLSORT_SORT;
    job->desc.index_size = 0;
    return job->sort.columns.count > 0 ? argsort_records(job, count, keys, values)
                                       : argsort_keys(job, count, keys, values);
}

clsort_status cls_group_sort(struct clsort_group *group, const clsort_desc *desc,
                             const struct cls_request *request, size_t count, void *keys,
                             void *values)
{
    struct job *job = calloc(1, sizeof *job);
    if (!job) {
        cls_group_clear_shares(group);
        return CLSORT_E_MEMORY;
    }
    cls_crew_begin(&job->crew, group);
    job->sort = *request;
    clsort_status status =
        cls_versioned_copy(desc, &job->desc, sizeof job->desc, "clsort_desc", "CLSORT_DESC_INIT");
    if (status == CLSORT_OK) {
        job->desc.struct_size = sizeof job->desc;
        status = sort_arrays(job, count, keys, values);
    }
    cls_crew_end(&job->crew);
    free(job);
    return status;
}
