// bin_sort.cl - sorts a small bucket in local memory: keys are scattered to bins, then sorted by
// windows in registers
//
// The bins are intervals of ordered keys. Each covers 2^k consecutive numbers, with the smallest k
// for which 2^BIN_BITS bins cover all ordered keys that the digits of the bucket allow. (In
// msd_sort_single_tile there are no digits; the bins cover the bits up to the highest one in which
// keys differ.) A full tile has about two elements per bin, or four if local memory is short; that
// of a short input (single_tile.cl) has one or more. A
// counting sort by bins leaves each element at a distance from its rank that is less than the
// number of elements in its bin. windows.cl then sorts windows, which are groups of neighbouring
// keys, in a number of sweeps that grows with the size of the largest bin. At least two sweeps run,
// and they nearly always suffice; but no sweep runs if each bin covers one number and the elements
// have no values. If the keys are not sorted after MAX_SWEEPS sweeps, nothing is written, and the bucket
// is left to lsd_in_tile.cl, or to fallback.cl if local memory is short.
//
// With values, each key has an original index in the bucket, `from`, which decides between equal
// keys: this part of the sort is stable. Keys of a bucket usually agree in their highest bits. If
// the remaining bits and the index fit in a number of the size of a key, the two are packed into
// one number, which is faster to sort. The number of elements decides how many bits an index takes.
//
// The steps for a bucket:
//   load        keys of the bucket
//   count       keys per bin, by atomics
//   scan        offsets of the bins, and the size of the largest one
//   scatter     keys to their bins
//   windows     sweeps over the bins
//   write       keys, and then the permuted values (permute_values.cl)
//
// Cost: one read and one write per element, or more for values of more than 8 bytes
// (permute_values.cl); in local memory two atomics and a write at random positions, and for each
// sweep a read and a write in order. Measured (H200, 2^28 u32 keys): 1.06 ms, 0.49 of its copy rate
// of 4.18 TB/s; with u32 values 1.81 ms, 0.57; u64 keys 2.00 ms, 0.51.
//
// Option, which single_tile.cl sets:
//   KEY_INDEX(i)    the index in the bucket of this work-item's key i
#ifndef CLSORT_MSD_BIN_SORT_CL
#define CLSORT_MSD_BIN_SORT_CL

#include "msd/buckets.cl"

#include "common/group_sum.cl"
#include "common/keys.cl"
#include "common/unroll.cl"
#include "msd/permute_values.cl"
#include "msd/windows.cl"

#define LOCAL_BINS (1u << BIN_BITS)
#define ITEM_BINS (LOCAL_BINS / GROUP_SIZE) // of a work-item

#ifndef KEY_INDEX
#define KEY_INDEX(i) ((uint)get_local_id(0) + (i)*GROUP_SIZE)
#endif

#define MAY_PACK (VALUE_BYTES > 0 && KEY_BYTES >= 4)

// Values of more than 8 bytes may have been read from memory that LSD overwrites next.
#if VALUE_BYTES > 8
#define WRITTEN_FENCE (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#else
#define WRITTEN_FENCE CLK_LOCAL_MEM_FENCE
#endif

// counts[] is aligned for loads of vectors.
typedef struct __attribute__((aligned(16))) {
    uint counts[LOCAL_BINS]; // keys per bin; then where the next key of the bin goes
    uint sums[GROUP_SIZE];   // local memory of group_exclusive_sum
    local_bucket_t elements; // the bucket's keys while they are sorted, then its values
    uint largest; // size of the largest bin if it takes more than two sweeps, otherwise 0
    uint last_changing_sweep; // number of the last sweep after the second that changed anything
    uint words[2];            // local memory of group_or
    uint is_sorted;           // 0: the bucket is unchanged
} bin_sort_t;

// The bins of a bucket: values of a bit field of its keys.
typedef struct {
    uint shift;       // lowest bit of the field
    uint mask;        // mask of the field after the shift
    uint first_value; // value of the field in bin 0
    uint top;         // the bucket's keys are equal in the bits from here on
} bins_t;

static inline uint bin_of(const bins_t bins, const key_t key)
{
    return ((uint)(key >> bins.shift) & bins.mask) - bins.first_value;
}

// Bins for all keys that can be in the bucket according to its digits.
static inline bins_t bins_of_digits(const cls_msd_bucket bucket)
{
    const ulong min_key = (ulong)bucket.digit << bucket.shift;
    const ulong max_key =
        bucket.shift < 64 ? min_key + (((ulong)bucket.digits << bucket.shift) - 1) : ~(ulong)0;
    uint shift = (uint)max((int)(bucket.shift + ceil_log2(bucket.digits)) - BIN_BITS, 0);
    // Bins start at multiples of their size, so that a range may reach into one more bin.
    shift += (max_key >> shift) - (min_key >> shift) >= LOCAL_BINS;
    const uint bits = bucket.top - shift;
    const bins_t bins = {shift, bits < 32 ? (1u << bits) - 1 : ~0u, (uint)(min_key >> shift),
                         bucket.top};
    return bins;
}

// Returns the bits in which ordered keys of this work-item differ from `some`. The loop has a function of its own,
// since NVIDIA's compiler would not unroll it inside an `if`, and would keep the keys in memory.
static inline key_t differing_bits(const key_t *key, const uint count, const key_t some)
{
    key_t differing = 0;
    UNROLL
    for (uint i = 0; i < ITEMS; i++) {
        differing |= KEY_INDEX(i) < count ? key[i] ^ some : 0;
    }
    return differing;
}

