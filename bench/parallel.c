/* parallel.c - all cores at work on arrays: what is not timed should not take long */
#include "parallel.h"

#include <pthread.h>
#include <stdbool.h>
#include <unistd.h>

enum { MAX_PARTS = 64, MIN_ELEMENTS = 1 << 16 }; /* fewer are done before a thread has begun */

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
    const size_t most = cores > MAX_PARTS ? MAX_PARTS : cores > 1 ? (size_t)cores : 1;
    const size_t worth = 1 + count / MIN_ELEMENTS;
    return worth < most ? worth : most;
}

void parallel_parts(size_t count, void (*work)(void *context, size_t first, size_t count),
                    void *context)
{
    struct part parts[MAX_PARTS];
    const size_t part_count = count_parts(count);
    size_t first = 0;
    for (size_t i = 0; i < part_count; i++) {
        const size_t left = count - first;
        parts[i] = (struct part){
            .work = work, .context = context, .first = first, .count = left / (part_count - i)};
        first += parts[i].count;
        /* The last part is this thread's, and so are those for which there is no other. */
        parts[i].has_thread =
            i + 1 < part_count && pthread_create(&parts[i].thread, NULL, run, &parts[i]) == 0;
        if (!parts[i].has_thread)
            run(&parts[i]);
    }
    for (size_t i = 0; i < part_count; i++)
        if (parts[i].has_thread)
            pthread_join(parts[i].thread, NULL);
}
