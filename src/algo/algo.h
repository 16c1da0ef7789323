/* algo.h - what an algorithm is to the planner: one `const struct cls_algo`, reached through one table */
#ifndef CLSORT_ALGO_ALGO_H
#define CLSORT_ALGO_ALGO_H

#include "base/shape.h"
#include "base/text.h"
#include "device/launch.h"
#include "device/program.h"

enum { CLS_MOST_PARAMETERS = 4, CLS_MOST_REGIONS = 10 };

/* Regions of scratch that every algorithm names, of no bytes where it needs none; its own follow. */
enum {
    CLS_CONTROL, /* starts with head_t of head.cl, at least where values are indexes */
    CLS_KEYS,    /* free for others once the keys are sorted */
    CLS_VALUES,
    CLS_OWN_REGIONS
};

/* Parameters that a user may name, in the algorithm's own order; 0 where none was given. */
struct cls_parameters {
    unsigned value[CLS_MOST_PARAMETERS];
};

struct cls_parameter {
    const char *name;
    unsigned least, most;     /* of a number */
    const char *const *words; /* or the words that stand for 1, 2, ...; ends with NULL */
};

/* What supports() settles from device, shape and parameters, for prepare() and the rest to read. */
struct cls_tuning {
    unsigned group_size;    /* work-items in a group */
    unsigned items;         /* keys of a work-item in a tile; of count's counters copies or parts */
    unsigned bits;          /* of a digit, at most; of cpu's number of bins */
    unsigned direct;        /* radix: scatter straight from registers */
    unsigned units;         /* compute units of the device */
    unsigned most_tiles;    /* radix: of a chunk; onesweep: of a launch */
    unsigned job_size;      /* hybrid: work-items of a job's group ... */
    unsigned job_items;     /* ... and keys of each in its tile */
    unsigned bin_bits;      /* hybrid: of the number of a job's bins */
    unsigned settle_size;   /* hybrid: work-items for jobs that are left */
    unsigned first_bits;    /* hybrid: of the first round's digit; 0: by the count */
    unsigned most_segments; /* hybrid: of a round; 0: by the count */
    unsigned unit_size;     /* hybrid: work-items that move tiles at once on a unit */
    uint64_t cache_bytes;   /* cpu: of a core's own cache */
    uint64_t most_items;    /* that this tuning can sort */
};

/* The arrays of a sort. Without values when the shape has none. In place, inputs are outputs. */
struct cls_places {
    uint64_t count; /* of the output; at least 1 */
    bool in_place;
    clsort_buffer keys_in, values_in, keys_out, values_out;
    uint64_t second_count; /* of a merge: of the output, those that come from the second input */
    clsort_buffer second_keys, second_values;
};

/* One sort's buffers. When values are indexes, they are not read from anywhere: those of the second input count
 * on from the first's. */
struct cls_job {
    struct cls_places places;
    clsort_buffer scratch[CLS_MOST_REGIONS];
};

enum { CLS_REGION_ALIGNMENT = 64, CLS_CONTROL_BYTES = 1024 };

/* What not every algorithm can do. */
enum {
    CLS_STABLE = 1,     /* keeps the order of equal elements */
    CLS_CUSTOM = 2,     /* compares keys by a custom order */
    CLS_MERGES = 4,     /* CLS_MERGE_SORTED, beside sorting */
    CLS_NO_SCRATCH = 8, /* needs none, where values are not indexes */
    CLS_TRAITS = 4      /* how many there are */
};

/* Algorithms of the same name are shapes of one: the first that suits a device is taken. They have the same
 * parameters. */
struct cls_algo {
    const char *name;
    unsigned traits;
    bool is_made_of_blocks; /* those of blocks.h that know no lanes */
    bool is_made_of_lanes;  /* those that do */
    bool is_for_gpus;       /* a shape that CPUs have a better one than */
    struct cls_parameter parameters[CLS_MOST_PARAMETERS]; /* ends with a NULL name */
    /* Whether the algorithm can do this on such a device, and with what tuning. Pure. Else false, with the
     * reason in *why, in words. */
    bool (*supports)(const struct cls_caps *caps, const struct cls_shape *shape,
                     const struct cls_parameters *parameters, struct cls_tuning *tuning,
                     const char **why);
    /* Bytes of each scratch region for count items; returns how many there are. */
    size_t (*scratch)(const struct cls_tuning *tuning, const struct cls_shape *shape,
                      uint64_t count, uint64_t *bytes);
    /* Compiles what enqueue() runs. */
    cl_int (*prepare)(struct cls_device *device, const struct cls_tuning *tuning,
                      const struct cls_shape *shape, cl_kernel *kernels);
    cl_int (*enqueue)(const cl_kernel *kernels, const struct cls_tuning *tuning,
                      const struct cls_shape *shape, const struct cls_job *job,
                      struct cls_chain *chain);
    /* Bytes that a sort of count elements reads and writes beyond the caches for each of them, by the cost model at the
     * head of the kernels' file. What the data decides is left out. */
    uint64_t (*traffic)(const struct cls_tuning *tuning, const struct cls_shape *shape,
                        uint64_t count);
    /* For the self-test: a count whose sort runs every kernel that only many elements need, and goes through
     * their loops more than once. May lower what no program depends on, the units, so that few are enough. */
    uint64_t (*trial)(struct cls_tuning *tuning);
    /* The digits and the like, in words: "10+11+11". */
    void (*describe)(const struct cls_tuning *tuning, const struct cls_shape *shape, uint64_t count,
                     struct cls_text *text);
};

