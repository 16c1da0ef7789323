/* crew.c - runs the tasks of a sort on the devices of a group, and leaves out devices that fail */
#include "group/crew.h"

#include "api/engine.h"
#include "base/text.h"
#include "group/device_semaphore.h"
#include "host/threads.h"

#include <assert.h>
#include <string.h>

/* A thread for each device. */
static_assert(CLSORT_MAX_GROUP <= CLS_MAX_HOST_THREADS,
              "a group can have more devices than threads");

/* Shorter ranges are sorted by the calling thread in less time than a device takes to answer. */
enum { MIN_RANGE = 1 << 15 };

void cls_crew_begin(struct cls_crew *crew, struct clsort_group *group)
{
    *crew = (struct cls_crew){.group = group};
    pthread_mutex_lock(&group->mutex);
    memcpy(crew->rates, group->rates, sizeof crew->rates);
    pthread_mutex_unlock(&group->mutex);
}

void cls_crew_end(const struct cls_crew *crew)
{
    struct clsort_group *group = crew->group;
    pthread_mutex_lock(&group->mutex);
    memcpy(group->last, crew->share, sizeof group->last);
    for (size_t i = 0; i < group->count; i++) {
        const struct cls_share *share = &crew->share[i];
        if (share->ns > 0) {
            const double rate = share->bytes / share->ns, before = group->rates[i];
            group->rates[i] = before > 0 ? (before + rate) / 2 : rate;
        }
    }
    pthread_mutex_unlock(&group->mutex);
}

/* Returns the rate of a device: that of an average one if it is unknown. */
static double rate_of(const struct cls_crew *crew, size_t device)
{
    double sum = 0;
    size_t known = 0;
    for (size_t i = 0; i < crew->group->count; i++) {
        sum += crew->rates[i];
        known += crew->rates[i] > 0;
    }
    return crew->rates[device] > 0 ? crew->rates[device] : known > 0 ? sum / (double)known : 1;
}

/* Returns the sum of the rates of the devices of all ranges. *slowest becomes the range of the slowest one. */
static double sum_of_rates(const struct cls_crew *crew, const struct cls_ranges *ranges,
                           size_t *slowest)
{
    double sum = 0;
    *slowest = 0;
    for (size_t i = 0; i < ranges->count; i++) {
        sum += rate_of(crew, ranges->device[i]);
        if (rate_of(crew, ranges->device[i]) <= rate_of(crew, ranges->device[*slowest]))
            *slowest = i;
    }
    return sum;
}

void cls_crew_divide(const struct cls_crew *crew, size_t count, struct cls_ranges *ranges)
{
    size_t slowest;
    double before = 0;
    *ranges = (struct cls_ranges){.count = 0};
    for (size_t i = 0; i < crew->group->count; i++)
        if (crew->share[i].failure == CLSORT_OK)
            ranges->device[ranges->count++] = i;
    double sum = sum_of_rates(crew, ranges, &slowest);
    while (ranges->count > 1 &&
           (double)count * rate_of(crew, ranges->device[slowest]) / sum < MIN_RANGE) {
        ranges->count--;
        memmove(ranges->device + slowest, ranges->device + slowest + 1,
                (ranges->count - slowest) * sizeof *ranges->device);
        sum = sum_of_rates(crew, ranges, &slowest);
    }
    for (size_t i = 0; i < ranges->count; i++) {
        before += rate_of(crew, ranges->device[i]);
        ranges->first[i + 1] =
            i + 1 < ranges->count ? (size_t)((double)count * (before / sum)) : count;
    }
}

/* Tasks that are run at the same time, in threads with a device each. */
struct round {
    struct cls_crew *crew;
    const struct cls_crew_work *work;
    void *data;
    size_t tasks, devices;
    size_t left[CLSORT_MAX_GROUP];   /* the tasks that are not done */
    size_t device[CLSORT_MAX_GROUP]; /* of each thread */
    bool is_done[CLSORT_MAX_GROUP];
};

