/* sub_group.c - lane groups of every width do in local memory what they should, and so do those that the device is found
 * to have; all that its extensions promise are tried */
#include "device/sub_group.h"
#include "algo/primitives/primitives.h"
#include "device/probe.h"
#include "env.h"

#include <stdio.h>
#include <stdlib.h>

static const char *const BODIES[CLS_SUB_GROUP_BACKENDS] = {"in local memory", "by cl_khr_subgroups",
                                                           "by cl_intel_subgroups", "by PTX",
                                                           "by AMD's builtins"};

/* The operations, and the ranks that are made of them. */
static cl_int test(struct cls_device *device, struct cls_sub_group lanes)
{
    struct cls_caps *caps = &device->caps, found = *caps;
    cl_int status = cls_sub_group_test(device, lanes);
    caps->sub_group_backend = lanes.body;
    caps->sub_group_size = lanes.width;
    if (status == CL_SUCCESS)
        status = cls_block_test(device, CLS_BLOCK_MATCH);
    *caps = found;
    printf("%u lanes %s: %s\n", lanes.width, BODIES[lanes.body], clsort_status_string(status));
    return status;
}

static bool test_all(struct cls_device *device)
{
    const struct cls_caps *caps = &device->caps;
    const struct cls_sub_group settled = {caps->sub_group_backend,
                                          cls_sub_group_in(caps, CLS_MAX_SUB_GROUP_SIZE)};
    struct cls_sub_group lanes = {CLS_SUB_GROUP_LOCAL, 1}, offers[CLS_MAX_SUB_GROUP_OFFERS];
    size_t count;
    bool all_right = cls_sub_group_offers(device, offers, &count) == CL_SUCCESS;
    for (; lanes.width <= CLS_MAX_SUB_GROUP_SIZE && lanes.width <= caps->group_size;
         lanes.width *= 2)
        all_right &= test(device, lanes) == CL_SUCCESS;
    for (size_t i = 0; i < count; i++)
        test(device, offers[i]);
    printf("The device has:\n");
    return test(device, settled) == CL_SUCCESS && all_right;
}

int main(void)
{
    struct env env;
    struct cls_device *device = NULL;
    bool all_right = false;
    if (env_open(&env) != CLSORT_OK)
        return EXIT_FAILURE;
    if (cls_device_open(env.context, env.device, "", &device) == CL_SUCCESS) {
        all_right = cls_probe(device) == CL_SUCCESS && test_all(device);
        cls_device_release(device);
    }
    env_close(&env);
    return all_right ? EXIT_SUCCESS : EXIT_FAILURE;
}
