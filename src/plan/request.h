/* request.h - reads a descriptor: checks it and converts it to normal form */
#ifndef CLSORT_PLAN_REQUEST_H
#define CLSORT_PLAN_REQUEST_H

#include "base/columns.h"
#include "base/key_spec.h"
#include "plan/algorithm_name.h"

struct cls_request {
    struct cls_spec spec;   /* value_bytes is that of the caller; index fields are not set yet */
    uint64_t max_count;     /* 0: as many elements as the device can hold */
    uint64_t min_count;     /* the plan need not sort fewer elements; 0: unknown */
    unsigned index_bytes;   /* size of an index or offset, if the operation has any */
    uint64_t max_k;         /* CLSORT_SELECT: maximum number of selected elements; 0: max_count */
    bool input_order;       /* CLSORT_SELECT: the selected elements are not sorted */
    uint64_t max_segments;  /* operations on segments: 0: as the number of elements */
    bool segments_in_order; /* CLSORT_BEGIN_END: begins are in ascending order */
    bool no_scratch;        /* scratch memory is not allowed */
    bool is_test;           /* the plan will not sort: kernels that have passed are not compiled */
    struct cls_algorithm_request algorithm; /* algo is NULL: the library chooses */
    struct cls_columns columns; /* none: the sort has a single key; else spec describes elements */
    /* Several arrays of values, besides which spec has none; value_count is 0 if there are not. */
    unsigned value_count;
    uint32_t value_sizes[CLSORT_MAX_VALUES];
};

/* Reads a descriptor. Returns the errors that clsort_plan_create documents. */
clsort_status cls_request_read(const clsort_desc *desc, struct cls_request *request);

/* Reads the fields that only selections have. */
clsort_status cls_request_read_selection(const clsort_desc *desc, struct cls_request *request);

/* Returns whether segments have offsets, which have the size of an index. */
bool cls_request_has_offsets(const clsort_desc *desc);

/* Reads the fields of segments, and the size of a count in device memory. */
clsort_status cls_request_read_segments(const clsort_desc *desc, struct cls_request *request);

/* Sets *bytes to the size of an index. */
clsort_status cls_request_index_size(const clsort_desc *desc, unsigned *bytes);

/* Returns the spec of a gather of values of this size. */
struct cls_spec cls_gather_spec(unsigned index_bytes, size_t value_bytes);

/* Appends a description of the elements and their order: "u32 desc + 4 bytes". */
void cls_request_describe(const struct cls_request *request, struct cls_text *text);

#endif
