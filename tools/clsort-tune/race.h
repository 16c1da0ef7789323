/* race.h - how long each algorithm takes for each size of one kind of sort */
#ifndef CLSORT_TOOLS_RACE_H
#define CLSORT_TOOLS_RACE_H

#include "device.h"

#include <stddef.h>

enum { RACE_LEAST = 4, RACE_MAX = 26, RACE_SIZES = RACE_MAX - RACE_LEAST + 1, RACE_RUNNERS = 16 };

/* What the library has ladders for; names as in its file. */
struct race_kind {
    const char *name;
    clsort_key key;
    size_t value_size;
};

struct race {
    const struct race_kind *kind;
    size_t runners;
    const char *algorithm[RACE_RUNNERS];
    size_t sizes;   /* measured: 2^RACE_LEAST, and so on by powers of two */
    bool is_enough; /* to say something of larger sizes */
    double seconds[RACE_SIZES][RACE_RUNNERS]; /* HUGE_VAL: cannot, or is far behind */
};

/* Seconds of a clock that only goes on. */
double race_now(void);

/* Times all algorithms of the library that can sort this, smallest sizes first, until the deadline (of race_now)
 * would be passed. progress is called before each size. Reports its own trouble and returns false; that an
 * algorithm does not work on the device is no trouble. */
bool race_run(const struct device *device, const struct race_kind *kind, double deadline,
              void (*progress)(const struct race_kind *kind, unsigned power), struct race *race);

#endif
