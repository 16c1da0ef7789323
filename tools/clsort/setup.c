/* setup.c - whether to wait until programs are compiled, and how long set-up has taken */
#include "setup.h"

void setup_host_first(struct device *device, const char *name, const clsort_desc *desc,
                      size_t max_length, size_t count, struct stats *stats)
{
    int is_first = 0;

    if (device->engine == NULL || device_is_named(name) || desc->algorithm != NULL ||
        max_length <= SETUP_MAX_HOST_COUNT ||
        clsort_host_first(device->engine, desc, count, &is_first) != CLSORT_OK || !is_first)
        return;
    setup_add_times(device, stats);
    device_close(device);
    *device = (struct device){.cause = HOST_FIRST};
}

void setup_add_times(const struct device *device, struct stats *stats)
{
    uint64_t build_ns = 0, self_test_ns = 0;

    if (device->engine == NULL)
        return;
    clsort_engine_setup_time(device->engine, &build_ns, &self_test_ns);
    stats->build_s += 1e-9 * (double)build_ns;
    stats->self_test_s += 1e-9 * (double)self_test_ns;
}
