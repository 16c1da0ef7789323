/* 11_several_devices.c - sort an array in host memory on all devices of the system at once */
#include "need.h"

#include <stdint.h>

enum { COUNT = 1000000 };

static uint64_t numbers[COUNT];

/* Finds all devices of all platforms, and returns how many there are. */
static size_t find_devices(cl_device_id devices[CLSORT_MAX_GROUP])
{
    size_t count = 0;
    char index[16];
    clsort_status status = CLSORT_OK;

    while (count < CLSORT_MAX_GROUP && status == CLSORT_OK) {
        snprintf(index, sizeof index, "%zu", count);
        status = clsort_find_device(index, &devices[count]);
        count += status == CLSORT_OK;
    }
    if (count == 0)
        need(status, "clsort_find_device");
    return count;
}

int main(void)
{
    cl_device_id devices[CLSORT_MAX_GROUP];
    const size_t device_count = find_devices(devices);
    clsort_group *group;
    clsort_desc desc = CLSORT_DESC_INIT;
    int ordered = 1;

    for (size_t i = 0; i < COUNT; i++)
        numbers[i] = i * 0x9e3779b97f4a7c15u;
    desc.key = CLSORT_U64;
    need(clsort_group_create(devices, device_count, NULL, &group), "clsort_group_create");
    need(clsort_group_host(group, &desc, COUNT, numbers, NULL), "clsort_group_host");

    for (size_t i = 0; i < device_count; i++) {
        size_t share;
        clsort_status failure;

        need(clsort_group_share(group, i, &share, &failure), "clsort_group_share");
        printf("device %zu: %zu numbers%s%s\n", i, share, failure == CLSORT_OK ? "" : ", failed: ",
               failure == CLSORT_OK ? "" : clsort_status_string(failure));
    }
    clsort_group_destroy(group);
    for (size_t i = 1; i < COUNT; i++)
        ordered &= numbers[i - 1] <= numbers[i];
    printf("%d numbers: %s\n", COUNT, ordered ? "ordered" : "NOT ordered");
    return ordered ? EXIT_SUCCESS : EXIT_FAILURE;
}
