/* unstaged.c - plans without stages: a table of their kinds */
#include "plan/unstaged.h"

#include "plan/columns.h"
#include "plan/operation.h"
#include "plan/segment_selection.h"
#include "plan/segmented.h"
#include "plan/selection.h"
#include "plan/value_arrays.h"

/* Defines the functions of a kind, which pass a member of the plan to the functions of its type. MEMBER_limits, which
 * is defined before, sets the maximum numbers of the plan. */
#define FUNCTIONS(member, type)                                                                    \
    static clsort_status member##_create(struct clsort_plan *plan,                                 \
                                         const struct cls_ladders *ladders)                        \
    {                                                                                              \
        const clsort_status status =                                                               \
            type##_create(plan->device, ladders, &plan->request, &plan->member);                   \
        if (status == CLSORT_OK)                                                                   \
            member##_limits(plan);                                                                 \
        return status;                                                                             \
    }                                                                                              \
    static void member##_destroy(struct clsort_plan *plan)                                         \
    {                                                                                              \
        type##_destroy(plan->member);                                                              \
    }                                                                                              \
    static uint64_t member##_scratch_bytes(const struct clsort_plan *plan, uint64_t count)         \
    {                                                                                              \
        return type##_scratch_bytes(plan->member, count);                                          \
    }                                                                                              \
    static uint64_t member##_cost_bytes(const struct clsort_plan *plan, uint64_t count)            \
    {                                                                                              \
        return type##_cost_bytes(plan->member, count);                                             \
    }                                                                                              \
    static void member##_describe(const struct clsort_plan *plan, uint64_t count,                  \
                                  struct cls_text *text)                                           \
    {                                                                                              \
        type##_describe(plan->member, count, text);                                                \
    }                                                                                              \
    static cl_int member##_enqueue(const struct clsort_plan *plan,                                 \
                                   const struct cls_arrays *arrays, clsort_buffer scratch,         \
                                   struct cls_chain *chain)                                        \
    {                                                                                              \
        return type##_enqueue(plan->device, plan->member, arrays, scratch, chain);                 \
    }

/* The first members of the row of a kind. */
#define ROW(member)                                                                                \
    member##_create, member##_destroy, member##_scratch_bytes, member##_cost_bytes,                \
        member##_describe, member##_enqueue

/* -- several arrays of values ------------------------------------------------------------------ */

static void value_sort_limits(struct clsort_plan *plan)
{
    plan->max_count = plan->value_sort->max_count;
}

static uint64_t value_sort_max_segments(const struct clsort_plan *plan, uint64_t count)
{
    return cls_value_sort_max_segments(plan->value_sort, count);
}

FUNCTIONS(value_sort, cls_value_sort)
static const struct cls_unstaged value_sorts = {ROW(value_sort), value_sort_max_segments};

/* -- columns ----------------------------------------------------------------------------------- */

static void columns_limits(struct clsort_plan *plan)
{
    plan->max_count = plan->columns->max_count;
    if (plan->request.spec.operation == CLSORT_SELECT)
        plan->max_k = plan->columns->max_k;
}

static uint64_t columns_max_segments(const struct clsort_plan *plan, uint64_t count)
{
    return cls_columns_sort_max_segments(plan->columns, count);
}

FUNCTIONS(columns, cls_columns_sort)
static const struct cls_unstaged columns_sorts = {ROW(columns), columns_max_segments};

/* -- selections -------------------------------------------------------------------------------- */

static void parts_limits(const struct cls_selection_parts *parts, struct clsort_plan *plan)
{
    plan->max_count = parts->max_count;
    if (plan->request.spec.operation == CLSORT_SELECT)
        plan->max_k = parts->max_k;
}

static void selection_limits(struct clsort_plan *plan)
{
    parts_limits(&plan->selection->parts, plan);
}

FUNCTIONS(selection, cls_selection)
static const struct cls_unstaged selections = {ROW(selection), NULL};

static void segment_selection_limits(struct clsort_plan *plan)
{
    parts_limits(&plan->segment_selection->parts, plan);
    plan->max_output = plan->segment_selection->max_places;
}

static uint64_t segment_selection_max_segments(const struct clsort_plan *plan, uint64_t count)
{
    return cls_segment_selection_max_segments(plan->segment_selection, count);
}

FUNCTIONS(segment_selection, cls_segment_selection)
static const struct cls_unstaged segment_selections = {ROW(segment_selection),
                                                       segment_selection_max_segments};

/* -- segments ---------------------------------------------------------------------------------- */

static void segmented_limits(struct clsort_plan *plan)
{
    plan->max_count = plan->segmented->max_count;
}

static uint64_t segmented_max_segments(const struct clsort_plan *plan, uint64_t count)
{
    return cls_segmented_max_segments(plan->segmented, count);
}

FUNCTIONS(segmented, cls_segmented)
const struct cls_unstaged cls_unstaged_segmented = {ROW(segmented), segmented_max_segments};

/* -- the choice -------------------------------------------------------------------------------- */

const struct cls_unstaged *cls_unstaged_for(const struct cls_request *request)
{
    const bool has_segments = request->spec.segments != CLSORT_WHOLE;
    const bool selects = cls_operation_of(&request->spec)->selects;
    /* Custom orders and columns sort all elements first. If only the device knows their number, a kernel must take the
     * selected ones from these, as it does from sorted segments. */
    const bool sorts_all = request->spec.order == CLS_ORDER_CUSTOM || request->columns.count > 0;
    const bool takes_sorted = sorts_all && request->spec.count_bytes > 0;
    if (request->value_count > 0)
        return &value_sorts;
    if (selects && (has_segments || takes_sorted))
        return &segment_selections;
    if (request->columns.count > 0 && request->spec.order != CLS_ORDER_COLUMNS)
        return &columns_sorts;
    if (selects)
        return &selections;
    return has_segments ? &cls_unstaged_segmented : NULL;
}