enum { CLS_MOST_KERNELS = 9 };

extern const struct cls_algo cls_algo_radix, cls_algo_cpu_vector, cls_algo_cpu, cls_algo_local,
    cls_algo_count, cls_algo_count_groups, cls_algo_merge_cores, cls_algo_merge,
    cls_algo_bitonic_vector, cls_algo_bitonic, cls_algo_onesweep, cls_algo_hybrid;

/* All algorithms, the shapes of one next to each other; ends with NULL. */
extern const struct cls_algo *const cls_algos[];

/* The first shape of the index-th algorithm; NULL past the last. */
const struct cls_algo *cls_algo_at(size_t index);

/* Whether they are shapes of one algorithm. */
bool cls_algo_is(const struct cls_algo *algo, const struct cls_algo *other);

/* -- shared by the algorithms ------------------------------------------------------------------- */

enum { CLS_SEEN_BYTES = 24 }; /* seen_t in control.cl */

/* The most that kernels for this shape can count. */
static inline uint64_t cls_countable(const struct cls_caps *caps, const struct cls_shape *shape)
{
    return shape->index_bits == 32 ? caps->index32_most : UINT64_MAX >> 8;
}

/* Whether a work-item may go through a whole array, as a core's worker. Else says why not. */
static inline bool cls_has_workers(const struct cls_caps *caps, const char **why)
{
    if (!(caps->type & CL_DEVICE_TYPE_CPU)) {
        *why = "its work-items keep a core's cache full, which only CPUs have";
        return false;
    }
    if (caps->most_turns < UINT64_MAX) {
        *why = "its work-items go through whole arrays, and this driver ends long loops early";
        return false;
    }
    return true;
}

/* Bytes of a core's own cache, which is what CPUs give as local memory; believed within reason. */
static inline uint64_t cls_core_cache(const struct cls_caps *caps)
{
    const uint64_t least = 256 << 10, most = 2 << 20;
    return caps->local_bytes < least ? least : caps->local_bytes < most ? caps->local_bytes : most;
}

/* Bytes of reading and writing an element once. */
static inline uint64_t cls_copy_bytes(const struct cls_shape *shape)
{
    return 2 * ((uint64_t)shape->key_bytes + shape->value_bytes);
}

/* Whether the driver copies and reads a custom order's keys rightly; the self-test, which knows no keys but zeros,
 * would not tell. Else says why not. That structs are packed shows in the word alone. */
static inline bool cls_copies_keys(const struct cls_caps *caps, const struct cls_shape *shape,
                                   const char **why)
{
    const struct cls_custom *custom = &shape->custom;
    if (shape->order != CLS_ORDER_CUSTOM || !caps->rounds_addresses)
        return true;
    if (shape->key_bytes > 2 && shape->key_bytes % 4 != 0) {
        *why = "this driver copies structs wrongly whose size is no multiple of 4 bytes";
        return false;
    }
    if (strstr(custom->prelude, "pack") || strstr(custom->key_type, "pack")) {
        *why = "this driver reads packed structs wrongly";
        return false;
    }
    return true;
}

/* For cls_code. */
static inline const struct cls_custom *cls_custom_of(const struct cls_shape *shape)
{
    return shape->order == CLS_ORDER_CUSTOM ? &shape->custom : NULL;
}

/* The options of types.cl and keys.cl. */
void cls_shape_options(const struct cls_shape *shape, struct cls_text *options);

/* Creates the named kernels (ends with NULL) of one program, to be run in groups of group_size; fails with
 * CLSORT_E_UNSUPPORTED when, as compiled, one cannot. On failure none is left. */
cl_int cls_kernels_create(struct cls_device *device, const struct cls_code *code,
                          const char *const *names, size_t group_size, cl_kernel *kernels);
void cls_kernels_release(cl_kernel *kernels);

static inline void cls_arg_key(struct cls_launch *launch, const struct cls_shape *shape,
                               uint64_t key)
{
    cls_arg_sized(launch, shape->key_bytes, key);
}

static inline void cls_arg_index(struct cls_launch *launch, const struct cls_shape *shape,
                                 uint64_t index)
{
    cls_arg_sized(launch, shape->index_bits / 8, index);
}

/* ORDER of order.cl. */
void cls_arg_order(struct cls_launch *launch, const struct cls_shape *shape);

/* Buffers of values, for kernels whose programs have any; input values that are indexes are nowhere. */
void cls_arg_values(struct cls_launch *launch, const struct cls_shape *shape, clsort_buffer buffer);
void cls_arg_input_values(struct cls_launch *launch, const struct cls_shape *shape,
                          clsort_buffer buffer);

static inline uint64_t cls_least_of(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static inline uint64_t cls_divide_up(uint64_t a, uint64_t b)
{
    return a / b + (a % b != 0);
}

/* The largest power of two that is at most n (n > 0). */
static inline unsigned cls_power_below(uint64_t n)
{
    unsigned power = 1;
    while (power < 1u << 30 && 2 * (uint64_t)power <= n)
        power *= 2;
    return power;
}

#endif
