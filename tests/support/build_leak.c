/* build_leak.c - replaces clBuildProgram of the OpenCL loader, so that LeakSanitizer ignores what PoCL's leaks
 *
 * PoCL 3.1 never frees the options of a program if $POCL_EXTRA_BUILD_FLAGS, which the tests set, adds some to them
 * (compile_and_link_program in lib/CL/pocl_build.c). A suppression could not tell this leak from a leak of clsort,
 * because all stacks of allocations in PoCL consist of one unnamed frame. Programs that clsort leaks are still
 * reported: clCreateProgramWithSource allocates them. */
#include "next.h"

#include <CL/cl.h>
#include <sanitizer/lsan_interface.h>

cl_int CL_API_CALL clBuildProgram(cl_program program, cl_uint device_count,
                                  const cl_device_id *devices, const char *options,
                                  void(CL_CALLBACK *notify)(cl_program, void *), void *data)
{
    cl_int(CL_API_CALL * next)(cl_program, cl_uint, const cl_device_id *, const char *,
                               void(CL_CALLBACK *)(cl_program, void *), void *);
    next_function("clBuildProgram", &next);
    __lsan_disable();
    cl_int status = next(program, device_count, devices, options, notify, data);
    __lsan_enable();
    return status;
}
