/* algo.h - the interface between the planner and the algorithms
 *
 * An algorithm has one or more variants, for different devices or keys: each is a `const struct
 * cls_algo`, and those of one algorithm have the same name. The planner calls, in this order:
 *   supports    per plan: whether the variant supports the sort on the device, and with what tuning
 *   programs    per plan: the programs to compile
 *   schedule    per count: the scratch regions, and how the work is divided
 *   enqueue     per sort: the launches */
#ifndef CLSORT_ALGO_ALGO_H
#define CLSORT_ALGO_ALGO_H

#include "algo/tuning.h"
#include "base/spec.h"
#include "base/text.h"
#include "device/launch.h"
#include "device/program.h"

enum { CLS_MAX_PARAMETERS = 4, CLS_MAX_PROGRAMS = 7, CLS_MAX_KERNELS = 16 };

/* Regions of scratch. Every algorithm has the first three, of 0 bytes if it does not need them; its
 * own regions follow. */
enum {
    CLS_CONTROL, /* the control block; starts with cls_control_head if values are indexes */
    CLS_KEYS,    /* keys; after a sort of indexes, the slice of the gather */
    CLS_VALUES,  /* values; indexes may be in a part of the slice (algo/gather/gather.h) */
    CLS_OWN_REGIONS
};

/* The cache line of NVIDIA's and AMD's GPUs. Sub-groups read whole lines, and tables that started within a line took
 * LSD radix sort 8 % more time on an H100. */
enum { CLS_REGION_ALIGNMENT = 128 };

/* The values of the user's parameters, in the order of cls_algo.parameters; 0 if not given. */
struct cls_parameters {
    unsigned value[CLS_MAX_PARAMETERS];
};

struct cls_parameter {
    const char *name;
    unsigned min, max;        /* of a parameter that is a number */
    const char *const *words; /* names of the values 1, 2, ...; ends with NULL */
};

/* The arrays of a sort. In place, inputs and outputs are the same buffers. Values are NULL if the
 * sort spec has no values; input values also if they are indexes of CLSORT_ARGSORT. */
struct cls_arrays {
    uint64_t count; /* of the output; at least 1, unless there is a result */
    bool in_place;
    clsort_buffer keys_in, values_in, keys_out, values_out;
    uint64_t second_count; /* elements of the second input, if two inputs are merged; else 0 */
    clsort_buffer second_keys, second_values;
    /* Gathers of some elements: the number of elements of values_in. CLSORT_GATHER: the indexes are keys_in. */
    uint64_t source_count;
    clsort_buffer
        result; /* CLSORT_GATHER and segmented sorts: .mem may be NULL; CLSORT_UNIQUE, _CHECK */
    /* Selections: the rank from 1 of the last selected element (of each segment), and the number of
     * elements in the outputs, which is 1 for CLSORT_NTH (for each segment). */
    uint64_t selected, out_count;
    /* Segments. Rows have no offsets; ends.mem is NULL unless there are begins and ends, and ks.mem
     * unless each segment has a k of its own. */
    uint64_t segment_count;
    clsort_buffer offsets, ends, ks;
    /* NULL unless cls_spec.count_bytes is set; `count` is then the maximum. Algorithms get a clamped count
     * (algo/clamp/clamp.h). */
    clsort_buffer count_buffer;
    const clsort_buffer *columns; /* cls_spec.column_buffers buffers, instead of keys_in */
    /* cls_request.value_count buffers each, or NULL. Algorithms do not get them. */
    const clsort_buffer *value_arrays, *value_arrays_out;
    clsort_buffer parts, firsts; /* CLS_ORDER_COLUMNS: the table of the columns */
    /* CLSORT_SELECT, _NTH and _UNIQUE, whose outputs are NULL if they are not wanted. */
    clsort_buffer index_out;
};

/* Everything that one sort needs. If values are indexes, input values are not read, and every
 * output value is written, also if the input is in order. The indexes of the second input follow
 * those of the first. */
struct cls_sort {
    const cl_kernel *kernels;
    const struct cls_tuning *tuning;
    const struct cls_spec *spec;
    const struct cls_schedule *schedule;
    const struct cls_arrays *arrays;
    const clsort_buffer *scratch; /* the regions */
    struct cls_chain *chain;
};

/* A program to compile: a root file of cl/, its options, and the kernels to create from it. */
struct cls_program_spec {
    const char *root;
    const char *const *kernels; /* ends with NULL */
    size_t group_size;          /* work-group size that the compiled kernels must support */
    struct cls_text options;    /* writes to `line`: invalid in a copy of this struct */
    char line[512];
};

/* Traits: properties that not all algorithms have. */
enum {
    CLS_STABLE = 1,     /* keeps the order of elements with equal keys */
    CLS_CUSTOM = 2,     /* supports custom orders */
    CLS_NO_SCRATCH = 4, /* needs no scratch unless values are indexes (cls_spec.value_is_index) */
    CLS_COUNTS = 8,     /* its kernels can read the count from device memory */
    CLS_COLUMNS = 16,   /* compares elements by columns (CLS_ORDER_COLUMNS) */
    CLS_TRAITS = 5      /* number of traits */
};

