/* sub_group.h - the sub-groups of a device: candidates by its extensions, and a test of each */
#ifndef CLSORT_DEVICE_SUB_GROUP_H
#define CLSORT_DEVICE_SUB_GROUP_H

#include "device/program.h"

struct cls_sub_group {
    enum cls_sub_group_backend backend;
    unsigned size;
};

enum { CLS_MAX_SUB_GROUP_CANDIDATES = 16 };

/* Sets candidates to the sub-groups that a device with these extensions and this major version of
 * OpenCL may have, in order of preference. Returns their number. */
size_t cls_sub_group_candidates(const char *extensions, unsigned opencl,
                                struct cls_sub_group *candidates);

/* Does the same for a device. Returns CLSORT_E_MEMORY or the error of a query. */
cl_int cls_sub_group_query(const struct cls_device *device, struct cls_sub_group *candidates,
                           size_t *count);

/* Returns the size of sub-groups in a work-group of this size, which may be smaller. */
static inline unsigned cls_sub_group_in(const struct cls_caps *caps, unsigned group_size)
{
    return caps->sub_group_size == 0           ? 1
           : caps->sub_group_size < group_size ? caps->sub_group_size
                                               : group_size;
}

/* Appends the options of cl/common/sub_group.cl. */
void cls_sub_group_options(const struct cls_caps *caps, struct cls_text *options);

/* Tests all operations of cl/common/sub_group.cl in a work-group of several sub-groups. Returns
 * CLSORT_E_SELF_TEST if a result is wrong. Waits for the device. */
cl_int cls_sub_group_test(struct cls_device *device, struct cls_sub_group sub_group);

#endif