/* Leaves a device out, and keeps the sentence of the first failure. */
static void leave_out(struct cls_crew *crew, size_t device, clsort_status status)
{
    struct cls_text text = CLS_TEXT(crew->text);
    pthread_mutex_lock(&crew->group->mutex);
    crew->share[device].failure = status;
    if (crew->status == CLSORT_OK) {
        crew->status = status;
        cls_text_add(&text, "device %zu of the group: %s", device, cls_error_text(status));
    }
    pthread_mutex_unlock(&crew->group->mutex);
}

/* Runs one step of a task, while it holds the semaphore of the devices. Leaves the device out after a failure. */
static bool run_step(struct round *round, cls_crew_task *step, size_t device, size_t task)
{
    const struct cls_caps *caps = &round->crew->group->engines[device]->device->caps;
    cls_semaphore_acquire(caps);
    const clsort_status status = step(round->data, device, task);
    cls_semaphore_release(caps);
    if (status != CLSORT_OK)
        leave_out(round->crew, device, status);
    return status == CLSORT_OK;
}

/* Prepares the tasks of one device. Returns false, and leaves the device out, after a failure. */
static bool prepare_tasks(struct round *round, size_t thread)
{
    const size_t device = round->device[thread];
    for (size_t i = thread; i < round->tasks; i += round->devices)
        if (!run_step(round, round->work->prepare, device, round->left[i]))
            return false;
    return true;
}

/* Prepares all tasks. Returns whether no device has failed. */
static bool prepare(struct round *round)
{
    bool is_prepared = true;
    for (size_t i = 0; i < round->devices && round->work->prepare; i++)
        is_prepared = prepare_tasks(round, i) && is_prepared;
    return is_prepared;
}

/* Runs the tasks of one device. */
static void run_tasks(void *data, size_t thread)
{
    struct round *round = data;
    const size_t device = round->device[thread];
    for (size_t i = thread; i < round->tasks; i += round->devices) {
        round->is_done[i] = run_step(round, round->work->run, device, round->left[i]);
        if (!round->is_done[i])
            return;
    }
}

/* Keeps the tasks that are not done. */
static void keep_left(struct round *round)
{
    size_t left = 0;
    for (size_t i = 0; i < round->tasks; i++)
        if (!round->is_done[i])
            round->left[left++] = round->left[i];
    round->tasks = left;
    memset(round->is_done, 0, sizeof round->is_done);
}

/* Gives the tasks to all devices that have not failed, or to as many as there are tasks. */
static void choose_devices(struct round *round)
{
    const struct cls_crew *crew = round->crew;
    round->devices = 0;
    for (size_t i = 0; i < crew->group->count && round->devices < round->tasks; i++)
        if (crew->share[i].failure == CLSORT_OK)
            round->device[round->devices++] = i;
}

/* Gives each range to its device or, if one of these devices has failed, all to those that have not. */
static void begin(struct round *round, const struct cls_ranges *ranges)
{
    bool has_failed = false;
    round->tasks = round->devices = ranges->count;
    memcpy(round->device, ranges->device, sizeof round->device);
    for (size_t i = 0; i < round->tasks; i++) {
        round->left[i] = i;
        has_failed = has_failed || round->crew->share[ranges->device[i]].failure != CLSORT_OK;
    }
    if (has_failed)
        choose_devices(round);
}

clsort_status cls_crew_run(struct cls_crew *crew, const struct cls_ranges *ranges,
                           const struct cls_crew_work *work, void *data)
{
    struct round round = {.crew = crew, .work = work, .data = data};
    begin(&round, ranges);
    while (round.tasks > 0 && round.devices > 0) {
        if (prepare(&round)) {
            cls_host_run(round.devices, run_tasks, &round);
            keep_left(&round);
        }
        choose_devices(&round);
    }
    return round.tasks == 0 && ranges->count > 0 ? CLSORT_OK
                                                 : cls_fail(crew->status, "%s", crew->text);
}
