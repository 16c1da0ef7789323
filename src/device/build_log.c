/* build_log.c - copies the build log of a program to the log of its device */
#include "device/build_log.h"

#include "device/log_lines.h"

#include <stdlib.h>

/* Returns the build log, which the caller frees, or NULL on failure. */
static char *build_log_of(const struct cls_device *device, cl_program program)
{
    size_t size = 0;
    if (clGetProgramBuildInfo(program, device->id, CL_PROGRAM_BUILD_LOG, 0, NULL, &size) !=
        CL_SUCCESS)
        return NULL;
    char *log = calloc(size + 1, 1);
    if (log && clGetProgramBuildInfo(program, device->id, CL_PROGRAM_BUILD_LOG, size, log, NULL) !=
                   CL_SUCCESS) {
        free(log);
        log = NULL;
    }
    return log;
}

/* Returns the complete source of the program, which the caller frees, or NULL on failure. */
static char *source_of(cl_program program)
{
    size_t size = 0;
    if (clGetProgramInfo(program, CL_PROGRAM_SOURCE, 0, NULL, &size) != CL_SUCCESS)
        return NULL;
    char *source = calloc(size + 1, 1);
    if (source && clGetProgramInfo(program, CL_PROGRAM_SOURCE, size, source, NULL) != CL_SUCCESS) {
        free(source);
        source = NULL;
    }
    return source;
}

void cls_device_log_build(struct cls_device *device, cl_program program)
{
    char *log = build_log_of(device, program);
    char *source = log && cls_log_ignores_directives(log) ? source_of(program) : NULL;
    char *with_lines = source ? cls_log_with_lines(log, source) : NULL;
    free(source);
    free(device->log);
    device->log = with_lines ? with_lines : log;
    if (with_lines)
        free(log);
}
