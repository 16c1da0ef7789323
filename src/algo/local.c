/* local.c - the whole input in one work-group's local memory (local.cl) */
#include "algo/tile.h"

enum { GROUP_SIZE = 256, ITEMS = 16 };

static const char *const NAMES[CLS_MOST_KERNELS + 1] = {"local_sort", NULL};
static const char *const FILES[] = {"types.cl", "keys.cl",  "head.cl",  "control.cl",
                                    "scan.cl",  "split.cl", "local.cl", NULL};

static bool supports(const struct cls_caps *caps, const struct cls_shape *shape,
                     const struct cls_parameters *parameters, struct cls_tuning *tuning,
                     const char **why)
{
    (void)parameters;
    *tuning = (struct cls_tuning){.group_size = GROUP_SIZE, .items = ITEMS, .units = caps->units};
    if (!cls_fit_tile(caps, shape, CLS_SEEN_BYTES, 64, tuning)) {
        *why = "the device has too little local memory";
        return false;
    }
    tuning->most_items = (uint64_t)tuning->group_size * tuning->items;
    return true;
}

static size_t scratch(const struct cls_tuning *tuning, const struct cls_shape *shape,
                      uint64_t count, uint64_t *bytes)
{
    (void)tuning;
    (void)shape;
    (void)count;
    bytes[CLS_CONTROL] = CLS_CONTROL_BYTES;
    bytes[CLS_KEYS] = bytes[CLS_VALUES] = 0;
    return CLS_OWN_REGIONS;
}

static cl_int prepare(struct cls_device *device, const struct cls_tuning *tuning,
                      const struct cls_shape *shape, cl_kernel *kernels)
{
    char line[256];
    struct cls_text options = CLS_TEXT(line);
    cls_shape_options(shape, &options);
    cls_text_add(&options, " -DGROUP_SIZE=%u -DITEMS=%u", tuning->group_size, tuning->items);
    const struct cls_code code = {FILES, line, NULL};
    return cls_kernels_create(device, &code, NAMES, tuning->group_size, kernels);
}

static cl_int enqueue(const cl_kernel *kernels, const struct cls_tuning *tuning,
                      const struct cls_shape *shape, const struct cls_job *job,
                      struct cls_chain *chain)
{
    struct cls_launch launch = cls_launch(kernels[0]);
    cls_arg_buffer(&launch, job->scratch[CLS_CONTROL]);
    cls_arg_buffer(&launch, job->places.keys_in);
    cls_arg_buffer(&launch, job->places.keys_out);
    cls_arg_input_values(&launch, shape, job->places.values_in);
    cls_arg_values(&launch, shape, job->places.values_out);
    cls_arg_uint(&launch, (uint32_t)job->places.count);
    cls_arg_key(&launch, shape, shape->flip);
    cls_arg_key(&launch, shape, cls_window(shape));
    cls_arg_key(&launch, shape, shape->pad);
    cls_arg_uint(&launch, shape->begin_bit);
    cls_arg_uint(&launch, shape->end_bit);
    return cls_run(chain, &launch, 1, tuning->group_size);
}

static uint64_t traffic(const struct cls_tuning *tuning, const struct cls_shape *shape,
                        uint64_t count)
{
    (void)tuning;
    (void)count;
    return cls_copy_bytes(shape);
}

static uint64_t trial(struct cls_tuning *tuning)
{
    return tuning->most_items;
}

static void describe(const struct cls_tuning *tuning, const struct cls_shape *shape, uint64_t count,
                     struct cls_text *text)
{
    (void)count;
    cls_text_add(text, "%ux2 in a group of %u x %u", (shape->end_bit - shape->begin_bit + 1) / 2,
                 tuning->group_size, tuning->items);
}

const struct cls_algo cls_algo_local = {
    .name = "local",
    .traits = CLS_STABLE,
    .is_made_of_blocks = true,
    .supports = supports,
    .scratch = scratch,
    .prepare = prepare,
    .enqueue = enqueue,
    .traffic = traffic,
    .trial = trial,
    .describe = describe,
};
