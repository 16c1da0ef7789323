// head.cl - the head of every algorithm's control block: what the gather reads of it

#if !defined(INDEX_BITS)
#error "head.cl needs types.cl"
#endif

typedef struct {
    ulong varying; // the bits inside the window in which ordered keys differ
    uint identity; // 1: the input is in order already, and index values are not written
    uint unused;
} head_t;
