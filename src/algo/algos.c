/* algos.c - the table of algorithms, and what they share */
#include "algo/algo.h"

#include <string.h>

const struct cls_algo *const cls_algos[] = {&cls_algo_radix,
                                            &cls_algo_onesweep,
                                            &cls_algo_hybrid,
                                            &cls_algo_cpu_vector,
                                            &cls_algo_cpu,
                                            &cls_algo_local,
                                            &cls_algo_count,
                                            &cls_algo_count_groups,
                                            &cls_algo_merge_cores,
                                            &cls_algo_merge,
                                            &cls_algo_bitonic_vector,
                                            &cls_algo_bitonic,
                                            NULL};

bool cls_algo_is(const struct cls_algo *algo, const struct cls_algo *other)
{
    return strcmp(algo->name, other->name) == 0;
}

const struct cls_algo *cls_algo_at(size_t index)
{
    for (size_t i = 0; cls_algos[i]; i++)
        if ((i == 0 || !cls_algo_is(cls_algos[i - 1], cls_algos[i])) && index-- == 0)
            return cls_algos[i];
    return NULL;
}

void cls_shape_options(const struct cls_shape *shape, struct cls_text *options)
{
    cls_text_add(options,
                 "-DKEY_BYTES=%u -DKEY_ORDER=%d -DVALUE_BYTES=%zu -DVALUE_INDEX=%d -DINDEX_BITS=%u",
                 shape->key_bytes, (int)shape->order, shape->value_bytes, shape->value_is_index,
                 shape->index_bits);
}

static cl_int check_group_size(const struct cls_device *device, cl_kernel kernel, size_t group_size)
{
    size_t most = 0;
    if (!device->caps.kernels_tell_group_size)
        return CL_SUCCESS;
    const cl_int status = clGetKernelWorkGroupInfo(kernel, device->id, CL_KERNEL_WORK_GROUP_SIZE,
                                                   sizeof most, &most, NULL);
    return status == CL_SUCCESS && most < group_size ? CLSORT_E_UNSUPPORTED : status;
}

cl_int cls_kernels_create(struct cls_device *device, const struct cls_code *code,
                          const char *const *names, size_t group_size, cl_kernel *kernels)
{
    for (size_t i = 0; i < CLS_MOST_KERNELS; i++)
        kernels[i] = NULL;
    for (size_t i = 0; names[i]; i++) {
        cl_int status = cls_kernel_create(device, code, names[i], &kernels[i]);
        if (status == CL_SUCCESS)
            status = check_group_size(device, kernels[i], group_size);
        if (status != CL_SUCCESS) {
            cls_kernels_release(kernels);
            return status;
        }
    }
    return CL_SUCCESS;
}

void cls_kernels_release(cl_kernel *kernels)
{
    for (size_t i = 0; i < CLS_MOST_KERNELS; i++) {
        if (kernels[i])
            clReleaseKernel(kernels[i]);
        kernels[i] = NULL;
    }
}

void cls_arg_order(struct cls_launch *launch, const struct cls_shape *shape)
{
    if (shape->order == CLS_ORDER_CUSTOM) {
        cls_arg_uint(launch, 0);
    } else {
        cls_arg_key(launch, shape, shape->flip);
        cls_arg_key(launch, shape, cls_window(shape));
    }
}

void cls_arg_values(struct cls_launch *launch, const struct cls_shape *shape, clsort_buffer buffer)
{
    if (shape->value_bytes > 0)
        cls_arg_buffer(launch, buffer);
}

void cls_arg_input_values(struct cls_launch *launch, const struct cls_shape *shape,
                          clsort_buffer buffer)
{
    if (!shape->value_is_index)
        cls_arg_values(launch, shape, buffer);
}
