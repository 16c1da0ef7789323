/* io_threads.c - clsort-external: threads that read and write by pread and pwrite */
#include "io.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

struct queue {
    pthread_mutex_t mutex; /* of all that follows, and of is_complete in the requests */
    pthread_cond_t has_request, has_result;
    struct io_request *first, **last;
    bool is_ending;
    size_t running; /* threads that have their index */
    size_t thread_count;
    pthread_t thread[IO_WORKERS];
};

static void transfer(struct io_request *request, size_t worker)
{
    ssize_t result;

    if (request->is_write && request->convert != NULL)
        request->error = request->convert(request, worker);
    if (request->error != 0)
        return;
    do {
        unsigned char *data = request->data + request->done;
        const size_t size = request->size - request->done;
        const off_t offset = (off_t)(request->offset + request->done);

        result = request->is_write                  ? pwrite(request->fd, data, size, offset)
                 : request->offset == IO_SEQUENTIAL ? read(request->fd, data, size)
                                                    : pread(request->fd, data, size, offset);
    } while (!io_advance(request, result < 0 ? -errno : result));
    if (!request->is_write && request->convert != NULL && request->error == 0)
        request->error = request->convert(request, worker);
}

static void *run(void *argument)
{
    struct queue *queue = argument;

    pthread_mutex_lock(&queue->mutex);
    const size_t worker = queue->running++;
    for (;;) {
        struct io_request *request = queue->first;

        if (request == NULL) {
            if (queue->is_ending)
                break;
            pthread_cond_wait(&queue->has_request, &queue->mutex);
            continue;
        }
        queue->first = request->next;
        if (queue->first == NULL)
            queue->last = &queue->first;
        pthread_mutex_unlock(&queue->mutex);
        transfer(request, worker);
        pthread_mutex_lock(&queue->mutex);
        request->is_complete = true;
        pthread_cond_signal(&queue->has_result);
    }
    pthread_mutex_unlock(&queue->mutex);
    return NULL;
}

static void destroy(void *argument)
{
    struct queue *queue = argument;

    pthread_mutex_lock(&queue->mutex);
    queue->is_ending = true;
    pthread_cond_broadcast(&queue->has_request);
    pthread_mutex_unlock(&queue->mutex);
    for (size_t i = 0; i < queue->thread_count; i++)
        pthread_join(queue->thread[i], NULL);
    pthread_cond_destroy(&queue->has_result);
    pthread_cond_destroy(&queue->has_request);
    pthread_mutex_destroy(&queue->mutex);
    free(queue);
}

/* Returns an error number, and nothing to destroy in this case. */
static int init_locks(struct queue *queue)
{
    int error = pthread_mutex_init(&queue->mutex, NULL);

    if (error != 0)
        return error;
    error = pthread_cond_init(&queue->has_request, NULL);
    if (error == 0) {
        error = pthread_cond_init(&queue->has_result, NULL);
        if (error == 0)
            return 0;
        pthread_cond_destroy(&queue->has_request);
    }
    pthread_mutex_destroy(&queue->mutex);
    return error;
}

/* Fewer threads than IO_WORKERS suffice, since requests wait in the queue. */
static void *create(void)
{
    struct queue *queue = calloc(1, sizeof *queue);
    sigset_t all, before;
    int error;

    if (queue == NULL)
        return NULL;
    queue->last = &queue->first;
    error = init_locks(queue);
    if (error != 0) {
        free(queue);
        errno = error;
        return NULL;
    }
    /* The threads inherit the mask, so that signals interrupt the main thread only. */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (queue->thread_count < IO_WORKERS && error == 0) {
        error = pthread_create(&queue->thread[queue->thread_count], NULL, run, queue);
        queue->thread_count += error == 0;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (queue->thread_count > 0)
        return queue;
    destroy(queue);
    errno = error;
    return NULL;
}

static void start(void *argument, struct io_request *request)
{
    struct queue *queue = argument;

    request->next = NULL;
    pthread_mutex_lock(&queue->mutex);
    *queue->last = request;
    queue->last = &request->next;
    pthread_cond_signal(&queue->has_request);
    pthread_mutex_unlock(&queue->mutex);
}

static void wait_for(void *argument, struct io_request *request)
{
    struct queue *queue = argument;

    pthread_mutex_lock(&queue->mutex);
    while (!request->is_complete)
        pthread_cond_wait(&queue->has_result, &queue->mutex);
    pthread_mutex_unlock(&queue->mutex);
}

const struct io_backend io_threads = {"threads", create, destroy, start, wait_for};
