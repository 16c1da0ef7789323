/* device_clock.h - the duration of commands by the clock of the device
 *
 * The time is that between two small commands, one before and one after the commands to measure.
 * They are not markers, because some drivers have no times of markers. The clock has a queue of its
 * own, because launches are slower in queues with profiling on some drivers. */
#ifndef CLSORT_BENCH_DEVICE_CLOCK_H
#define CLSORT_BENCH_DEVICE_CLOCK_H

#include "target.h"

#ifdef __cplusplus
extern "C" {
#endif

struct device_clock {
    cl_command_queue queue; /* in order */
    cl_mem mark;            /* the buffer that the small commands write */
    cl_event start;
};

/* Opens a clock, which must be all zeros. The caller calls device_clock_close, also after a
 * failure. */
cl_int device_clock_open(const struct target *target, struct device_clock *clock);
void device_clock_close(struct device_clock *clock);

/* Starts the measurement of commands that are enqueued to the queue of the clock. */
cl_int device_clock_start(struct device_clock *clock);

/* Waits for these commands and returns their duration in seconds. */
cl_int device_clock_stop(struct device_clock *clock, double *seconds);

#ifdef __cplusplus
}
#endif
#endif
