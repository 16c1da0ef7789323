// group_or.cl - bitwise OR over a work-group, to find the bits in which keys differ
#ifndef CLSORT_MSD_GROUP_OR_CL
#define CLSORT_MSD_GROUP_OR_CL

// The OR of the values of all work-items. `words` holds 2 elements. What the work-items read from
// global memory before is complete for all of them when this returns.
static inline ulong group_or(const ulong value, __local uint *words)
{
    if (get_local_id(0) == 0) {
        words[0] = words[1] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_or(&words[0], (uint)value);
    atomic_or(&words[1], (uint)(value >> 32));
    barrier(CLK_LOCAL_MEM_FENCE);
    const ulong all = (ulong)words[1] << 32 | words[0];
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    return all;
}

#endif
