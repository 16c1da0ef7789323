/* setup_time.h - how long programs and self-tests of a device have taken so far */
#ifndef CLSORT_DEVICE_SETUP_TIME_H
#define CLSORT_DEVICE_SETUP_TIME_H

#include <stdint.h>

struct cls_device;

/* The time of a self-test excludes what any thread compiles meanwhile. */
struct cls_setup_time {
    uint64_t build_ns;     /* to compile programs, or to load them from the disk cache */
    uint64_t self_test_ns; /* without the programs that are compiled meanwhile */
};

struct cls_setup_time cls_setup_time(struct cls_device *device);

/* A self-test that is running. */
struct cls_self_test_timer {
    uint64_t start_ns, build_ns;
};

struct cls_self_test_timer cls_self_test_begin(struct cls_device *device);

/* Adds the time since cls_self_test_begin to the device's. */
void cls_self_test_end(struct cls_device *device, const struct cls_self_test_timer *timer);

#endif
