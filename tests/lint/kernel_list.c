/* kernel_list.c - prints every program that the library may ask for: "radix/radix.cl -- -DX=1 -DY=2"
 *
 * The list comes from the algorithms' own programs(), for made-up devices and all kinds of sorts, so that it cannot go
 * stale. */
#include "device/sub_group.h"
#include "plan/stage.h"

#include <stdio.h>

/* Stands in for the library's: sub-groups are tested by a program of their own. */
cl_int cls_kernel_create(struct cls_device *device, const struct cls_program_source *source,
                         const char *name, cl_kernel *kernel)
{
    (void)device;
    (void)name;
    printf("%s -- %s\n", source->root, source->options);
    *kernel = NULL;
    return CL_INVALID_PROGRAM;
}

#define A_GPU(...)                                                                                 \
    {                                                                                              \
        .type = CL_DEVICE_TYPE_GPU, .units = 132, .group_size = 1024, .local_bytes = 48 << 10,     \
        .index32_max = 100, .max_iterations = UINT64_MAX, .max_launch_tiles = UINT64_MAX,          \
        .opencl = 2, __VA_ARGS__                                                                   \
    }

/* The GPU is there with each kind of lanes. */
enum { CPU, CPU_VECTORS, GPU };
static const struct cls_caps DEVICES[] = {
    [CPU] = {.type = CL_DEVICE_TYPE_CPU,
             .units = 2,
             .group_size = 4096,
             .local_bytes = 1 << 20,
             .index32_max = 100,
             .max_iterations = UINT64_MAX,
             .max_launch_tiles = UINT64_MAX},
    [CPU_VECTORS] = {.type = CL_DEVICE_TYPE_CPU,
                     .units = 2,
                     .group_size = 4096,
                     .local_bytes = 1 << 20,
                     .index32_max = 100,
                     .max_iterations = UINT64_MAX,
                     .max_launch_tiles = UINT64_MAX,
                     .compresses = true},
    [GPU] = A_GPU(.sub_group_backend = CLS_SUB_GROUP_LOCAL, .sub_group_size = 16),
    A_GPU(.sub_group_backend = CLS_SUB_GROUP_KHR, .sub_group_size = 32),
    A_GPU(.sub_group_backend = CLS_SUB_GROUP_INTEL, .sub_group_size = 16),
    A_GPU(.sub_group_backend = CLS_SUB_GROUP_NVIDIA, .sub_group_size = 32),
    A_GPU(.sub_group_backend = CLS_SUB_GROUP_AMD, .sub_group_size = 64),
};

static void print_programs(const struct cls_caps *caps, const clsort_desc *desc, uint64_t count)
{
    struct cls_request request;
    struct cls_choice choice;
    struct cls_program_spec programs[CLS_MAX_STAGE_PROGRAMS];
    const struct cls_ladders ladders = cls_ladders_for(caps);
    if (cls_request_read(desc, &request) != CLSORT_OK ||
        !cls_choose(caps, &ladders, &request, count, 0, &choice))
        return;
    const size_t programs_count = cls_stage_programs(caps, &choice, desc->value_size, programs);
    for (size_t i = 0; i < programs_count; i++)
        printf("%s -- %s\n", programs[i].root, programs[i].line);
}

/* All programs of one kind of sort, on all devices; with one size of values where only lanes are others, and not the
 * tiles, as they are for NVIDIA's. */
static void print_all(clsort_desc desc, const char *algorithm, uint64_t count)
{
    static const size_t VALUE_SIZES[] = {0, 1, 2, 4, 8, 12, 16, 100, 101, 102, 104};
    desc.algorithm = algorithm;
    for (size_t device = 0; device < sizeof DEVICES / sizeof *DEVICES; device++)
        for (size_t v = 0; v < sizeof VALUE_SIZES / sizeof *VALUE_SIZES; v++) {
            desc.value_size = VALUE_SIZES[v];
            if (device > GPU && DEVICES[device].sub_group_backend != CLS_SUB_GROUP_NVIDIA &&
                desc.value_size != 0 && desc.value_size != sizeof(cl_uint))
                continue;
            print_programs(&DEVICES[device], &desc, count);
        }
}

/* What bitonic is made of when it is limited. */
static void print_kernel_sets(void)
{
    static const char *const sets[] = {"bitonic:B2",   "bitonic:B2+B4", "bitonic:B2+B4+B8",
                                       "bitonic:C2+B", "bitonic:C4+B",  "bitonic:B"};
    clsort_desc u32 = CLSORT_DESC_INIT;
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        u32.algorithm = sets[i];
        print_programs(&DEVICES[CPU_VECTORS], &u32, 1);
    }
}

/* The self-test of sub-groups. */
static void print_sub_groups(void)
{
    static const char extensions[] =
        "cl_khr_subgroup_ballot cl_khr_subgroup_shuffle cl_intel_subgroups "
        "cl_nv_device_attribute_query cl_amd_device_attribute_query";
    struct cls_device device = {.caps = DEVICES[GPU]};
    struct cls_sub_group size = {CLS_SUB_GROUP_LOCAL, 1}, offers[CLS_MAX_SUB_GROUP_OFFERS];
    const size_t count = cls_sub_group_offered(extensions, device.caps.opencl, offers);
    for (; size.width <= CLS_MAX_SUB_GROUP_SIZE; size.width *= 2)
        cls_sub_group_test(&device, size);
    for (size_t i = 0; i < count; i++)
        cls_sub_group_test(&device, offers[i]);
}

int main(void)
{
    const uint64_t large = 101; /* above index32_max */
    for (int key = CLSORT_U8; key <= CLSORT_F64; key++)
        for (uint32_t numeric = 0; numeric <= CLSORT_FLOAT_NUMERIC;
             numeric += CLSORT_FLOAT_NUMERIC) {
            clsort_desc desc = CLSORT_DESC_INIT;
            desc.key = (clsort_key)key;
            desc.flags = numeric;
            for (size_t i = 0; cls_algos[i]; i++)
                print_all(desc, cls_algos[i]->name, 1);
        }
    for (int key = CLSORT_U8; key <= CLSORT_U64; key++) {
        clsort_desc desc = CLSORT_DESC_INIT;
        desc.key = (clsort_key)key;
        for (size_t i = 0; cls_algos[i]; i++)
            print_all(desc, cls_algos[i]->name, large);
    }
    for (int bits = 1; bits <= 8; bits++)
        for (int direct = 0; direct <= 1; direct++) {
            clsort_desc u32 = CLSORT_DESC_INIT;
            char text[64];
            snprintf(text, sizeof text, "radix:bits=%d,items=%d,scatter=%s", bits, 1 << (bits % 4),
                     direct ? "direct" : "coalesced");
            print_all(u32, text, 1);
        }
    print_kernel_sets();
    print_sub_groups();
    return 0;
}
