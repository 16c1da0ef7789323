// control.cl - what a sort learns about its data, kept on the device
//
// The first read of the keys collects, a group at a time, which bits vary and whether the keys are in
// order already (the order check of Ha, Krueger and Silva, 2009, section 4). Everything that depends on
// it is decided by kernels from this block; the host never reads it.

#if !defined(KEY_BYTES) || !defined(KEY_ORDER)
#error "control.cl needs types.cl, keys.cl and head.cl"
#endif

// What one group saw.
typedef struct {
    ulong any; // OR of its ordered keys
    ulong all; // AND of them
    ulong ordered;
} seen_t;

static inline seen_t seen_nothing(void)
{
    seen_t seen = {0, ~(ulong)0, 1};
    return seen;
}

static inline seen_t seen_both(const seen_t a, const seen_t b)
{
    seen_t seen = {a.any | b.any, a.all & b.all, a.ordered & b.ordered};
    return seen;
}

// A key and the one behind it, both ordered.
static inline seen_t seen_key(const key_t key, const key_t next, const key_t window)
{
    seen_t seen = {key, key, (key & window) <= (next & window)};
    return seen;
}

static inline void write_head(__global head_t *head, const seen_t seen, const key_t window)
{
    head->varying = (seen.any ^ seen.all) & window;
    head->identity = (uint)seen.ordered;
}
