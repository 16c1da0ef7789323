/* threads.c - runs a function in several threads at once */
#include "threads.h"

#include <pthread.h>
#include <stdlib.h>

struct thread {
    pthread_t handle;
    bool (*work)(size_t, void *);
    size_t index;
    void *data;
    bool right;
};

static void *run(void *argument)
{
    struct thread *thread = argument;
    thread->right = thread->work(thread->index, thread->data);
    return NULL;
}

bool threads_run(size_t count, bool (*work)(size_t index, void *data), void *data)
{
    struct thread *threads = calloc(count, sizeof *threads);
    if (!threads)
        return false;
    size_t started = 0;
    for (; started < count; started++) {
        struct thread *thread = &threads[started];
        *thread = (struct thread){.work = work, .index = started, .data = data};
        if (pthread_create(&thread->handle, NULL, run, thread) != 0)
            break;
    }
    bool right = started == count;
    for (size_t i = 0; i < started; i++) {
        pthread_join(threads[i].handle, NULL);
        right &= threads[i].right;
    }
    free(threads);
    return right;
}
