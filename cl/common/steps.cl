// steps.cl - steps of one launch, each of which waits until those before it are complete
//
// A step has a fixed number of parts: tiles, blocks or buckets. Work-groups draw tickets for them
// from an atomic counter, and report the parts that are complete to another one. A group waits only
// for parts that other groups have drawn, so it suffices that groups that have started make
// progress (cls_started_groups_progress() of the host). Sorensen, Donaldson, Batty, Gopalakrishnan
// and Rakamaric, "Portable inter-workgroup barrier synchronisation for GPUs", OOPSLA 2016, section
// 3.
#ifndef CLSORT_COMMON_STEPS_CL
#define CLSORT_COMMON_STEPS_CL

#include "common/sub_group.cl"

// Returns a ticket that work-item 0 has drawn, to all work-items of the group.
static inline uint share_ticket(const uint drawn, __local uint *ticket)
{
    barrier(CLK_LOCAL_MEM_FENCE); // all have read the last one
    if (get_local_id(0) == 0) {
        *ticket = drawn;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return *ticket;
}

// Returns the next ticket, to all work-items of the group.
static inline uint draw_ticket(__global uint *tickets, __local uint *ticket)
{
    return share_ticket(get_local_id(0) == 0 ? atomic_inc(tickets) : 0, ticket);
}

// Reports parts of a step that this group has completed.
static inline void report_parts(__global volatile uint *complete, const uint parts)
{
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        device_fence();
        atomic_add(complete, parts);
    }
}

// Reports one completed part of a step that has `parts` parts. Returns, to all work-items of the group, whether it was
// the last one; they can then read what other groups wrote before they reported theirs. `is_last` has one element.
static inline bool report_part(__global volatile uint *complete, const uint parts,
                               __local uint *is_last)
{
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        device_fence();
        *is_last = atomic_inc(complete) + 1 == parts;
        device_fence();
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    return *is_last != 0;
}

// Waits until this number of parts of a step is complete. All work-items then read what other groups
// wrote before they reported these parts.
static inline void await_parts(__global volatile uint *complete, const uint parts)
{
    if (get_local_id(0) == 0) {
        while (read_published_word(complete) < parts) {
        }
        device_fence();
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}

#endif
