/* kernel_list.c - prints every program that the library may compile: "radix/radix.cl -- -DX=1"
 *
 * The programs are those that cls_stage_programs describes for fictitious devices, all operations,
 * keys and orders, stable and not, those that select elements, sort segments or sort by columns, and those of the
 * sub-group tests.
 * Programs that differ in the sizes of tiles, digits or custom keys only are represented by a few of
 * them. Programs may occur twice. */
#include "algo/columns/columns.h"
#include "algo/segments/segments.h"
#include "algo/segments/select.h"
#include "algo/select/select.h"
#include "device/sub_group.h"
#include "plan/operation.h"
#include "plan/stage.h"

#include <stdio.h>

/* Replaces the library's function: the sub-group test calls it with a program of its own. */
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

/* From GPU on: one device per sub-group backend. */
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
    A_GPU(.sub_group_backend = CLS_SUB_GROUP_KHR, .sub_group_size = 8),
    A_GPU(.sub_group_backend = CLS_SUB_GROUP_INTEL, .sub_group_size = 16),
    A_GPU(.sub_group_backend = CLS_SUB_GROUP_NVIDIA, .sub_group_size = 32),
    A_GPU(.sub_group_backend = CLS_SUB_GROUP_AMD, .sub_group_size = 64),
};

enum { LARGE = 101 }; /* elements: more than index32_max, so that indexes have 64 bits */

static void print_programs(const struct cls_caps *caps, const clsort_desc *desc, uint64_t count)
{
    struct cls_request request;
    struct cls_choice choice;
    struct cls_program_spec programs[CLS_MAX_STAGE_PROGRAMS];
    const struct cls_ladders ladders = cls_ladders_for(caps);
    if (cls_request_read(desc, &request) != CLSORT_OK ||
        !cls_choose(caps, &ladders, &request, count, 0, &choice))
        return;
    const size_t programs_count = cls_stage_programs(caps, &choice, programs);
    for (size_t i = 0; i < programs_count; i++)
        printf("%s -- %s\n", programs[i].root, programs[i].line);
}

/* Prints the programs of one kind of sort for all devices. Devices that differ from others in the
 * sub-group backend only, and not in the tile size as NVIDIA's do, print two sizes of values
 * only. */
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

/* Prints the programs of bitonic sorts that are limited to some kernels. */
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

/* Prints the programs that select the first elements, by both variants, for one type of key. */
static void print_selections(const clsort_desc *desc, unsigned index_bits)
{
    static const struct {
        size_t bytes;
        bool is_index;
    } values[] = {{0, false}, {1, false}, {12, false}, {16, false}, {4, true}, {8, true}};
    struct cls_request request;
    if (cls_request_read(desc, &request) != CLSORT_OK)
        return;
    request.spec.index_bits = index_bits;
    for (size_t device = CPU; device <= GPU; device += GPU - CPU)
        for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
            struct cls_program_spec program;
            request.spec.value_bytes = values[v].bytes;
            request.spec.value_is_index = values[v].is_index;
            const struct cls_select select = cls_select_for(&DEVICES[device], &request.spec);
            cls_select_program(&select, &program);
            printf("%s -- %s\n", program.root, program.line);
            if (!values[v].is_index)
                continue;
            struct cls_program_spec programs[CLS_MAX_SEGMENTS_SELECT_PROGRAMS];
            const struct cls_segments_select from_segments =
                cls_segments_select_for(&DEVICES[device], &request.spec);
            const size_t count = cls_segments_select_programs(&from_segments, programs);
            for (size_t i = 0; i < count; i++)
                printf("%s -- %s\n", programs[i].root, programs[i].line);
        }
}

/* Prints the programs that sort segments, by all variants, for one type of key. */
static void print_segments(const clsort_desc *desc, unsigned index_bits)
{
    static const struct {
        size_t bytes;
        bool is_index;
    } values[] = {{0, false},  {1, false}, {4, false}, {12, false},
                  {16, false}, {4, true},  {8, true}};
    struct cls_request request;
    if (cls_request_read(desc, &request) != CLSORT_OK)
        return;
    request.spec.index_bits = index_bits;
    for (size_t device = CPU; device < sizeof DEVICES / sizeof *DEVICES; device++)
        for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
            if (device > GPU && values[v].bytes != 0 && values[v].bytes != 4)
                continue;
            struct cls_program_spec programs[CLS_SEGMENTS_PROGRAMS];
            struct cls_segments segments;
            const char *why;
            request.spec.value_bytes = values[v].bytes;
            request.spec.value_is_index = values[v].is_index;
            request.spec.count_bytes = 4 * (unsigned)(v % 3);
            if (!cls_segments_for(&DEVICES[device], &request.spec, v % 2 ? 4 : 8,
                                  v < 4 ? 1 << 20 : UINT64_MAX, &segments, &why))
                continue;
            const size_t count = cls_segments_programs(&segments, programs);
            for (size_t i = 0; i < count; i++)
                printf("%s -- %s\n", programs[i].root, programs[i].line);
        }
}

/* Prints programs that sort by columns, half of them in segments. */
static void print_columns(unsigned index_bits)
{
    for (size_t device = CPU; device <= GPU; device += GPU - CPU)
        for (size_t index = 4; index <= 8; index += 4)
            for (int has_buffers = 0; has_buffers <= 1; has_buffers++) {
                const bool is_segmented = (index == 4) == has_buffers;
                const struct cls_spec spec = {.index_bits = index_bits,
                                              .value_bytes = index,
                                              .segments =
                                                  is_segmented ? CLSORT_ROWS : CLSORT_WHOLE};
                const struct cls_column_kernels columns =
                    cls_columns_for(&DEVICES[device], &spec, has_buffers, 1);
                struct cls_program_spec program;
                cls_columns_program(&columns, &program);
                printf("%s -- %s\n", program.root, program.line);
            }
}