/* The bit of an operation in cls_algo.operations, and the bits of a sort that moves values. */
#define CLS_OPERATION(operation) (1u << (operation))
#define CLS_SORTS (CLS_OPERATION(CLSORT_SORT) | CLS_OPERATION(CLSORT_ARGSORT))

/* The primitives that the self-test checks before it runs the algorithm (primitives.h). */
enum cls_primitive_set { CLS_NO_PRIMITIVES, CLS_WORK_GROUP_PRIMITIVES, CLS_SUB_GROUP_PRIMITIVES };

struct cls_algo {
    const char *name;
    unsigned operations; /* CLS_OPERATION bits of the supported operations */
    unsigned traits;     /* CLS_STABLE etc. */
    enum cls_primitive_set primitives;
    /* The ladders of CPUs were measured with another variant or algorithm: on CPUs, a ladder step
     * skips this variant unless it has parameters (choose.c). */
    bool is_for_gpus;

    /* The size in bytes of keys for which, if few of them are different, code runs that no other keys of the self-test
     * reach. 0: there is no such size. */
    unsigned few_keys_bytes;
    /* The widest values that the algorithm moves in operations that move each element only once, so
     * that indexes save nothing: a merge, a gather. 0: as in a sort. */
    unsigned max_value_bytes_once;
    /* The same for all variants of an algorithm; ends with a NULL name. */
    struct cls_parameter parameters[CLS_MAX_PARAMETERS];

    /* Returns true and sets *tuning if the variant supports this sort on such a device. Otherwise
     * returns false and sets *why to a message. Pure. */
    bool (*supports)(const struct cls_caps *caps, const struct cls_spec *spec,
                     const struct cls_parameters *parameters, struct cls_tuning *tuning,
                     const char **why);

    /* Describes the programs of enqueue(), in the order of its kernels. Returns their number, at
     * most CLS_MAX_PROGRAMS; they have at most CLS_MAX_KERNELS kernels in total. Pure. */
    size_t (*programs)(const struct cls_caps *caps, const struct cls_tuning *tuning,
                       const struct cls_spec *spec, struct cls_program_spec *programs);

    /* Computes the schedule for count elements. Region sizes are monotonic in count and add up to at
     * most 17/16 of the size of keys and values, plus 32 MiB, as clsort_scratch_size promises.
     * Pure. */
    void (*schedule)(const struct cls_tuning *tuning, const struct cls_spec *spec, uint64_t count,
                     struct cls_schedule *schedule);

    /* Enqueues the launches of a sort. Returns the first error. */
    cl_int (*enqueue)(const struct cls_sort *sort);

    /* The cost model of the kernel file's head: the bytes per element that a sort of count elements
     * reads and writes beyond the caches. Excludes costs that depend on the data. */
    uint64_t (*bytes_per_element)(const struct cls_tuning *tuning, const struct cls_spec *spec,
                                  uint64_t count);

    /* Returns a count whose sort runs every kernel, and each of their loops more than once. May
     * lower values in *tuning that no program depends on, such as the number of compute units, so
     * that the count is small. */
    uint64_t (*self_test_count)(struct cls_tuning *tuning);

    /* Returns the largest count that a kernel for inputs of one tile sorts, for the self-test, or 0 if there is no such
     * kernel. NULL: there never is. */
    uint64_t (*one_tile_count)(const struct cls_tuning *tuning);

    /* Adds a description of the choices for count elements: "4x8 bits, tiles of 256 x 12". */
    void (*describe)(const struct cls_tuning *tuning, const struct cls_spec *spec, uint64_t count,
                     struct cls_text *text);
};

extern const struct cls_algo cls_algo_bitonic_vector, cls_algo_bitonic_work_group,
    cls_algo_check_cores, cls_algo_check_work_group, cls_algo_count_cores,
    cls_algo_count_work_group_8, cls_algo_count_work_group_16, cls_algo_cpu_radix,
    cls_algo_cpu_sample, cls_algo_gather, cls_algo_hybrid, cls_algo_local, cls_algo_merge_cores,
    cls_algo_merge_rows_cores, cls_algo_merge_rows_work_group, cls_algo_merge_work_group,
    cls_algo_msd, cls_algo_onesweep, cls_algo_quick, cls_algo_radix, cls_algo_unique_cores,
    cls_algo_unique_work_group;

/* All variants. Those of one algorithm are adjacent, in order of preference. Ends with NULL. */
extern const struct cls_algo *const cls_algos[];

/* Returns the first variant of the index-th algorithm that sorts, or NULL if there are not that
 * many. Others are not chosen by name. */
const struct cls_algo *cls_algo_at(size_t index);

/* Returns whether both are variants of one algorithm. */
bool cls_algo_is(const struct cls_algo *algo, const struct cls_algo *other);

#endif
