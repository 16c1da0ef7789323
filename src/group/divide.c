/* divide.c - finds the positions that divide sorted shares in host memory */
#include "group/divide.h"

#include "api/host_parts.h"
#include "api/host_records.h"
#include "base/arithmetic.h"

#include <stdlib.h>

static const char *key_at(const struct cls_sorted_shares *shares, size_t share, uint64_t i)
{
    return shares->keys +
           (shares->ranges->first[share] + (size_t)i) * shares->request->spec.key_bytes;
}

/* -- keys of up to 64 bits --------------------------------------------------------------------- */

static struct cls_key_counts add(struct cls_key_counts a, struct cls_key_counts b)
{
    return (struct cls_key_counts){a.below + b.below, a.not_above + b.not_above};
}

static void bisect(const struct cls_sorted_shares *shares, uint64_t rank, uint64_t *position)
{
    const struct cls_spec *spec = &shares->request->spec;
    const size_t count = shares->ranges->count;
    struct cls_bisection bisection = cls_bisection_begin(spec, rank);
    struct cls_key_counts own[CLSORT_MAX_GROUP], all, before = {0, 0};
    bool is_done;
    do { /* the last round counts the splitter */
        is_done = cls_bisection_is_done(&bisection);
        all = before;
        for (size_t i = 0; i < count; i++) {
            own[i] = cls_count_key(spec, key_at(shares, i, 0), cls_range_length(shares->ranges, i),
                                   cls_bisection_key(&bisection));
            all = add(all, own[i]);
        }
        cls_bisection_narrow(&bisection, all);
    } while (!is_done);
    for (size_t i = 0; i < count; i++) {
        position[i] = cls_bisection_position(&bisection, all, before, own[i]);
        before = add(before, own[i]);
    }
}

/* -- elements in other orders ------------------------------------------------------------------ */

/* Samples of all shares, which are sorted to find out in which order they are. */
struct samples {
    struct cls_request request; /* of a sort of the samples and the numbers of their shares */
    clsort_engine *const *engines;
    size_t count;
    char *elements, *sorted; /* in the order of the shares, and in order */
    uint32_t *share, *order; /* the number of the share of each element, likewise */
};

/* Sorts the samples by a custom order, out of place, so that another device can try after a failure. A single task runs
 * in the calling thread, and compiles what it needs. */
static clsort_status sort_samples(void *data, size_t device, size_t task)
{
    const struct samples *samples = data;
    uint64_t ns;
    (void)task;
    return cls_host_sort_to(samples->engines[device], &samples->request, samples->count,
                            (struct cls_host_elements){samples->elements, samples->share},
                            (struct cls_host_elements){samples->sorted, samples->order}, &ns);
}

/* Sorts the samples by columns, in the calling thread. */
static clsort_status order_records(struct samples *samples)
{
    const struct cls_host_records by = cls_host_records_of(&samples->request);
    const clsort_status status = cls_host_sort_records(
        &by, samples->count, samples->elements, (char *)samples->order, sizeof *samples->order);
    for (size_t i = 0; i < samples->count && status == CLSORT_OK; i++)
        samples->order[i] = samples->share[samples->order[i]];
    return status;
}

static clsort_status order_samples(struct samples *samples, struct cls_crew *crew)
{
    static const struct cls_crew_work work = {NULL, sort_samples};
    struct cls_ranges one;
    if (samples->request.columns.count > 0)
        return order_records(samples);
    if (samples->count == 0)
        return CLSORT_OK;
    cls_crew_divide(crew, 1, &one);
    return cls_crew_run(crew, &one, &work, samples);
}

/* Copies the samples of all windows. */
static void take_samples(const struct cls_sorted_shares *shares, const struct cls_window *windows,
                         uint64_t step, struct samples *samples)
{
    const size_t bytes = shares->request->spec.key_bytes;
    samples->count = 0;
    for (size_t i = 0; i < shares->ranges->count; i++)
        for (uint64_t j = 1; j <= cls_window_samples(windows[i], step); j++) {
            memcpy(samples->elements + samples->count * bytes,
                   key_at(shares, i, windows[i].first + j * step - 1), bytes);
            samples->share[samples->count++] = (uint32_t)i;
        }
}

/* Sets the request of a sort of samples with the numbers of their shares. */
static clsort_status read_request(const struct cls_sorted_shares *shares, struct samples *samples)
{
    clsort_desc desc = *shares->desc;
    samples->request = *shares->request;
    if (samples->request.columns.count > 0)
        return CLSORT_OK;
    desc.value_size = sizeof *samples->order;
    desc.algorithm = NULL; /* it may be one that is not stable */
    desc.flags &= ~(uint32_t)(CLSORT_UNSTABLE | CLSORT_NO_SCRATCH);
    return cls_request_read(&desc, &samples->request);
}

static clsort_status narrow(const struct cls_sorted_shares *shares, struct cls_crew *crew,
                            uint64_t rank, uint64_t *position)
{
    const size_t count = shares->ranges->count, bytes = shares->request->spec.key_bytes;
    const uint64_t max = cls_windows_max_samples(count, bytes);
    struct samples samples = {.engines = crew->group->engines,
                              .elements = malloc((size_t)max * bytes),
                              .sorted = malloc((size_t)max * bytes),
                              .share = calloc((size_t)max, sizeof *samples.share),
                              .order = calloc((size_t)max, sizeof *samples.order)};
    struct cls_window windows[CLSORT_MAX_GROUP] = {{0, 0}};
    uint64_t memory[CLS_NARROW_WORDS * CLSORT_MAX_GROUP];
    uint64_t step;
    clsort_status status = CLSORT_E_MEMORY;
    if (samples.elements && samples.sorted && samples.share && samples.order)
        status = read_request(shares, &samples);
    for (size_t i = 0; i < count; i++)
        windows[i] = (struct cls_window){0, cls_range_length(shares->ranges, i)};
    do {
        step = cls_windows_step(windows, count, max);
        if (status == CLSORT_OK) {
            take_samples(shares, windows, step, &samples);
            status = order_samples(&samples, crew);
        }
        if (status == CLSORT_OK)
            cls_windows_narrow(windows, count, rank, step, samples.order, memory);
    } while (status == CLSORT_OK && step > 1);
    for (size_t i = 0; i < count; i++)
        position[i] = windows[i].first;
    free(samples.elements);
    free(samples.sorted);
    free(samples.share);
    free(samples.order);
    return status;
}

clsort_status cls_divide_shares(const struct cls_sorted_shares *shares, struct cls_crew *crew,
                                uint64_t rank, uint64_t *position)
{
    const struct cls_request *request = shares->request;
    if (request->columns.count > 0 || request->spec.order == CLS_ORDER_CUSTOM)
        return narrow(shares, crew, rank, position);
    bisect(shares, rank, position);
    return CLSORT_OK;
}
