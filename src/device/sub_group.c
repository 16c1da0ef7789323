/* sub_group.c - which work-items of a device are lanes of one group, and how they meet (lanes.cl) */
#include "device/sub_group.h"

#include "device/launch.h"

#include <stdlib.h>
#include <string.h>

enum {
    LOCAL_WIDTH =
        16, /* more lanes read more of local memory for a match, fewer need more counters */
    LANE_GROUPS = 4, /* of a test */
    DIGIT_BITS = 3   /* few, so that lanes match */
};

/* What a work-item of lanes_tell in probe.cl tells, in its order. */
enum { NUMBER, VOTES, BEFORE, MATCH, COUNT, MIRROR, SUM, NEIGHBOUR, TOLD };

#define KHR_BALLOT "cl_khr_subgroup_ballot"
#define KHR_SHUFFLE "cl_khr_subgroup_shuffle"

enum { MAX_WIDTHS = 4 };

/* NVIDIA's and AMD's compilers are known by what only they have. Where cl_khr_subgroups has a choice of widths it is
 * Intel's, whose registers are shared among more lanes in wider groups. */
static const struct {
    const char *extensions[4]; /* all of them; ends with NULL */
    unsigned opencl;           /* this version at least */
    enum cls_sub_group_backend body;
    unsigned widths[MAX_WIDTHS + 1];
} OFFERS[] = {
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

size_t cls_sub_group_offered(const char *extensions, unsigned opencl, struct cls_sub_group *offers)
{
    size_t count = 0;
    for (size_t i = 0; i < sizeof OFFERS / sizeof *OFFERS; i++) {
        bool is_offered = opencl >= OFFERS[i].opencl;
        for (const char *const *name = OFFERS[i].extensions; *name; name++)
            is_offered &= has_word(extensions, *name);
        for (const unsigned *width = OFFERS[i].widths; is_offered && *width > 0; width++)
            offers[count++] = (struct cls_sub_group){OFFERS[i].body, *width};
    }
    return count;
}

cl_int cls_sub_group_offers(const struct cls_device *device, struct cls_sub_group *offers,
                            size_t *count)
{
    size_t size = 0;
    *count = 0;
    cl_int status = clGetDeviceInfo(device->id, CL_DEVICE_EXTENSIONS, 0, NULL, &size);
    if (status != CL_SUCCESS)
        return status;
    char *extensions = calloc(size + 1, 1);
    if (!extensions)
        return CLSORT_E_MEMORY;
    status = clGetDeviceInfo(device->id, CL_DEVICE_EXTENSIONS, size, extensions, NULL);
    if (status == CL_SUCCESS)
        *count = cls_sub_group_offered(extensions, device->caps.opencl, offers);
    free(extensions);
    return status;
}

/* cl_khr_subgroups needs OpenCL C 2.0. */
static void add_options(struct cls_sub_group lanes, unsigned opencl, struct cls_text *options)
{
    cls_text_add(options, " -DSUB_GROUP_SIZE=%u -DSUB_GROUP_BACKEND=%d", lanes.width,
                 (int)lanes.body);
    if (lanes.body == CLS_SUB_GROUP_KHR)
        cls_text_add(options, " -cl-std=CL%u.0", opencl);
}

void cls_sub_group_options(const struct cls_caps *caps, struct cls_text *options)
{
    const struct cls_sub_group lanes = {caps->sub_group_backend,
                                        caps->sub_group_size > 0 ? caps->sub_group_size : 1};
    add_options(lanes, caps->opencl, options);
}

/* -- the test ------------------------------------------------------------------------------------- */

static uint32_t scramble(uint32_t i)
{
    return (i + 1) * UINT32_C(2654435761);
}

static uint32_t digit_of(uint32_t i)
{
    return scramble(i) >> (32 - DIGIT_BITS);
}

/* What work-item t of lane groups of this width should tell. */
static void expect(unsigned width, uint32_t t, uint64_t *told)
{
    const uint32_t lane = t % width, first = t - lane;
    memset(told, 0, TOLD * sizeof *told);
    told[NUMBER] = t;
    told[BEFORE] = ((uint64_t)1 << lane) - 1;
    for (uint32_t i = 0; i < width; i++) {
        told[VOTES] |= (uint64_t)(scramble(first + i) >> 31) << i;
        told[MATCH] |= (uint64_t)(digit_of(first + i) == digit_of(t)) << i;
        told[COUNT] += digit_of(first + i) == digit_of(t);
        told[SUM] += i <= lane ? scramble(first + i) >> 8 : 0;
    }
    told[MIRROR] = scramble(first + width - 1 - lane);
    told[NEIGHBOUR] = scramble(first + (lane + 1) % width);
}

static cl_int compare(struct cls_device *device, cl_kernel kernel, unsigned width, unsigned items)
{
    uint64_t told[TOLD];
    const size_t bytes = items * sizeof told;
    uint64_t *found = malloc(bytes);
    cl_int status = found
                        ? cls_launch_alone(device->context, device->id, kernel, items, bytes, found)
                        : CLSORT_E_MEMORY;
    for (uint32_t t = 0; t < items && status == CL_SUCCESS; t++) {
        expect(width, t, told);
        if (memcmp(told, found + (size_t)t * TOLD, sizeof told) != 0)
            status = CLSORT_E_SELF_TEST;
    }
    free(found);
    return status;
}

cl_int cls_sub_group_test(struct cls_device *device, struct cls_sub_group lanes)
{
    char line[128];
    struct cls_text options = CLS_TEXT(line);
    cl_kernel kernel = NULL;
    unsigned items = lanes.width * LANE_GROUPS;
    while (items > device->caps.group_size && items > lanes.width)
        items /= 2;
    if (items > device->caps.group_size)
        return CLSORT_E_UNSUPPORTED;
    cls_text_add(&options, "-DGROUP_SIZE=%u", items);
    add_options(lanes, device->caps.opencl, &options);
    const struct cls_program_source source = {"self_test/sub_group.cl", line, NULL};
    cl_int status = cls_kernel_create(device, &source, "lanes_tell", &kernel);
    if (status == CL_SUCCESS) {
        status = compare(device, kernel, lanes.width, items);
        clReleaseKernel(kernel);
    }
    return status;
}
