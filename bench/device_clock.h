/* device_clock.h - how long commands take by the device's own clock
 *
 * A queue of its own, since on some drivers commands of queues with profiling are slower to launch. Small commands before
 * and after what is timed tell the times; markers have none on some drivers. */
#ifndef CLSORT_BENCH_DEVICE_CLOCK_H
#define CLSORT_BENCH_DEVICE_CLOCK_H

#include "target.h"

#ifdef __cplusplus
extern "C" {
#endif

struct device_clock {
    cl_command_queue queue; /* in order */
    cl_mem mark;            /* what the small commands write to */
    cl_event start;
};

/* Opens one that is all zeros. To be closed, also after a failure. */
cl_int device_clock_open(const struct target *target, struct device_clock *clock);
void device_clock_close(struct device_clock *clock);

/* The clock runs for what is enqueued to its queue from now on. */
cl_int device_clock_start(struct device_clock *clock);

/* Waits for all of that, and says how many seconds it took. */
cl_int device_clock_stop(struct device_clock *clock, double *seconds);

#ifdef __cplusplus
}
#endif
#endif
