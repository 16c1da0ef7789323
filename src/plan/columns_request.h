/* columns_request.h - reads a descriptor of an operation by columns or on CLSORT_BYTES */
#ifndef CLSORT_PLAN_COLUMNS_REQUEST_H
#define CLSORT_PLAN_COLUMNS_REQUEST_H

#include "plan/request.h"

/* Returns whether the descriptor has columns, records or keys of CLSORT_BYTES. */
bool cls_columns_are_set(const clsort_desc *desc);

/* Reads such a descriptor, whose flags and operation are known. The elements become the keys of the sort
 * spec. Returns the errors that clsort_plan_create documents. */
clsort_status cls_columns_read(const clsort_desc *desc, struct cls_request *request);

/* Appends a description: "records of 32 bytes by f32 desc at 0, u8 at 4". */
void cls_columns_describe(const struct cls_request *request, struct cls_text *text);

#endif
