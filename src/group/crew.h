/* crew.h - runs the tasks of a sort on the devices of a group, and leaves out devices that fail */
#ifndef CLSORT_GROUP_CREW_H
#define CLSORT_GROUP_CREW_H

#include "base/error.h"
#include "group/group.h"

/* The devices of a group in one sort. */
struct cls_crew {
    struct clsort_group *group;
    struct cls_share share[CLSORT_MAX_GROUP]; /* of each device */
    double rates[CLSORT_MAX_GROUP];           /* those of the group when the sort began */
    clsort_status status;                     /* of the first failure, with its sentence */
    char text[CLS_ERROR_BYTES];
};

void cls_crew_begin(struct cls_crew *crew, struct clsort_group *group);

/* Stores what the devices have done in the group. */
void cls_crew_end(const struct cls_crew *crew);

/* The ranges of count elements, one for each device that takes part. */
struct cls_ranges {
    size_t count;
    size_t device[CLSORT_MAX_GROUP];    /* of each range */
    size_t first[CLSORT_MAX_GROUP + 1]; /* range i has the elements from first[i] to first[i + 1] */
};

/* Returns the number of elements in range i. */
static inline size_t cls_range_length(const struct cls_ranges *ranges, size_t i)
{
    return ranges->first[i + 1] - ranges->first[i];
}

/* Divides elements among the devices that have not failed, in proportion to their rates. Devices whose range would be
 * too short to pay off get none. There are no ranges if all devices have failed. */
void cls_crew_divide(const struct cls_crew *crew, size_t count, struct cls_ranges *ranges);

/* A task on a device. A failure means that the device is left out, and that another one runs the task again. */
typedef clsort_status cls_crew_task(void *data, size_t device, size_t task);

struct cls_crew_work {
    cls_crew_task
        *prepare; /* runs in the calling thread, while no task of this call runs; may be NULL */
    cls_crew_task *run; /* after prepare has succeeded with the same arguments */
};

/* Runs a task for each range, on its device or, if that has failed, on another one; all at once. Returns CLSORT_OK when
 * all tasks have succeeded, and the first failure, with its sentence, when all devices have failed. Some drivers limit
 * how many devices run at the same time (device_semaphore.h). */
clsort_status cls_crew_run(struct cls_crew *crew, const struct cls_ranges *ranges,
                           const struct cls_crew_work *work, void *data);

#endif
