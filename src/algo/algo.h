/* algo.h - the interface between the planner and the algorithms
 *
 * An algorithm is one or several `const struct cls_algo` of the same name: its variants, for different devices or keys.
 * Data flows through its functions in this order:
 *   supports    when a plan is made: can the variant do this sort on this device, and with what tuning
 *   programs    when a plan is made: what has to be compiled
 *   schedule    for each count: scratch regions, and how the work is divided
 *   enqueue     for each sort: the launches */
#ifndef CLSORT_ALGO_ALGO_H
#define CLSORT_ALGO_ALGO_H

#include "algo/tuning.h"
#include "base/spec.h"
#include "base/text.h"
#include "device/launch.h"
#include "device/program.h"

enum { CLS_MAX_PARAMETERS = 4, CLS_MAX_PROGRAMS = 4, CLS_MAX_KERNELS = 9 };

/* Regions of scratch that every algorithm names; one that it does not need has no bytes. Its own regions follow. */
enum {
    CLS_CONTROL, /* starts with cls_control_head, at least where values are indexes */
    CLS_KEYS,    /* free for other uses once the keys are sorted */
    CLS_VALUES,
    CLS_OWN_REGIONS
};

enum { CLS_REGION_ALIGNMENT = 64 };

/* Parameters that a user may name, in the order of cls_algo.parameters; 0 where none was given. */
struct cls_parameters {
    unsigned value[CLS_MAX_PARAMETERS];
};

struct cls_parameter {
    const char *name;
    unsigned min, max;        /* of a number */
    const char *const *words; /* or the words that stand for 1, 2, ...; ends with NULL */
};

/* The arrays of a sort. Values are NULL when the sort spec has none. In place, inputs are outputs. */
struct cls_arrays {
    uint64_t count; /* of the output; at least 1 */
    bool in_place;
    clsort_buffer keys_in, values_in, keys_out, values_out;
    uint64_t second_count; /* merging: elements of the output that come from the second input */
    clsort_buffer second_keys, second_values;
};

/* Everything that one sort needs. When values are indexes, input values are not read: the index of an element of the
 * second input counts on from the first input's. */
struct cls_sort {
    const cl_kernel *kernels;
    const struct cls_tuning *tuning;
    const struct cls_spec *spec;
    const struct cls_schedule *schedule;
    const struct cls_arrays *arrays;
    const clsort_buffer *scratch; /* its regions */
    struct cls_chain *chain;
};

/* A program to compile: a root file of cl/, its options, and the kernels to create from it. */
struct cls_program_spec {
    const char *root;
    const char *const *kernels; /* ends with NULL */
    size_t group_size;          /* that the kernels must be able to run in */
    struct cls_text options;    /* in `line`, so that a copy of this struct needs it set again */
    char line[512];
};

/* What not every algorithm can do. */
enum {
    CLS_STABLE = 1,     /* keeps the order of equal elements */
    CLS_CUSTOM = 2,     /* compares keys by a custom order */
    CLS_NO_SCRATCH = 4, /* needs no scratch, where values are not indexes */
    CLS_TRAITS = 3      /* how many there are */
};

/* The bit of an operation in cls_algo.operations. */
#define CLS_OPERATION(operation) (1u << (operation))

/* Which primitives the self-test checks before it runs the algorithm (primitives.h). */
enum cls_primitives { CLS_NO_PRIMITIVES, CLS_WORK_GROUP_PRIMITIVES, CLS_SUB_GROUP_PRIMITIVES };

struct cls_algo {
    const char *name;
    unsigned operations; /* that it does: CLS_OPERATION bits */
    unsigned traits;
    enum cls_primitives primitives;
    bool is_for_gpus; /* CPUs have a better variant */
    struct cls_parameter
        parameters[CLS_MAX_PARAMETERS]; /* the same for all variants; ends with a NULL name */

    /* Returns whether the variant can do this sort on such a device, and sets *tuning. Otherwise sets *why to the
     * reason, in words. Pure. */
    bool (*supports)(const struct cls_caps *caps, const struct cls_spec *spec,
                     const struct cls_parameters *parameters, struct cls_tuning *tuning,
                     const char **why);

    /* Describes the programs that enqueue() needs, in the order of its kernels; returns how many. Pure. */
    size_t (*programs)(const struct cls_caps *caps, const struct cls_tuning *tuning,
                       const struct cls_spec *spec, struct cls_program_spec *programs);

    /* Divides the work of a sort of count elements. Region sizes never decrease with the count. Pure. */
    void (*schedule)(const struct cls_tuning *tuning, const struct cls_spec *spec, uint64_t count,
                     struct cls_schedule *schedule);

    cl_int (*enqueue)(const struct cls_sort *sort);

    /* The cost model, as in the head of the kernel files: bytes that a sort of count elements reads and writes beyond
     * the caches, per element. What depends on the data is left out. */
    uint64_t (*bytes_per_element)(const struct cls_tuning *tuning, const struct cls_spec *spec,
                                  uint64_t count);

    /* Returns a count whose sort runs every kernel that only many elements need, and passes through their loops more
     * than once. May lower what no program depends on, such as the number of compute units, to make few suffice. */
    uint64_t (*self_test_count)(struct cls_tuning *tuning);

    /* Adds the choices made for count elements, in words: "4x8 bits, tiles of 256 x 12". */
    void (*describe)(const struct cls_tuning *tuning, const struct cls_spec *spec, uint64_t count,
                     struct cls_text *text);
};

extern const struct cls_algo cls_algo_bitonic_vector, cls_algo_bitonic_work_group,
    cls_algo_count_cores, cls_algo_count_work_group_8, cls_algo_count_work_group_16,
    cls_algo_cpu_radix, cls_algo_cpu_sample, cls_algo_local, cls_algo_merge_cores,
    cls_algo_merge_work_group, cls_algo_msd, cls_algo_onesweep, cls_algo_radix;

/* All variants, those of one algorithm next to each other in order of preference; ends with NULL. */
extern const struct cls_algo *const cls_algos[];

/* The first variant of the index-th algorithm; NULL past the last. */
const struct cls_algo *cls_algo_at(size_t index);

/* Whether they are variants of one algorithm. */
bool cls_algo_is(const struct cls_algo *algo, const struct cls_algo *other);

#endif
