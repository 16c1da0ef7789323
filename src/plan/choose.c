/* choose.c - chooses the algorithm for a count
 *
 * The first step of the ladder (ladder.h) is chosen that covers the count, whose algorithm supports
 * the sort and has not failed its self-test, and whose variant was measured (is_as_measured). If
 * there is no such step, the first algorithm of a fixed list that supports the sort is chosen.
 * docs/selection.md explains the choice. */
#include "plan/choose.h"

#include "algo/clamp/clamp.h"
#include "algo/gather/rows.h"
#include "base/arithmetic.h"
#include "plan/operation.h"

#include <string.h>

/* Wider values are gathered once, after a sort that moves their indexes. */
enum { MAX_MOVED_VALUE_BYTES = 16 };

/* On the GPUs of NVIDIA, sorts of more than MAX_MOVED_COUNT elements with keys of 4 or 8 bytes also gather values of
 * more than NARROW_VALUE_BYTES. (With 2^18 elements or fewer, this takes as long or longer.) Sorts of shorter keys take
 * few passes, and move the values. */
enum { NARROW_VALUE_BYTES = 8, MAX_MOVED_COUNT = 270336 };

/* The reason if an algorithm lacks a required trait; indexed by the bit of the trait. */
static const char *const MISSING_TRAIT[CLS_TRAITS] = {
    "the algorithm is not stable, which requires CLSORT_UNSTABLE",
    "the algorithm does not support custom orders",
    "the algorithm needs scratch memory, which CLSORT_NO_SCRATCH forbids",
    "the algorithm does not read counts from device memory",
    "the algorithm does not compare elements by columns"};

/* The number of elements that an index of 4 bytes distinguishes. */
static const uint64_t MAX_NARROW_INDEXES = (uint64_t)1 << 32;

static const char TOO_MANY[] = "the algorithm cannot sort this many elements on this device";

/* Returns the traits that the sort requires. An algorithm requested by name need not be stable. */
static unsigned required_traits(const struct cls_request *request)
{
    const struct cls_spec *spec = &request->spec;
    return (spec->stable && !request->algorithm.algo ? CLS_STABLE : 0u) |
           (spec->order == CLS_ORDER_CUSTOM ? CLS_CUSTOM : 0u) |
           (request->no_scratch ? CLS_NO_SCRATCH : 0u) | (spec->count_bytes > 0 ? CLS_COUNTS : 0u) |
           (spec->order == CLS_ORDER_COLUMNS ? CLS_COLUMNS : 0u);
}

/* Returns why the algorithm is unsuitable, or NULL if it has the operation and all traits. */
static const char *missing_property(const struct cls_algo *algo, const struct cls_spec *spec,
                                    unsigned required)
{
    if (!(algo->operations & CLS_OPERATION(spec->operation)))
        return cls_operation_of(spec)->unsupported;
    for (unsigned i = 0; i < CLS_TRAITS; i++)
        if (required & ~algo->traits & 1u << i)
            return MISSING_TRAIT[i];
    return NULL;
}

/* Returns the maximum count of sorts that gather values of more than NARROW_VALUE_BYTES, or 0. */
static uint64_t max_gathered_count(const struct cls_caps *caps, const struct cls_request *request)
{
    const struct cls_spec *spec = &request->spec;
    if (caps->sub_group_backend != CLS_SUB_GROUP_NVIDIA || spec->operation != CLSORT_SORT ||
        request->no_scratch || spec->value_bytes <= NARROW_VALUE_BYTES ||
        spec->value_bytes > MAX_MOVED_VALUE_BYTES)
        return 0;
    return spec->key_bytes == 4 || spec->key_bytes == 8 ? caps->index32_max : 0;
}

/* Returns the size of the widest values that move with the keys of `count` elements. Sets *last to the last count for
 * which it is the same. */
static size_t max_moved_bytes(const struct cls_caps *caps, const struct cls_request *request,
                              const struct cls_algo *algo, uint64_t count, uint64_t *last)
{
    const uint64_t max_gathered = max_gathered_count(caps, request);
    const bool gathers = count > MAX_MOVED_COUNT && count <= max_gathered;
    *last = count > max_gathered ? UINT64_MAX : gathers ? max_gathered : MAX_MOVED_COUNT;
    if (request->spec.operation != CLSORT_SORT && algo->max_value_bytes_once > 0)
        return algo->max_value_bytes_once;
    return gathers ? NARROW_VALUE_BYTES : MAX_MOVED_VALUE_BYTES;
}

