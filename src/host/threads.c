/* threads.c - work in host memory that is divided among threads */
#include "host/threads.h"

#include "base/platform.h"

#include <stdbool.h>

enum { MIN_PART = 1 << 14 /* elements for which creating a thread pays off */ };

struct part {
    void (*work)(void *data, size_t i);
    void *data;
    size_t i;
};

size_t cls_host_threads(size_t count)
{
    size_t threads = cls_cores();
    if (threads > CLS_MAX_HOST_THREADS)
        threads = CLS_MAX_HOST_THREADS;
    if (threads > count / MIN_PART)
        threads = count / MIN_PART;
    return threads > 0 ? threads : 1;
}

static void *run_part(void *data)
{
    const struct part *part = data;
    part->work(part->data, part->i);
    return NULL;
}

void cls_host_run(size_t count, void (*work)(void *data, size_t i), void *data)
{
    struct part parts[CLS_MAX_HOST_THREADS];
    pthread_t threads[CLS_MAX_HOST_THREADS];
    bool started[CLS_MAX_HOST_THREADS] = {false};
    for (size_t i = 0; i < count; i++) {
        parts[i] = (struct part){work, data, i};
        started[i] = i + 1 < count && cls_thread_create(&threads[i], run_part, &parts[i]);
        if (!started[i])
            run_part(&parts[i]);
    }
    for (size_t i = 0; i < count; i++)
        if (started[i])
            pthread_join(threads[i], NULL);
}
