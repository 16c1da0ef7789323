/* sub_group.h - which work-items of a device are lanes of one group, and how they meet (lanes.cl) */
#ifndef CLSORT_DEVICE_SUB_GROUP_H
#define CLSORT_DEVICE_SUB_GROUP_H

#include "device/program.h"

struct cls_sub_group {
    enum cls_sub_group_backend body;
    unsigned width;
};

enum { CLS_MAX_SUB_GROUP_OFFERS = 16 };

/* What devices with these extensions, and this version of OpenCL, may have, the best first; returns how many. */
size_t cls_sub_group_offered(const char *extensions, unsigned opencl, struct cls_sub_group *offers);

/* The same of a device's own. */
cl_int cls_sub_group_offers(const struct cls_device *device, struct cls_sub_group *offers,
                            size_t *count);

/* Lanes of a group of this size: no more than there are work-items. */
static inline unsigned cls_sub_group_in(const struct cls_caps *caps, unsigned group_size)
{
    return caps->sub_group_size == 0           ? 1
           : caps->sub_group_size < group_size ? caps->sub_group_size
                                               : group_size;
}

/* The options of lanes.cl, behind those that are there. */
void cls_sub_group_options(const struct cls_caps *caps, struct cls_text *options);

/* Has such lanes do all that they can, in a work-group of several lane groups. CLSORT_E_SELF_TEST when what
 * comes of it is wrong. Waits for the device. */
cl_int cls_sub_group_test(struct cls_device *device, struct cls_sub_group lanes);

#endif
