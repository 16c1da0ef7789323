/* trials.c - measures for few elements whether the calling thread sorts them faster than the device */
#include "api/trials.h"

#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; /* of all trials */

/* Returns the trial of a spec and a count. An interval of counts begins and ends at a power of two
 * or half way between two of them, so that times per element hardly differ within it. */
static struct cls_trial *find(struct cls_trials *trials, const struct cls_spec *spec, size_t count)
{
    const size_t elements = spec->value_is_index ? 2 : spec->value_bytes > 0;
    size_t kind = elements * CLS_TRIAL_KINDS / 3, interval = 0;
    for (unsigned bytes = 1; bytes < spec->key_bytes; bytes *= 2)
        kind++;
    for (size_t start = CLS_MIN_TRIAL_COUNT; count > 2 * start; start *= 2)
        interval += 2;
    const size_t middle = (size_t)CLS_MIN_TRIAL_COUNT * 3 / 2 << interval / 2;
    return &trials->trials[kind][interval + (count > middle)];
}

enum cls_processor cls_trials_next(struct cls_trials *trials, const struct cls_spec *spec,
                                   size_t count, bool *is_decided)
{
    pthread_mutex_lock(&mutex);
    const struct cls_trial trial = *find(trials, spec, count);
    pthread_mutex_unlock(&mutex);
    const unsigned *runs = trial.runs;
    *is_decided = runs[CLS_ON_DEVICE] >= CLS_TRIAL_RUNS && runs[CLS_ON_HOST] >= CLS_TRIAL_RUNS;
    if (*is_decided)
        return trial.best_ps[CLS_ON_HOST] < trial.best_ps[CLS_ON_DEVICE] ? CLS_ON_HOST
                                                                         : CLS_ON_DEVICE;
    return runs[CLS_ON_HOST] < runs[CLS_ON_DEVICE] ? CLS_ON_HOST : CLS_ON_DEVICE;
}

void cls_trials_record(struct cls_trials *trials, const struct cls_spec *spec, size_t count,
                       enum cls_processor processor, uint64_t ns)
{
    const uint64_t ps = ns * 1000 / count;
    pthread_mutex_lock(&mutex);
    struct cls_trial *trial = find(trials, spec, count);
    if (trial->runs[processor] < CLS_TRIAL_RUNS) {
        if (trial->runs[processor] == 0 || ps < trial->best_ps[processor])
            trial->best_ps[processor] = ps;
        trial->runs[processor]++;
    }
    pthread_mutex_unlock(&mutex);
}