/* Sets *choice to the variant. Returns false and the reason if it cannot sort count elements. */
static bool choose_variant(const struct cls_caps *caps, const struct cls_request *request,
                           const struct cls_algo *algo, const struct cls_parameters *parameters,
                           uint64_t count, struct cls_choice *choice)
{
    *choice = (struct cls_choice){
        .algo = algo, .spec = request->spec, .count_bytes = request->spec.count_bytes};
    struct cls_spec *spec = &choice->spec;
    uint64_t last;
    choice->reason = missing_property(algo, spec, required_traits(request));
    if (choice->reason)
        return false;
    if (choice->count_bytes > 0)
        spec->count_bytes = CLS_CLAMPED_BYTES;
    spec->index_bits = count <= caps->index32_max ? 32 : 64;
    if (spec->value_bytes > max_moved_bytes(caps, request, algo, count, &last)) {
        choice->gathers = spec->value_is_index = true;
        spec->value_bytes = spec->index_bits / 8;
        choice->gather = cls_gather_rows_for(caps, spec, request->spec.value_bytes);
    }
    if (request->no_scratch && spec->value_is_index) {
        choice->reason = request->spec.value_is_index
                             ? "argsorts need scratch memory"
                             : "values wider than 16 bytes need scratch memory";
        return false;
    }
    if (!algo->supports(caps, spec, parameters, &choice->tuning, &choice->reason))
        return false;
    choice->max_count = cls_min(choice->tuning.max_count, last);
    if ((spec->value_is_index && spec->value_bytes == 4) || spec->index_bytes == 4)
        choice->max_count = cls_min(choice->max_count, MAX_NARROW_INDEXES);
    if (count > choice->max_count) {
        choice->reason = TOO_MANY;
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

/* Chooses the first variant of the requested algorithm that has not failed and supports the sort.
 * On success, choice->reason is `reason`. */
static bool choose_algorithm(const struct cls_caps *caps, const struct cls_request *request,
                             const struct cls_algorithm_request *requested, const char *reason,
                             uint64_t count, unsigned failed, struct cls_choice *choice)
{
    for (size_t i = 0; cls_algos[i]; i++)
        if (cls_algo_is(cls_algos[i], requested->algo) && !(failed & cls_algo_bit(cls_algos[i])) &&
            choose_variant(caps, request, cls_algos[i], &requested->parameters, count, choice)) {
            choice->reason = reason;
            return true;
        }
    return false;
}

/* The algorithms to choose from if the ladder has no suitable step, in order of preference. */
static const struct {
    const struct cls_algo *algo;
    const char *reason;
} CANDIDATES[] = {
    {&cls_algo_cpu_radix, "the device is a CPU"},
    {&cls_algo_local, "the elements fit in the local memory of a work-group"},
    {&cls_algo_radix, "no faster algorithm supports this sort"},
    {&cls_algo_merge_work_group, "no faster algorithm supports this sort"},
    {&cls_algo_quick, "no faster algorithm supports this sort"},
    {&cls_algo_bitonic_work_group, "no other algorithm supports this sort"},
    {&cls_algo_gather, "the only algorithm for gathers"},
    {&cls_algo_merge_rows_cores, "the only algorithm for merges by columns"},
    {&cls_algo_unique_cores, "the only algorithm for CLSORT_UNIQUE"},
    {&cls_algo_check_cores, "the only algorithm for CLSORT_CHECK"},
};

static bool has_parameters(const struct cls_algorithm_request *requested)
{
    static const struct cls_parameters none;
    return memcmp(&requested->parameters, &none, sizeof none) != 0;
}

/* Returns false if the ladder says nothing about this variant: it is unstable and equal elements
 * can be told apart, or it is a variant for GPUs on a CPU and no parameters request it. */
static bool is_as_measured(const struct cls_caps *caps, const struct cls_request *request,
                           const struct cls_algorithm_request *requested,
                           const struct cls_algo *algo)
{
    return (algo->traits & CLS_STABLE || !cls_equal_elements_may_differ(&request->spec)) &&
           (!algo->is_for_gpus || has_parameters(requested) || !(caps->type & CL_DEVICE_TYPE_CPU));
}

/* Returns the source of the ladder, or a remark that the measured sorts differ from this one. */
static const char *reason_for(const struct cls_request *request, const struct cls_ladder *ladder)
{
    const struct cls_spec *spec = &request->spec;
    return cls_equal_keys_may_differ(spec) || !cls_operation_of(spec)->is_measured ||
                   spec->value_bytes > MAX_MOVED_VALUE_BYTES
               ? "as measured for sorts of whole keys with narrow values"
               : ladder->source;
}

bool cls_choose(const struct cls_caps *caps, const struct cls_ladders *ladders,
                const struct cls_request *request, uint64_t count, unsigned failed,
                struct cls_choice *choice)
{
    if (request->algorithm.algo)
        return choose_algorithm(caps, request, &request->algorithm, "requested by name", count,
                                failed, choice);
    const struct cls_ladder *ladder = &ladders->of[cls_kind_of(&request->spec)];
    for (size_t i = 0; i < ladder->steps; i++) {
        const struct cls_step *step = &ladder->step[i];
        if (count <= step->max &&
            choose_algorithm(caps, request, &step->algorithm, reason_for(request, ladder), count,
                             failed, choice) &&
            is_as_measured(caps, request, &step->algorithm, choice->algo)) {
            if (choice->max_count > step->max)
                choice->max_count = step->max;
            return true;
        }
    }
    for (size_t i = 0; i < sizeof CANDIDATES / sizeof *CANDIDATES; i++) {
        const struct cls_algorithm_request requested = {.algo = CANDIDATES[i].algo};
        if (choose_algorithm(caps, request, &requested, CANDIDATES[i].reason, count, failed,
                             choice))
            return true;
    }
    return false;
}

static bool sorts_keys_of(const struct cls_caps *caps, const struct cls_ladders *ladders,
                          const struct cls_request *request, uint64_t count, unsigned key_bytes)
{
    struct cls_request other = *request;
    struct cls_choice choice;
    other.spec.key_bytes = key_bytes;
    other.spec.end_bit = 8 * key_bytes;
    return cls_choose(caps, ladders, &other, count, 0, &choice);
}

/* Some drivers support multiples of 4 only (cls_copies_keys), so the search is for a multiple of 4
 * first. */
unsigned cls_max_key_bytes(const struct cls_caps *caps, const struct cls_ladders *ladders,
                           const struct cls_request *request, uint64_t count)
{
    enum { UNIT = 4 };
    const unsigned key_bytes = request->spec.key_bytes;
    unsigned low = 0, high = (key_bytes + UNIT - 1) / UNIT; /* low units are supported, or 0 */
    if (request->spec.order != CLS_ORDER_CUSTOM ||
        sorts_keys_of(caps, ladders, request, count, key_bytes) ||
        sorts_keys_of(caps, ladders, request, count, high * UNIT))
        return 0;
    while (high - low > 1) {
        const unsigned middle = low + (high - low) / 2;
        if (sorts_keys_of(caps, ladders, request, count, middle * UNIT))
            low = middle;
        else
            high = middle;
    }
    unsigned max = low * UNIT;
    for (unsigned bytes = max + 1; bytes < high * UNIT && bytes < key_bytes; bytes++)
        if (sorts_keys_of(caps, ladders, request, count, bytes))
            max = bytes;
    return max;
}

/* Appends the reasons why no variant of the algorithm can sort count elements, each once. */
static void add_reasons(const struct cls_caps *caps, const struct cls_request *request,
                        const struct cls_algorithm_request *requested, uint64_t count,
                        struct cls_text *text)
{
    for (size_t i = 0; cls_algos[i]; i++) {
        struct cls_choice choice;
        char line[128];
        struct cls_text reason = CLS_TEXT(line);
        if (!cls_algo_is(cls_algos[i], requested->algo) ||
            choose_variant(caps, request, cls_algos[i], &requested->parameters, count, &choice))
            continue;
        if (choice.reason == TOO_MANY)
            cls_text_add(&reason, "at most %llu elements on this device",
                         (unsigned long long)choice.max_count);
        else
            cls_text_add(&reason, "%s", choice.reason);
        if (text->length == 0 || !strstr(text->at, line))
            cls_text_add(text, "%s%s", text->length > 0 ? "; " : "", line);
    }
}

/* Appends the reasons of all candidates that support the operation. The names of candidates with
 * equal reasons are combined. */
static void explain_candidates(const struct cls_caps *caps, const struct cls_request *request,
                               uint64_t count, struct cls_text *text)
{
    enum { COUNT = sizeof CANDIDATES / sizeof *CANDIDATES };
    const char *names[COUNT];
    char lines[COUNT][512] = {""};
    size_t listed = 0;
    for (size_t i = 0; i < COUNT; i++) {
        const struct cls_algorithm_request requested = {.algo = CANDIDATES[i].algo};
        struct cls_text line = CLS_TEXT(lines[listed]);
        if (!(requested.algo->operations & CLS_OPERATION(request->spec.operation)))
            continue;
        add_reasons(caps, request, &requested, count, &line);
        names[listed++] = requested.algo->name;
    }
    for (size_t i = 0; i < listed; i++) {
        size_t first = 0;
        while (strcmp(lines[first], lines[i]) != 0)
            first++;
        if (first < i)
            continue;
        cls_text_add(text, "%s%s", i > 0 ? "; " : "", names[i]);
        for (size_t j = i + 1; j < listed; j++)
            if (strcmp(lines[i], lines[j]) == 0)
                cls_text_add(text, ", %s", names[j]);
        cls_text_add(text, ": %s", lines[i]);
    }
}

void cls_choose_explain(const struct cls_caps *caps, const struct cls_request *request,
                        uint64_t count, struct cls_text *text)
{
    if (request->algorithm.algo) {
        char line[512];
        struct cls_text reasons = CLS_TEXT(line);
        add_reasons(caps, request, &request->algorithm, count, &reasons);
        cls_text_add(text, "%s: %s (the key type is %s)", request->algorithm.algo->name, line,
                     request->spec.key_name);
    } else {
        cls_text_add(text, "no algorithm supports this sort on this device: ");
        explain_candidates(caps, request, count, text);
    }
}
