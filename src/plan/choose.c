/* choose.c - which algorithm sorts how many elements, and why
 *
 * The rule: of the ladder's steps (ladder.h) the first that serves so many elements and can do what is asked.
 * Where none can, or what could has failed its self-test: the first of all algorithms, the usually faster ones
 * first. docs/selection.md explains it. */
#include "plan/choose.h"

#include "plan/operation.h"

#include <string.h>

/* Wider values do not move in every pass: an index does, and they follow once. */
enum { MOVED_MOST_BYTES = 16 };

/* Why an algorithm without the trait of that bit cannot do what needs it. */
static const char *const LACKS[CLS_TRAITS] = {"it does not keep the order of equal elements",
                                              "it does not support custom orders",
                                              "it needs scratch memory"};

/* The traits that an algorithm must have. One that is asked for by name need not be stable. */
static unsigned needs_of(const struct cls_request *request)
{
    const struct cls_spec *spec = &request->spec;
    return (spec->stable && !request->named.algo ? CLS_STABLE : 0u) |
           (spec->order == CLS_ORDER_CUSTOM ? CLS_CUSTOM : 0u) |
           (request->no_scratch ? CLS_NO_SCRATCH : 0u);
}

static const char *lack_of(const struct cls_algo *algo, const struct cls_spec *spec, unsigned needs)
{
    if (!(algo->operations & CLS_OPERATION(spec->operation)))
        return cls_operation_of(spec)->unsupported;
    for (unsigned i = 0; i < CLS_TRAITS; i++)
        if (needs & ~algo->traits & 1u << i)
            return LACKS[i];
    return NULL;
}

static bool try_variant(const struct cls_caps *caps, const struct cls_request *request,
                        const struct cls_algo *algo, const struct cls_parameters *parameters,
                        uint64_t count, struct cls_choice *choice)
{
    *choice = (struct cls_choice){.algo = algo, .spec = request->spec};
    struct cls_spec *spec = &choice->spec;
    choice->reason = lack_of(algo, spec, needs_of(request));
    if (!choice->reason && request->no_scratch && spec->value_bytes > MOVED_MOST_BYTES)
        choice->reason = "wide values need scratch memory";
    if (choice->reason)
        return false;
    spec->index_bits = count <= caps->index32_max ? 32 : 64;
    if (spec->value_bytes > MOVED_MOST_BYTES) {
        choice->gathers = spec->value_is_index = true;
        spec->value_bytes = spec->index_bits / 8;
    }
    if (!algo->supports(caps, spec, parameters, &choice->tuning, &choice->reason))
        return false;
    choice->max_count = choice->tuning.max_count;
    if (count > choice->max_count) {
        choice->reason = "more elements than it can hold";
        return false;
    }
    return true;
}

unsigned cls_algo_bit(const struct cls_algo *algo)
{
    unsigned bit = 1;
    for (size_t i = 0; cls_algos[i] != algo; i++)
        bit *= 2;
    return bit;
}

/* The first shape of an algorithm that has not failed and can do it; `reason` is the reason then. */
static bool try(const struct cls_caps *caps, const struct cls_request *request,
                const struct cls_named *named, const char *reason, uint64_t count, unsigned failed,
                struct cls_choice *choice)
{
    for (size_t i = 0; cls_algos[i]; i++)
        if (cls_algo_is(cls_algos[i], named->algo) && !(failed & cls_algo_bit(cls_algos[i])) &&
            try_variant(caps, request, cls_algos[i], &named->parameters, count, choice)) {
            choice->reason = reason;
            return true;
        }
    return false;
}

/* What suits first when no measurement says better. */
static const struct {
    const struct cls_algo *algo;
    const char *reason;
} CANDIDATES[] = {
    {&cls_algo_cpu_radix, "the device is a CPU"},
    {&cls_algo_local, "it fits one work-group's local memory"},
    {&cls_algo_radix, "nothing faster can do it"},
    {&cls_algo_merge_work_group, "nothing faster can do it"},
    {&cls_algo_bitonic_work_group, "nothing else can do it"},
};

static bool has_parameters(const struct cls_named *named)
{
    static const struct cls_parameters none;
    return memcmp(&named->parameters, &none, sizeof none) != 0;
}

/* Ladders are measured with sorts of whole keys, stable where that can be seen, and, unless parameters say which,
 * with a shape for CPUs. */
static bool is_as_measured(const struct cls_caps *caps, const struct cls_request *request,
                           const struct cls_named *named, const struct cls_algo *algo)
{
    const struct cls_spec *spec = &request->spec;
    const bool shows_order = spec->value_bytes > 0 || cls_equal_keys_may_differ(spec);
    return (algo->traits & CLS_STABLE || !shows_order) &&
           (!algo->is_for_gpus || has_parameters(named) || !(caps->type & CL_DEVICE_TYPE_CPU));
}

/* Sorts that are like those measured, but not the same. */
static const char *reason_for(const struct cls_request *request, const struct cls_ladder *ladder)
{
    const struct cls_spec *spec = &request->spec;
    return cls_equal_keys_may_differ(spec) || !cls_operation_of(spec)->is_measured ||
                   spec->value_bytes > MOVED_MOST_BYTES
               ? "as measured for sorts of whole keys"
               : ladder->source;
}

bool cls_choose(const struct cls_caps *caps, const struct cls_ladders *ladders,
                const struct cls_request *request, uint64_t count, unsigned failed,
                struct cls_choice *choice)
{
    if (request->named.algo)
        return try(caps, request, &request->named, "asked for by name", count, failed, choice);
    const struct cls_ladder *ladder = &ladders->of[cls_kind_of(&request->spec)];
    for (size_t i = 0; i < ladder->steps; i++) {
        const struct cls_step *step = &ladder->step[i];
        if (count <= step->max &&
            try(caps, request, &step->named, reason_for(request, ladder), count, failed, choice) &&
            is_as_measured(caps, request, &step->named, choice->algo)) {
            if (choice->max_count > step->max)
                choice->max_count = step->max;
            return true;
        }
    }
    for (size_t i = 0; i < sizeof CANDIDATES / sizeof *CANDIDATES; i++) {
        const struct cls_named named = {.algo = CANDIDATES[i].algo};
        if (try(caps, request, &named, CANDIDATES[i].reason, count, failed, choice))
            return true;
    }
    return false;
}
