/* error.h - the sentence about the most recent failure in this thread, which clsort_last_error returns
 *
 * A public function calls cls_error_begin, and returns through cls_error_end. The functions that it
 * calls set the sentence where they detect a failure. They may recover from it: cls_error_end empties
 * the sentence if the public function succeeds. */
#ifndef CLSORT_BASE_ERROR_H
#define CLSORT_BASE_ERROR_H

#include "base/format.h"

#include <clsort.h>

enum { CLS_ERROR_BYTES = 4096 }; /* a longer sentence is cut and ends with " ..." */

/* Empties the sentence. device is the number of the engine's device (cls_device.number); 0: the call
 * is about no engine. A number is never reused, unlike an address. */
void cls_error_begin(size_t device);

/* Returns status. Empties the sentence if status is CLSORT_OK. Otherwise makes sure that there is
 * one about this status: clsort_status_string, if nothing more specific was set. */
clsort_status cls_error_end(clsort_status status);

/* Sets the sentence about status, formatted as by printf, and returns status. No argument may point
 * to the current sentence. */
clsort_status cls_fail(clsort_status status, const char *format, ...) CLS_FORMAT(2, 3);

/* Returns the status that an OpenCL function has returned. Sets the sentence if it is an error. */
cl_int cls_called(const char *function, cl_int status);

/* Returns the sentence if it is about this status, otherwise clsort_status_string. */
const char *cls_error_text(clsort_status status);

/* Returns the sentence if the last call was about this device; 0: about any. Otherwise "". */
const char *cls_error_about(size_t device);

#endif
