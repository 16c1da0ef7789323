/* sub_group.c - the sub-groups of a device: candidates by its extensions, and a test of each */
#include "device/sub_group.h"

#include "base/error.h"
#include "cl/self_test/layout.h"
#include "device/launch.h"

#include <stdlib.h>
#include <string.h>

#define KHR_BALLOT "cl_khr_subgroup_ballot"
#define KHR_SHUFFLE "cl_khr_subgroup_shuffle"

enum { MAX_SIZES = 4 };

/* NVIDIA's and AMD's compilers are recognized by extensions that only they have. If
 * cl_intel_subgroups accompanies the Khronos extensions, the compiler is Intel's: it offers several
 * sizes, and larger sub-groups have fewer registers per lane. */
static const struct {
    const char *extensions[4]; /* all of them are required; ends with NULL */
    unsigned opencl;           /* minimum major version */
    enum cls_sub_group_backend backend;
    unsigned sizes[MAX_SIZES + 1]; /* in order of preference; ends with 0 */
} CANDIDATES[] = {
    {{"cl_nv_device_attribute_query"}, 1, CLS_SUB_GROUP_NVIDIA, {32}},
    {{"cl_amd_device_attribute_query"}, 1, CLS_SUB_GROUP_AMD, {64, 32}},
    {{KHR_BALLOT, KHR_SHUFFLE, "cl_intel_subgroups"}, 2, CLS_SUB_GROUP_KHR, {16, 32, 8}},
    {{KHR_BALLOT, KHR_SHUFFLE}, 2, CLS_SUB_GROUP_KHR, {32, 64, 16, 8}},
    {{"cl_intel_subgroups"}, 1, CLS_SUB_GROUP_INTEL, {16, 32, 8}},
};

static bool has_word(const char *text, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = text; (at = strstr(at, word)); at += length)
        if ((at == text || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

size_t cls_sub_group_candidates(const char *extensions, unsigned opencl,
                                struct cls_sub_group *candidates)
{
    size_t count = 0;
    for (size_t i = 0; i < sizeof CANDIDATES / sizeof *CANDIDATES; i++) {
        bool is_supported = opencl >= CANDIDATES[i].opencl;
        for (const char *const *name = CANDIDATES[i].extensions; *name; name++)
            is_supported &= has_word(extensions, *name);
        for (const unsigned *size = CANDIDATES[i].sizes; is_supported && *size > 0; size++)
            candidates[count++] = (struct cls_sub_group){CANDIDATES[i].backend, *size};
    }
    return count;
}

cl_int cls_sub_group_query(const struct cls_device *device, struct cls_sub_group *candidates,
                           size_t *count)
{
    size_t size = 0;
    *count = 0;
    cl_int status = clGetDeviceInfo(device->id, CL_DEVICE_EXTENSIONS, 0, NULL, &size);
    if (status != CL_SUCCESS)
        return cls_called("clGetDeviceInfo", status);
    char *extensions = calloc(size + 1, 1);
    if (!extensions)
        return CLSORT_E_MEMORY;
    status = cls_called("clGetDeviceInfo",
                        clGetDeviceInfo(device->id, CL_DEVICE_EXTENSIONS, size, extensions, NULL));
    if (status == CL_SUCCESS)
        *count = cls_sub_group_candidates(extensions, device->caps.opencl, candidates);
    free(extensions);
    return status;
}

static void add_options(struct cls_sub_group sub_group, unsigned opencl, struct cls_text *options)
{
    cls_text_add(options, " -DSUB_GROUP_SIZE=%u -DSUB_GROUP_BACKEND=%d", sub_group.size,
                 (int)sub_group.backend);
    if (sub_group.backend == CLS_SUB_GROUP_KHR) /* requires OpenCL C 2.0 */
        cls_text_add(options, " -cl-std=CL%u.0", opencl);
}

void cls_sub_group_options(const struct cls_caps *caps, struct cls_text *options)
{
    const struct cls_sub_group sub_group = {caps->sub_group_backend,
                                            caps->sub_group_size > 0 ? caps->sub_group_size : 1};
    add_options(sub_group, caps->opencl, options);
}

/* -- the test: self_test/sub_group.cl ---------------------------------------------------------- */

enum { MAX_TESTED_SUB_GROUPS = 4 };

static uint32_t digit_of(uint32_t i)
{
    return cls_scramble(i) >> (32 - CLS_SUB_GROUP_TEST_BITS);
}

/* Returns the expected result of work-item t in sub-groups of this size. */
static cls_sub_group_result expected_result(unsigned size, uint32_t t)
{
    const uint32_t lane = t % size, first = t - lane;
    cls_sub_group_result expected = {
        .local_index = t,
        .lanes_below = ((uint64_t)1 << lane) - 1,
        .mirrored = cls_scramble(first + size - 1 - lane),
        .neighbour = cls_scramble(first + (lane + 1) % size),
    };
    for (uint32_t i = 0; i < size; i++) {
        expected.ballot |= (uint64_t)(cls_scramble(first + i) >> 31) << i;
        expected.match |= (uint64_t)(digit_of(first + i) == digit_of(t)) << i;
        expected.match_count += digit_of(first + i) == digit_of(t);
        expected.scan += i <= lane ? cls_scramble(first + i) >> 8 : 0;
    }
    return expected;
}

/* Runs the kernel and returns CLSORT_E_SELF_TEST if a result is wrong. */
static cl_int run_and_compare(struct cls_device *device, cl_kernel kernel, unsigned size,
                              unsigned group_size)
{
    cls_sub_group_result *found = malloc(group_size * sizeof *found);
    cl_int status = found ? cls_launch_alone(device->context, device->id, kernel, group_size,
                                             group_size * sizeof *found, found)
                          : CLSORT_E_MEMORY;
    for (uint32_t t = 0; t < group_size && status == CL_SUCCESS; t++) {
        const cls_sub_group_result expected = expected_result(size, t);
        if (memcmp(&expected, &found[t], sizeof expected) != 0)
            status = CLSORT_E_SELF_TEST;
    }
    free(found);
    return status;
}

cl_int cls_sub_group_test(struct cls_device *device, struct cls_sub_group sub_group)
{
    char line[128];
    struct cls_text options = CLS_TEXT(line);
    cl_kernel kernel = NULL;
    unsigned group_size = sub_group.size * MAX_TESTED_SUB_GROUPS;
    while (group_size > device->caps.group_size && group_size > sub_group.size)
        group_size /= 2;
    if (group_size > device->caps.group_size)
        return CLSORT_E_UNSUPPORTED;
    cls_text_add(&options, "-DGROUP_SIZE=%u", group_size);
    add_options(sub_group, device->caps.opencl, &options);
    const struct cls_program_source source = {"self_test/sub_group.cl", line, NULL};
    cl_int status = cls_kernel_create(device, &source, "test_sub_group", &kernel);
    if (status == CL_SUCCESS) {
        status = run_and_compare(device, kernel, sub_group.size, group_size);
        clReleaseKernel(kernel);
    }
    return status;
}
