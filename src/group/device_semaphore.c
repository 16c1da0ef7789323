/* device_semaphore.c - limits how many devices run tasks of groups at the same time, for drivers with a race */
#include "group/device_semaphore.h"

#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t released = PTHREAD_COND_INITIALIZER;
static unsigned holders;

void cls_semaphore_acquire(const struct cls_caps *caps)
{
    if (caps->max_group_devices == 0)
        return;
    pthread_mutex_lock(&mutex);
    while (holders >= caps->max_group_devices)
        pthread_cond_wait(&released, &mutex);
    holders++;
    pthread_mutex_unlock(&mutex);
}

void cls_semaphore_release(const struct cls_caps *caps)
{
    if (caps->max_group_devices == 0)
        return;
    pthread_mutex_lock(&mutex);
    holders--;
    pthread_cond_broadcast(&released); /* the limits of the waiting threads may differ */
    pthread_mutex_unlock(&mutex);
}
