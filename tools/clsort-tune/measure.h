/* measure.h - the time of each algorithm at each count, for one kind of sort */
#ifndef CLSORT_TOOLS_MEASURE_H
#define CLSORT_TOOLS_MEASURE_H

#include "device.h"

#include <stddef.h>

/* Counts are powers of two, from 2^MIN_POWER to 2^MAX_POWER. */
enum { MIN_POWER = 4, MAX_POWER = 26, MAX_COUNTS = MAX_POWER - MIN_POWER + 1, MAX_ALGORITHMS = 16 };

/* A kind of sort, for which the library has a ladder of its own. The name is that of the tune
 * file. */
struct sort_kind {
    const char *name;
    clsort_key key;
    size_t value_size;
};

struct measurement {
    const struct sort_kind *kind;
    size_t algorithm_count;
    const char *algorithms[MAX_ALGORITHMS];
    size_t count_count; /* number of counts measured: 2^MIN_POWER, 2^(MIN_POWER + 1), ... */
    bool is_sufficient; /* the largest count measured is representative of larger ones */
    double
        needed_s; /* estimate of the seconds that a sufficient measurement takes; 0: no estimate */
    double seconds[MAX_COUNTS][MAX_ALGORITHMS]; /* medians; HUGE_VAL: fails, or is far slower */
};

/* Called before each count is measured. */
typedef void measure_progress(const struct sort_kind *kind, unsigned power);

/* Times of clock_now at which a measurement stops. */
struct deadlines {
    double sufficient; /* once it is sufficient */
    double last;       /* in any case */
};

/* Measures all algorithms that support this kind of sort, in ascending order of counts, and stops
 * before the deadlines. Unless the last one has passed before, at least one plan is created, for the
 * estimate needed_s. Algorithms that fail on the device are left out. Prints an error and returns
 * false if no algorithm works, and on other failures. */
bool measure_kind(const struct device *device, const struct sort_kind *kind,
                  struct deadlines deadlines, measure_progress *progress,
                  struct measurement *measurement);

#endif