// Bins for the bits in which the keys of the bucket differ.
static inline bins_t bins_of_varying(const ulong varying)
{
    const uint bits = 64 - (uint)clz(varying | 1);
    const uint shift = bits > BIN_BITS ? bits - BIN_BITS : 0;
    const bins_t bins = {shift, (1u << (bits - shift)) - 1, 0, bits};
    return bins;
}

static inline void clear_bins(__local bin_sort_t *local_sort)
{
    const uint t = (uint)get_local_id(0);
    for (uint i = t; i < LOCAL_BINS; i += GROUP_SIZE) {
        local_sort->counts[i] = 0;
    }
    if (t == 0) {
        local_sort->largest = local_sort->last_changing_sweep = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); // in place, keys have been read
}

static inline void count_bins(__local bin_sort_t *local_sort, const key_t *key, const uint count,
                              const bins_t bins)
{
    clear_bins(local_sort);
    UNROLL
    for (uint i = 0; i < ITEMS; i++) {
        if (KEY_INDEX(i) < count) {
            atomic_inc(&local_sort->counts[bin_of(bins, key[i])]);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

// The counts of the bins become their offsets; sets `largest`.
static inline void scan_bins(__local bin_sort_t *local_sort)
{
    const uint first_bin = (uint)get_local_id(0) * ITEM_BINS;
    uint own[ITEM_BINS], sum = 0, largest = 0, total;
    UNROLL
    for (uint i = 0; i < ITEM_BINS; i++) {
        own[i] = local_sort->counts[first_bin + i];
        sum += own[i];
        largest = max(largest, own[i]);
    }
    if (SWEEPS(largest) > 2) {
        atomic_max(&local_sort->largest, largest);
    }
    uint before = group_exclusive_sum(sum, local_sort->sums, &total);
    UNROLL
    for (uint i = 0; i < ITEM_BINS; i++) {
        local_sort->counts[first_bin + i] = before;
        before += own[i];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

// Moves the keys to their bins, and pads the last window with keys that no other sorts after.
// packs: keys are packed with indexes of index_bits.
static inline void scatter_to_bins(__local bin_sort_t *local_sort, const key_t *key,
                                   const uint count, const bins_t bins, const bool packs,
                                   const uint index_bits)
{
    const uint t = (uint)get_local_id(0);
    UNROLL
    for (uint i = 0; i < ITEMS; i++) {
        const uint j = KEY_INDEX(i);
        if (j < count) {
            const uint rank = atomic_inc(&local_sort->counts[bin_of(bins, key[i])]);
            local_sort->elements.sorted.key[rank] = packs ? key[i] << index_bits | j : key[i];
            VALUES(if (!packs) local_sort->elements.sorted.from[rank] = (ushort)j;)
        }
    }
    for (uint i = t; i < ITEMS; i += GROUP_SIZE) {
        local_sort->elements.sorted.key[count + i] = ~(key_t)0;
        VALUES(local_sort->elements.sorted.from[count + i] = 0xffff;)
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

// Writes the first `count` elements. packs, index_bits: as in scatter_to_bins; high: the highest bits of
// all keys, if keys are packed.
static inline void write_bucket(__local bin_sort_t *local_sort, const cls_msd_bucket bucket,
                                const bucket_arrays_t arrays, const uint count, const bool packs,
                                const uint index_bits, const key_t high, const key_t flip)
{
    const uint t = (uint)get_local_id(0);
    VALUES(uint from[ITEMS];)
    VALUES(const uint index_mask = packs ? (1u << index_bits) - 1 : ~0u;)
    UNROLL
    for (uint i = 0; i < ITEMS; i++) {
        const uint j = t + i * GROUP_SIZE;
        const key_t key = local_sort->elements.sorted.key[j];
        VALUES(const uint index = packs ? (uint)key : local_sort->elements.sorted.from[j];)
        VALUES(from[i] = j < count ? index & index_mask : 0;)
        if (j < count) {
            arrays.keys_out[j] = unordered(packs ? key >> index_bits | high : key, flip);
        }
    }
    VALUES(permute_values(&local_sort->elements, from, t, GROUP_SIZE, count, arrays, bucket);)
    barrier(WRITTEN_FENCE);
}

// Sorts a bucket of at most TILE elements and sets is_sorted to 1, or changes nothing and sets it to 0. key[i] is the
// ordered key KEY_INDEX(i) of the bucket. Compilers that do not inline this function pass its structs in memory.
static inline __attribute__((always_inline)) void
bin_sort_keys(__local bin_sort_t *local_sort, const cls_msd_bucket bucket, const key_t *key,
              const bins_t bins, const bucket_arrays_t arrays, const key_t flip)
{
    const uint count = bucket.count;
    const uint index_bits = ceil_log2(count);
    const bool packs = MAY_PACK && bins.top + index_bits <= KEY_BITS;
    // Packing shifts out the highest bits, which are the same in all keys.
    const key_t high = packs ? ordered(arrays.keys[0], flip) & ~(~(key_t)0 >> index_bits) : 0;
    count_bins(local_sort, key, count, bins);
    scan_bins(local_sort);
    const bool has_single_keys = VALUE_BYTES == 0 && bins.shift == 0; // in each bin
    const uint largest = local_sort->largest;
    const uint sweeps = has_single_keys ? 0 : largest > 0 ? SWEEPS(largest) : 2;
    scatter_to_bins(local_sort, key, count, bins, packs, index_bits);
    const bool is_sorted =
        sort_windows(&local_sort->elements, count, sweeps, VALUE_BYTES == 0 || packs,
                     &local_sort->last_changing_sweep);
    if (get_local_id(0) == 0) {
        local_sort->is_sorted = is_sorted;
    }
    write_bucket(local_sort, bucket, arrays, is_sorted ? count : 0, packs, index_bits, high, flip);
}

#endif
