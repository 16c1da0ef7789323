/* build_log.c - the error of a program that does not compile, with the build log */
#include "device/build_log.h"

#include "base/error.h"
#include "base/text.h"
#include "device/log_lines.h"

#include <stdlib.h>
#include <string.h>

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

/* Appends a sentence on a log that names no line of the custom order. */
static void explain(const char *log, const struct cls_custom *custom, struct cls_text *text)
{
    if (cls_log_names_line(log, "prelude") || cls_log_names_line(log, "key_type") ||
        cls_log_names_line(log, "less"))
        return;
    /* Messages quote the name (cl/common/order.cl), unlike lines of the source that some logs have. */
    if (strstr(log, "'clsort_key_type_has_not_key_size_bytes'"))
        cls_text_add(text, ": key_type does not have the size key_size, which is %u",
                     custom->key_bytes);
    else
        cls_text_add(text,
                     ": no message names a line of prelude, key_type or less; usually one of "
                     "them lacks the end of a brace or a comment, or defines a name that the "
                     "kernels use");
}

cl_int cls_fail_build(const struct cls_device *device, cl_program program,
                      const struct cls_custom *custom, cl_int status)
{
    char line[256] = "";
    struct cls_text explanation = CLS_TEXT(line);
    char *log = build_log_of(device, program);
    char *source = log && cls_log_ignores_directives(log) ? source_of(program) : NULL;
    char *with_lines = source ? cls_log_with_lines(log, source) : NULL;
    const char *text = with_lines ? with_lines : log ? log : "";
    if (custom)
        explain(text, custom, &explanation);
    if (!*text)
        cls_called("clBuildProgram", status);
    else if (status == CL_BUILD_PROGRAM_FAILURE)
        cls_fail(status, "the program does not compile%s:\n%s", line, text);
    else
        cls_fail(status, "clBuildProgram returned %s:\n%s", clsort_status_string(status), text);
    free(with_lines);
    free(source);
    free(log);
    return status;
}
