// scan.cl - what a work-group works out together: prefix sums, and what its keys look like
//
// GROUP_SIZE    work-items in a group

#if !defined(KEY_BYTES) || !defined(GROUP_SIZE)
#error "scan.cl needs types.cl, keys.cl, control.cl and GROUP_SIZE"
#endif

// The sum of the values of all work-items before this one; *total is the sum of all. `sums` holds
// 2 * GROUP_SIZE elements. Hillis and Steele, "Data parallel algorithms", CACM 29(12), 1986, p. 1170: the two
// halves take turns, so that one barrier a step is enough.
static inline ulong group_scan(const ulong value, __local ulong *sums, ulong *total)
{
    const uint t = (uint)get_local_id(0);
    uint from = 0;
    sums[t] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint distance = 1; distance < GROUP_SIZE; distance *= 2) {
        const ulong sum = sums[from + t] + (t >= distance ? sums[from + t - distance] : 0);
        from = GROUP_SIZE - from;
        sums[from + t] = sum;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    const ulong sum = sums[from + t];
    *total = sums[from + GROUP_SIZE - 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    return sum - value;
}

// What all work-items saw, for each of them. `all` holds GROUP_SIZE elements.
static inline seen_t group_seen(const seen_t mine, __local seen_t *all)
{
    const uint t = (uint)get_local_id(0);
    all[t] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint distance = 1; distance < GROUP_SIZE; distance *= 2) {
        if (t % (2 * distance) == 0 && t + distance < GROUP_SIZE)
            all[t] = seen_both(all[t], all[t + distance]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    return all[0];
}
