/* probe.c - capabilities that only a compilation or a kernel can determine */
#include "device/probe.h"

#include "device/sub_group.h"
#include "device/verdicts.h"

/* The size of emulated sub-groups. Larger ones read more local memory per match; smaller ones need
 * more counters per tile. */
enum { EMULATED_SIZE = 16 };

/* Returns false if the processor of the host lacks AVX-512, so that CPU devices do, too. A program
 * that tests this would take PoCL 3.1 0.3 s to compile. */
static bool host_has_avx512(void)
{
#if defined(__GNUC__) && defined(__x86_64__)
    return __builtin_cpu_supports("avx512f");
#else
    return false;
#endif
}

/* On CPUs, finds out whether a program with the vector compress instructions compiles. The result is
 * stored as a verdict, since drivers without a binary cache compile the program each time. Other
 * errors than the missing kernel may be transient and are not stored. */
static cl_int probe_compress(struct cls_device *device)
{
    static const char subject[] = "compress instructions";
    const struct cls_program_source source = {"probe/compress.cl", "", NULL};
    cl_kernel kernel = NULL;
    clsort_status verdict;
    if (!(device->caps.type & CL_DEVICE_TYPE_CPU) || !host_has_avx512())
        return CL_SUCCESS;
    if (cls_verdict_find_status(device, subject, &verdict)) {
        device->caps.compresses = verdict == CLSORT_OK;
        return CL_SUCCESS;
    }
    const cl_int status = cls_kernel_create(device, &source, "can_compress", &kernel);
    device->caps.compresses = status == CL_SUCCESS;
    if (status == CL_SUCCESS || status == CL_INVALID_KERNEL_NAME)
        cls_verdict_keep_status(device, subject, status);
    if (status == CL_SUCCESS)
        return clReleaseKernel(kernel);
    return cls_is_shortage(status) ? status : CL_SUCCESS;
}

/* Tests the sub-groups unless a verdict is stored, and stores the verdict. A shortage of memory is
 * not recorded as a verdict. */
static cl_int test_once(struct cls_device *device, struct cls_sub_group sub_group)
{
    char line[64];
    struct cls_text subject = CLS_TEXT(line);
    clsort_status status;
    cls_text_add(&subject, "sub-group size %u backend %d", sub_group.size, (int)sub_group.backend);
    if (cls_verdict_find_status(device, line, &status))
        return status;
    const struct cls_self_test_timer timer = cls_self_test_begin(device);
    status = cls_sub_group_test(device, sub_group);
    cls_self_test_end(device, &timer);
    if (!cls_is_shortage(status))
        cls_verdict_keep_status(device, line, status);
    return status;
}

/* Selects the first candidate that passes its test, or emulated sub-groups if none does. A CPU gets
 * no sub-groups, since it would have to emulate them. */
static cl_int probe_sub_groups(struct cls_device *device)
{
    struct cls_caps *caps = &device->caps;
    struct cls_sub_group candidates[CLS_MAX_SUB_GROUP_CANDIDATES];
    size_t count;
    if (caps->sub_group_size > 0)
        return CL_SUCCESS;
    caps->sub_group_size = 1;
    if (caps->type & CL_DEVICE_TYPE_CPU)
        return CL_SUCCESS;
    cl_int status = cls_sub_group_query(device, candidates, &count);
    for (size_t i = 0; i < count && !cls_is_shortage(status); i++) {
        status = test_once(device, candidates[i]);
        if (status == CLSORT_OK) {
            caps->sub_group_backend = candidates[i].backend;
            caps->sub_group_size = candidates[i].size;
            return CL_SUCCESS;
        }
    }
    caps->sub_group_size = EMULATED_SIZE;
    return cls_is_shortage(status) ? status : CL_SUCCESS;
}

cl_int cls_probe(struct cls_device *device)
{
    const cl_int status = probe_compress(device);
    return status == CL_SUCCESS ? probe_sub_groups(device) : status;
}
