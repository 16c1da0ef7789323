/* turns.c - limits how many devices of a group run kernels at the same time, for drivers with a race */
#include "group/turns.h"

#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turn_has_ended = PTHREAD_COND_INITIALIZER;
static unsigned working;

void cls_turn_begin(const struct cls_caps *caps)
{
    if (caps->max_working == 0)
        return;
    pthread_mutex_lock(&mutex);
    while (working >= caps->max_working)
        pthread_cond_wait(&turn_has_ended, &mutex);
    working++;
    pthread_mutex_unlock(&mutex);
}

void cls_turn_end(const struct cls_caps *caps)
{
    if (caps->max_working == 0)
        return;
    pthread_mutex_lock(&mutex);
    working--;
    pthread_cond_signal(&turn_has_ended);
    pthread_mutex_unlock(&mutex);
}
