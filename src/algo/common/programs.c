/* programs.c - describes the programs of an algorithm, and creates their kernels */
#include "algo/common/programs.h"

#include "base/error.h"
#include "base/hash.h"

/* The size of keys in programs that compare elements by columns, which have none. */
enum { WORD_BYTES = 8 };

void cls_program_begin(struct cls_program_spec *program, const char *root,
                       const char *const *kernels, size_t group_size, const struct cls_spec *spec)
{
    program->root = root;
    program->kernels = kernels;
    program->group_size = group_size;
    program->options = (struct cls_text)CLS_TEXT(program->line);
    cls_text_add(&program->options,
                 "-DKEY_BYTES=%u -DKEY_ORDER=%d -DVALUE_BYTES=%zu -DVALUE_INDEX=%d -DINDEX_BITS=%u",
                 spec->order == CLS_ORDER_COLUMNS ? WORD_BYTES : spec->key_bytes, (int)spec->order,
                 spec->value_bytes, spec->value_is_index, spec->index_bits);
    if (spec->order == CLS_ORDER_COLUMNS)
        cls_text_add(&program->options, " -DCOLUMN_BUFFERS=%d", spec->column_buffers > 0);
    if (spec->count_bytes > 0)
        cls_text_add(&program->options, " -DCOUNT_BYTES=%u", spec->count_bytes);
}

uint64_t cls_program_hash(uint64_t hash, const struct cls_program_spec *program)
{
    hash = cls_hash(hash, program->root, strlen(program->root) + 1);
    return cls_hash(hash, program->line, strlen(program->line) + 1);
}

static cl_int check_group_size(const struct cls_device *device, cl_kernel kernel, size_t group_size)
{
    size_t max = 0;
    if (!device->caps.reports_kernel_group_size)
        return CL_SUCCESS;
    const cl_int status = clGetKernelWorkGroupInfo(kernel, device->id, CL_KERNEL_WORK_GROUP_SIZE,
                                                   sizeof max, &max, NULL);
    return status == CL_SUCCESS && max < group_size
               ? cls_fail(CLSORT_E_UNSUPPORTED,
                          "a compiled kernel supports work-groups of %zu work-items only, not of "
                          "%zu",
                          max, group_size)
               : cls_called("clGetKernelWorkGroupInfo", status);
}

static cl_int create_kernels(struct cls_device *device, const struct cls_program_spec *program,
                             const struct cls_custom *custom, cl_kernel *kernels)
{
    const struct cls_program_source source = {program->root, program->line, custom};
    if (!cls_text_fits(&program->options))
        return CL_INVALID_BUILD_OPTIONS;
    for (size_t i = 0; program->kernels[i]; i++) {
        cl_int status = cls_kernel_create(device, &source, program->kernels[i], &kernels[i]);
        if (status == CL_SUCCESS)
            status = check_group_size(device, kernels[i], program->group_size);
        if (status != CL_SUCCESS)
            return status;
    }
    return CL_SUCCESS;
}

cl_int cls_kernels_create(struct cls_device *device, const struct cls_program_spec *programs,
                          size_t count, const struct cls_custom *custom, cl_kernel *kernels)
{
    size_t created = 0;
    for (size_t i = 0; i < CLS_MAX_KERNELS; i++)
        kernels[i] = NULL;
    for (size_t i = 0; i < count; i++) {
        const cl_int status = create_kernels(device, &programs[i], custom, kernels + created);
        if (status != CL_SUCCESS) {
            cls_kernels_release(kernels);
            return status;
        }
        while (created < CLS_MAX_KERNELS && kernels[created])
            created++;
    }
    return CL_SUCCESS;
}

void cls_kernels_release(cl_kernel *kernels)
{
    for (size_t i = 0; i < CLS_MAX_KERNELS; i++) {
        if (kernels[i])
            clReleaseKernel(kernels[i]);
        kernels[i] = NULL;
    }
}
