/* memory.c - host memory of sorts on several devices, which a group keeps for the next sort
 *
 * The system clears fresh memory when it is written to first, which takes a tenth to a fifth of the time of a sort. */
#include "group/memory.h"

#include "api/engine.h"
#include "base/arithmetic.h"
#include "base/platform.h"
#include "device/scratch.h"

enum {
    MAX_KEPT_SHARE =
        4 /* a block of at most 1/4 of the memory of the first device is kept, as its scratch memory is */
};

/* Replaces the kept block by another one if that is larger, and returns the one that is not kept. */
static struct cls_block exchange(struct clsort_group *group, struct cls_block block)
{
    struct cls_block other = block;
    pthread_mutex_lock(&group->mutex);
    if (block.bytes > group->kept.bytes) {
        other = group->kept;
        group->kept = block;
    }
    pthread_mutex_unlock(&group->mutex);
    return other;
}

/* Returns the kept block, which is not kept any more. */
static struct cls_block take_kept(struct clsort_group *group)
{
    pthread_mutex_lock(&group->mutex);
    const struct cls_block kept = group->kept;
    group->kept = (struct cls_block){NULL, 0};
    pthread_mutex_unlock(&group->mutex);
    return kept;
}

void cls_group_trim(struct clsort_group *group)
{
    cls_pages_free(take_kept(group).at);
}

struct cls_block cls_group_take(struct clsort_group *group, uint64_t bytes)
{
    struct cls_block block = take_kept(group);
    if (block.bytes >= bytes)
        return block;
    cls_pages_free(block.at);
    block = cls_block_alloc(bytes);
    for (size_t i = 0; i < group->count && !block.at; i++) {
        cls_scratch_trim(group->engines[i]->device, 0);
        block = cls_block_alloc(bytes);
    }
    return block;
}

void cls_group_give(struct clsort_group *group, struct cls_block block)
{
    const uint64_t max = group->engines[0]->device->caps.global_bytes / MAX_KEPT_SHARE;
    cls_pages_free(block.bytes <= max ? exchange(group, block).at : block.at);
}
