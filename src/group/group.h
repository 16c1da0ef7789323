/* group.h - the struct behind clsort_group */
#ifndef CLSORT_GROUP_GROUP_H
#define CLSORT_GROUP_GROUP_H

#include "base/platform.h"
#include "group/splitters.h"
#include "plan/request.h"

#include <pthread.h>

/* What a device has done in a sort. */
struct cls_share {
    size_t elements;       /* that it has sorted */
    double bytes, ns;      /* of sorts whose time is known */
    clsort_status failure; /* why it was left out; CLSORT_OK: it was not */
};

struct clsort_group {
    size_t count; /* devices */
    clsort_engine *engines[CLSORT_MAX_GROUP];
    pthread_mutex_t mutex;                   /* protects the members below */
    double rates[CLSORT_MAX_GROUP];          /* bytes per nanosecond; 0: unknown */
    struct cls_block kept;                   /* memory for the next sort */
    struct cls_share last[CLSORT_MAX_GROUP]; /* of the last sort */
};

/* Sorts by several devices. The request is checked, and sorts no segments. */
clsort_status cls_group_sort(struct clsort_group *group, const clsort_desc *desc,
                             const struct cls_request *request, size_t count, void *keys,
                             void *values);

/* Stores that no device has done anything in the call that ends. */
void cls_group_clear_shares(struct clsort_group *group);

#endif
