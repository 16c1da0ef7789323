/* choose.c - which algorithm sorts how many elements, and why
 *
 * The rule: a CPU runs `cpu`. Elsewhere what fits one work-group's local memory is sorted there in one
 * launch (`local`), and the rest by `radix`. */
#include "plan/choose.h"

/* Wider values do not move in every pass: an index does, and they follow once. */
enum { MOVED_MOST_BYTES = 16 };

static bool try(const struct cls_caps *caps, const struct cls_request *request,
                const struct cls_algo *algo, const char *reason, uint64_t count,
                struct cls_choice *choice)
{
    *choice = (struct cls_choice){.algo = algo, .shape = request->shape, .reason = reason};
    struct cls_shape *shape = &choice->shape;
    shape->index_bits = count <= caps->index32_most ? 32 : 64;
    if (shape->value_bytes > MOVED_MOST_BYTES) {
        choice->gathers = shape->value_is_index = true;
        shape->value_bytes = shape->index_bits / 8;
    }
    if (!algo->supports(caps, shape, &request->parameters, &choice->tuning, &choice->reason))
        return false;
    choice->most_items = choice->tuning.most_items;
    if (count > choice->most_items) {
        choice->reason = "more elements than it can hold";
        return false;
    }
    return true;
}

bool cls_choose(const struct cls_caps *caps, const struct cls_request *request, uint64_t count,
                struct cls_choice *choice)
{
    if (request->algo)
        return try(caps, request, request->algo, "asked for by name", count, choice);
    if (caps->type & CL_DEVICE_TYPE_CPU)
        return try(caps, request, &cls_algo_cpu, "the device is a CPU", count, choice);
    return try(caps, request, &cls_algo_local, "it fits one work-group's local memory", count,
               choice) ||
           try(caps, request, &cls_algo_radix,
               "more than one work-group's local memory holds, on a device that is no CPU", count,
               choice);
}
