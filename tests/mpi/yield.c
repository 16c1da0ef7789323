/* yield.c - a preloaded library that makes waiting ranks yield
 *
 * MPICH as Debian builds it waits in a loop. If there are more ranks than cores, each message then takes as long as the
 * scheduler lets the others run: a test of 3 ranks on 2 cores took 39 s instead of 2 s. */
#include "next.h"

#include <sched.h>

/* The function of UCX by which MPICH makes progress. */
unsigned ucp_worker_progress(void *worker);

unsigned ucp_worker_progress(void *worker)
{
    static unsigned (*progress)(void *);
    if (!progress)
        next_function("ucp_worker_progress", &progress);
    const unsigned count = progress(worker);
    if (count == 0)
        sched_yield();
    return count;
}