/* Prints the programs that compare elements by columns where they are, for records of all alignments and for columns
 * that have a buffer each. */
static void print_rows(uint64_t count)
{
    static const uint32_t operations[] = {CLSORT_UNIQUE, CLSORT_CHECK, CLSORT_MERGE_SORTED};
    static const clsort_column column = {CLSORT_U8, 0, 0, 0};
    for (size_t device = CPU; device <= GPU; device += GPU - CPU)
        for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
            for (size_t record = 0; record <= 8; record += record == 0 ? 1 : record) {
                clsort_desc desc = CLSORT_DESC_INIT;
                desc.operation = operations[i];
                desc.count_size = count > 1 && cls_operation_at(operations[i])->has_counts ? 8 : 0;
                desc.columns = &column;
                desc.column_count = 1;
                desc.record_size = record;
                print_programs(&DEVICES[device], &desc, count);
            }
}

/* Prints the programs of the sub-group tests. */
static void print_sub_groups(void)
{
    static const char extensions[] =
        "cl_khr_subgroup_ballot cl_khr_subgroup_shuffle cl_intel_subgroups "
        "cl_nv_device_attribute_query cl_amd_device_attribute_query";
    struct cls_device device = {.caps = DEVICES[GPU]};
    struct cls_sub_group emulated = {CLS_SUB_GROUP_LOCAL, 1};
    struct cls_sub_group candidates[CLS_MAX_SUB_GROUP_CANDIDATES];
    const size_t count = cls_sub_group_candidates(extensions, device.caps.opencl, candidates);
    for (; emulated.size <= CLS_MAX_SUB_GROUP_SIZE; emulated.size *= 2)
        cls_sub_group_test(&device, emulated);
    for (size_t i = 0; i < count; i++)
        cls_sub_group_test(&device, candidates[i]);
}

/* Prints the programs of all algorithms and operations, stable and not, for one type of key. */
static void print_key(clsort_desc desc, uint64_t count)
{
    const uint32_t flags = desc.flags;
    const char *name;
    for (desc.operation = 0; cls_operation_at(desc.operation); desc.operation++) {
        print_all(desc, NULL, count); /* operations whose algorithm has no public name */
        for (int unstable = 0; unstable <= 1; unstable++) {
            desc.flags = flags | (unstable ? CLSORT_UNSTABLE : 0);
            for (size_t i = 0; cls_algo_at(i) && (name = cls_algo_at(i)->name); i++)
                print_all(desc, name, count);
        }
    }
}

/* Prints the programs that read the count from device memory. */
static void print_counted(void)
{
    static const clsort_key KEYS[] = {CLSORT_U32, CLSORT_U64, CLSORT_F32};
    for (size_t i = 0; i < sizeof KEYS / sizeof *KEYS; i++)
        for (uint32_t bytes = 4; bytes <= 8; bytes += 4) {
            clsort_desc desc = CLSORT_DESC_INIT;
            desc.key = KEYS[i];
            desc.count_size = bytes;
            print_key(desc, bytes == 4 ? 1 : LARGE);
        }
}

/* Prints the programs for custom orders. kernels.sh defines the order. */
static void print_custom(uint64_t count)
{
    static const size_t KEY_SIZES[] = {3, 4, 12};
    for (size_t i = 0; i < sizeof KEY_SIZES / sizeof *KEY_SIZES; i++) {
        clsort_desc desc = CLSORT_DESC_INIT;
        desc.key = CLSORT_CUSTOM;
        desc.key_size = KEY_SIZES[i];
        desc.key_type = "struct key";
        desc.less = "a.x < b.x";
        print_key(desc, count);
        print_segments(&desc, count > 1 ? 64 : 32);
    }
}

int main(void)
{
    for (int key = CLSORT_U8; key <= CLSORT_F64; key++)
        for (uint32_t numeric = 0; numeric <= CLSORT_FLOAT_NUMERIC;
             numeric += CLSORT_FLOAT_NUMERIC) {
            clsort_desc desc = CLSORT_DESC_INIT;
            desc.key = (clsort_key)key;
            desc.flags = numeric;
            print_key(desc, 1);
            print_selections(&desc, 32);
            print_segments(&desc, 32);
        }
    for (int key = CLSORT_U8; key <= CLSORT_U64; key++) {
        clsort_desc desc = CLSORT_DESC_INIT;
        desc.key = (clsort_key)key;
        print_key(desc, LARGE);
        print_selections(&desc, 64);
        print_segments(&desc, 64);
    }
    print_custom(1);
    print_custom(LARGE);
    print_counted();
    for (int bits = 1; bits <= 8; bits++)
        for (int direct = 0; direct <= 1; direct++) {
            clsort_desc u32 = CLSORT_DESC_INIT;
            char text[64];
            snprintf(text, sizeof text, "radix:bits=%d,items=%d,scatter=%s", bits, 1 << (bits % 4),
                     direct ? "direct" : "coalesced");
            print_all(u32, text, 1);
        }
    print_rows(1);
    print_rows(LARGE);
    print_columns(32);
    print_columns(64);
    print_kernel_sets();
    print_sub_groups();
    return 0;
}
