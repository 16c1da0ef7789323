/* parallel.c - work on arrays by all cores, for steps that are not timed */
#include "parallel.h"

#include <pthread.h>
#include <stdbool.h>
#include <unistd.h>

/* A part of fewer than MIN_ELEMENTS is done before a thread has started. */
enum { MAX_PARTS = 64, MIN_ELEMENTS = 1 << 16 };

struct part {
    void (*work)(void *context, size_t first, size_t count);
    void *context;
    size_t first, count;
    pthread_t thread;
    bool has_thread;
};

static void *run(void *argument)
{
    const struct part *part = argument;
    part->work(part->context, part->first, part->count);
    return NULL;
}

static size_t count_parts(size_t count)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    const size_t max = cores > MAX_PARTS ? MAX_PARTS : cores > 1 ? (size_t)cores : 1;
    const size_t worthwhile = 1 + count / MIN_ELEMENTS;
    return worthwhile < max ? worthwhile : max;
}

void parallel_parts(size_t count, void (*work)(void *context, size_t first, size_t count),
                    void *context)
{
    struct part parts[MAX_PARTS];
    const size_t part_count = count_parts(count);
    size_t first = 0;
    for (size_t i = 0; i < part_count; i++) {
        const size_t remaining = count - first;
        parts[i] = (struct part){.work = work,
                                 .context = context,
                                 .first = first,
                                 .count = remaining / (part_count - i)};
        first += parts[i].count;
        /* This thread does the last part, and parts for which no thread can be created. */
        parts[i].has_thread =
            i + 1 < part_count && pthread_create(&parts[i].thread, NULL, run, &parts[i]) == 0;
        if (!parts[i].has_thread)
            run(&parts[i]);
    }
    for (size_t i = 0; i < part_count; i++)
        if (parts[i].has_thread)
            pthread_join(parts[i].thread, NULL);
}
