/* choose.c - which algorithm sorts how many elements, and why
 *
 * The rule: a CPU runs `cpu`. Elsewhere, and where that fails its self-test, what fits one work-group's local
 * memory is sorted there in one launch (`local`), and the rest by `radix`. What these cannot do, custom orders and
 * two inputs, `merge` does, and without scratch memory `bitonic`. */
#include "plan/choose.h"

/* Wider values do not move in every pass: an index does, and they follow once. */
enum { MOVED_MOST_BYTES = 16 };

/* Why an algorithm without the trait of that bit cannot do what needs it. */
static const char *const LACKS[CLS_TRAITS] = {"it does not keep the order of equal elements",
                                              "it knows no custom order", "it merges nothing",
                                              "it needs scratch memory"};

/* The traits that an algorithm must have. One that is asked for by name need not be stable. */
static unsigned needs_of(const struct cls_request *request)
{
    const struct cls_shape *shape = &request->shape;
    return (shape->stable && !request->algo ? CLS_STABLE : 0u) |
           (shape->order == CLS_ORDER_CUSTOM ? CLS_CUSTOM : 0u) |
           (shape->operation == CLS_MERGE_SORTED ? CLS_MERGES : 0u) |
           (request->no_scratch ? CLS_NO_SCRATCH : 0u);
}

static const char *lack_of(const struct cls_algo *algo, unsigned needs)
{
    for (unsigned i = 0; i < CLS_TRAITS; i++)
        if (needs & ~algo->traits & 1u << i)
            return LACKS[i];
    return NULL;
}

static bool try(const struct cls_caps *caps, const struct cls_request *request,
                const struct cls_algo *algo, const char *reason, uint64_t count,
                struct cls_choice *choice)
{
    *choice = (struct cls_choice){.algo = algo, .shape = request->shape, .reason = reason};
    struct cls_shape *shape = &choice->shape;
    const char *lack = lack_of(algo, needs_of(request));
    if (!lack && request->no_scratch && shape->value_bytes > MOVED_MOST_BYTES)
        lack = "wide values need scratch memory";
    if (lack) {
        choice->reason = lack;
        return false;
    }
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

/* What suits first. Some support nothing but CPUs. */
static const struct {
    const struct cls_algo *algo;
    const char *reason;
} CANDIDATES[] = {
    {&cls_algo_cpu, "the device is a CPU"},
    {&cls_algo_local, "it fits one work-group's local memory"},
    {&cls_algo_radix, "more than one work-group's local memory holds"},
    {&cls_algo_merge_cores, "the device is a CPU, and nothing faster can do it"},
    {&cls_algo_merge, "nothing faster can do it"},
    {&cls_algo_bitonic_vector, "nothing else can do it without scratch memory"},
    {&cls_algo_bitonic, "nothing else can do it without scratch memory"},
};

unsigned cls_algo_bit(const struct cls_algo *algo)
{
    unsigned bit = 1;
    for (size_t i = 0; cls_algos[i] != algo; i++)
        bit *= 2;
    return bit;
}

/* The first shape of the algorithm that was asked for that can do it. */
static bool choose_named(const struct cls_caps *caps, const struct cls_request *request,
                         uint64_t count, unsigned failed, struct cls_choice *choice)
{
    for (size_t i = 0; cls_algos[i]; i++)
        if (cls_algo_is(cls_algos[i], request->algo) && !(failed & cls_algo_bit(cls_algos[i])) &&
            try(caps, request, cls_algos[i], "asked for by name", count, choice))
            return true;
    return false;
}

bool cls_choose(const struct cls_caps *caps, const struct cls_request *request, uint64_t count,
                unsigned failed, struct cls_choice *choice)
{
    if (request->algo)
        return choose_named(caps, request, count, failed, choice);
    for (size_t i = 0; i < sizeof CANDIDATES / sizeof *CANDIDATES; i++)
        if (!(failed & cls_algo_bit(CANDIDATES[i].algo)) &&
            try(caps, request, CANDIDATES[i].algo, CANDIDATES[i].reason, count, choice))
            return true;
    return false;
}
