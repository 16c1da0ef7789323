/* sub_group.c - tests the sub-groups of a device
 *
 * Emulated sub-groups of every size must work, and those that the probe chose. All candidates of
 * the device are tested and reported, too; they may fail. */
#include "device/sub_group.h"
#include "algo/primitives/primitives.h"
#include "device/probe.h"
#include "env.h"

#include <stdio.h>
#include <stdlib.h>

static const char *const BACKENDS[CLS_SUB_GROUP_BACKENDS] = {
    "emulated in local memory", "cl_khr_subgroups", "cl_intel_subgroups", "PTX",
    "AMD compiler builtins"};

/* Tests the operations, and the ranks that use them. */
static cl_int test(struct cls_device *device, struct cls_sub_group sub_group)
{
    struct cls_caps *caps = &device->caps, probed = *caps;
    cl_int status = cls_sub_group_test(device, sub_group);
    caps->sub_group_backend = sub_group.backend;
    caps->sub_group_size = sub_group.size;
    if (status == CL_SUCCESS)
        status = cls_primitive_test(device, CLS_PRIMITIVE_MATCH);
    if (status == CL_SUCCESS)
        status = cls_primitive_test(device, CLS_PRIMITIVE_COUNTED_MATCH);
    *caps = probed;
    printf("%u lanes, %s: %s\n", sub_group.size, BACKENDS[sub_group.backend],
           clsort_status_string(status));
    return status;
}

static bool test_all(struct cls_device *device)
{
    const struct cls_caps *caps = &device->caps;
    const struct cls_sub_group chosen = {caps->sub_group_backend,
                                         cls_sub_group_in(caps, CLS_MAX_SUB_GROUP_SIZE)};
    struct cls_sub_group emulated = {CLS_SUB_GROUP_LOCAL, 1};
    struct cls_sub_group candidates[CLS_MAX_SUB_GROUP_CANDIDATES];
    size_t count;
    bool passed = cls_sub_group_query(device, candidates, &count) == CL_SUCCESS;
    for (; emulated.size <= CLS_MAX_SUB_GROUP_SIZE && emulated.size <= caps->group_size;
         emulated.size *= 2)
        passed &= test(device, emulated) == CL_SUCCESS;
    for (size_t i = 0; i < count; i++)
        test(device, candidates[i]);
    printf("The probe chose:\n");
    return test(device, chosen) == CL_SUCCESS && passed;
}

int main(void)
{
    struct env env;
    struct cls_device *device = NULL;
    bool passed = false;
    if (env_open(&env) != CLSORT_OK)
        return EXIT_FAILURE;
    if (cls_device_open(env.context, env.device, "", &device) == CL_SUCCESS) {
        passed = cls_probe(device) == CL_SUCCESS && test_all(device);
        cls_device_release(device);
    }
    env_close(&env);
    return passed ? EXIT_SUCCESS : EXIT_FAILURE;
}
