/* error.c - the sentence about the most recent failure in this thread */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static _Thread_local struct {
    size_t device;
    clsort_status status; /* that the sentence is about */
    char text[CLS_ERROR_BYTES];
} error;

void cls_error_begin(size_t device)
{
    error.device = device;
    error.status = CLSORT_OK;
    error.text[0] = '\0';
}

clsort_status cls_error_end(clsort_status status)
{
    if (status == CLSORT_OK)
        cls_error_begin(error.device);
    else if (status != error.status || error.text[0] == '\0')
        cls_fail(status, "%s", clsort_status_string(status));
    return status;
}

clsort_status cls_fail(clsort_status status, const char *format, ...)
{
    static const char CUT[] = " ...";
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(error.text, sizeof error.text, format, arguments);
    va_end(arguments);
    if (length >= CLS_ERROR_BYTES)
        memcpy(error.text + CLS_ERROR_BYTES - sizeof CUT, CUT, sizeof CUT);
    error.status = status;
    return status;
}

cl_int cls_called(const char *function, cl_int status)
{
    return status == CL_SUCCESS
               ? status
               : cls_fail(status, "%s returned %s", function, clsort_status_string(status));
}

const char *cls_error_text(clsort_status status)
{
    return status == error.status && error.text[0] ? error.text : clsort_status_string(status);
}

const char *cls_error_about(size_t device)
{
    return device == 0 || device == error.device ? error.text : "";
}
