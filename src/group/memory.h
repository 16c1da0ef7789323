/* memory.h - host memory of sorts on several devices, which a group keeps for the next sort */
#ifndef CLSORT_GROUP_MEMORY_H
#define CLSORT_GROUP_MEMORY_H

#include "group/group.h"

/* Takes the kept block if it is large enough, or else allocates one. If memory is short, releases what the group and
 * its devices keep. The block has no memory if it is short nevertheless. */
struct cls_block cls_group_take(struct clsort_group *group, uint64_t bytes);

/* Keeps the block for the next sort, unless it is too large or a larger one is kept; otherwise frees it. */
void cls_group_give(struct clsort_group *group, struct cls_block block);

/* Frees the kept block. */
void cls_group_trim(struct clsort_group *group);

#endif
