// choose.cl - decides by a sample of the keys whether `hybrid` sorts them by MSD or by LSD, and how MSD begins
//
// The paths are the kernels of msd/round.cl and those of onesweep/onesweep.cl. The host launches the
// rounds of MSD, then LSD, then what sorts the buckets of MSD; the kernels of the path that is not
// taken return early. While the choice is made, the other compute units count keys of at most 4 bytes for
// LSD, if each has at most one chunk to count. In round 0, MSD divides keys of 8 bytes by bits or by
// splitters (splitters.cl).
//
// MSD needs as few rounds as the number of elements requires, if its digits divide the keys evenly.
// LSD takes one pass per digit that varies, whatever the distribution is. There is one kernel,
// hybrid_choose. Its first work-group prefers LSD to MSD by bits in these cases:
//   - The keys vary in so few digits that the passes take less time than the rounds.
//   - Many keys would be in buckets that are still large after these rounds.
//   - Keys of at most 4 bytes, or few keys of 8 bytes, are divided so unevenly that most buckets would
//     need one more round even if round 0 had the widest digit.
//   - In the bits by which the small buckets of such keys are divided into bins, different keys have few
//     values (as squares modulo a power of two do), so that the bins would be uneven.
//   - Values move, and keys occur so often that the bins would be uneven.
// If nearly all samples are equal to others, LSD is chosen in the first of these cases. In the others the
// count decides: MSD sorts many elements if the rounds separate the different keys, since a bucket of
// equal keys is read once more but not moved; LSD sorts few, for which the rounds take longer. Round 0 then has
// the widest digit, which separates most of the different keys, so that no further round moves them.
// MSD begins at the highest bit that varies in the sample, or one bit higher if few samples differ in it. Its
// first histogram checks the bits from there on in all keys. If they differ in one of them, LSD takes over.
//
// MSD by splitters divides keys of any distribution evenly, but takes more time per key: it searches
// the splitter of each key, and mostly needs a second round. It is chosen
//   - in place of LSD, for many elements that vary in many digits;
//   - in place of both, if there are few different keys, or many elements with many heavy keys and
//     others that hardly repeat, since it moves heavy keys only once (twice after a sampled round).
// It is not chosen if bits would divide the children unevenly (close_samples()), or if values move
// and many light keys repeat, since the bins of small buckets would then be uneven.
//
// Samples of heavy keys, of which the sample has many equal ones, are left out of these decisions
// if there are many elements (2^23, or 2^25 if keys have at most 4 bytes), the other samples hardly
// repeat, and there are not just a few different keys: the first rounds separate heavy keys, and
// later rounds do not move them, except for the one that follows a sampled round.
//
// Each sample increments two counters. The index of the first is a hash of the whole key: its count shows
// whether the key is heavy. The index of the second is the bits that MSD would partition by, or a hash of
// them: its count shows whether the bucket would be large. Unless there are many keys of 8 bytes, two more
// counts show whether the highest bits and the bins divide the keys evenly. To find repeated keys, each
// sample is also compared with the last sample of the same hash.
//
// Cost: 2048 reads at random positions. Measured (H200): 10 us, of which the launch and the end take 3.7 and
// the reads 2.6, and the single work-group spends the rest in local memory; 1 us more if other groups count
// chunks. Sorting the sample for splitters takes another 17 us (H100).
//
// Options: those of common/types.cl and common/keys.cl; GROUP_SIZE, which is 256; and
//   SPLITS          1: MSD may divide by splitters
//   COUNTS_EARLY    1: each further work-group counts a chunk of the keys for LSD
// and BITS and HISTOGRAM_COPIES of onesweep/onesweep.cl.
#ifndef CLSORT_HYBRID_CHOOSE_CL
#define CLSORT_HYBRID_CHOOSE_CL

#include "hybrid/layout.h"
#include "hybrid/splitters.cl"

#include "msd/prepare.cl"
#include "onesweep/args.cl"
#include "onesweep/control.cl"
#include "onesweep/histogram.cl"

#include "common/keys.cl"
#include "common/sample.cl"
#include "common/unroll.cl"
#include "common/work_group.cl"

// The files of MSD and those of LSD take the same option for the number of bits of a digit.
typedef char same_bits_t[BITS == CLS_MSD_BITS ? 1 : -1];

#define COUNTERS (1u << CLS_HYBRID_COUNTER_BITS)
// The values of all work-items are reduced in parts, then the parts.
#define REDUCED_PARTS 16u

// Numbers of samples are added up in the fields of a word.
#define COUNT_BITS 12
#define COLLISIONS_SHIFT (3 * COUNT_BITS)
#define COUNT_IN(counts, field) ((uint)((counts) >> (field)*COUNT_BITS) & ((1u << COUNT_BITS) - 1))

#if VALUE_BYTES > 0
#define MAX_IN_LARGE CLS_HYBRID_MAX_PAIRS
#elif KEY_BYTES <= 4
#define MAX_IN_LARGE CLS_HYBRID_MAX_SHORT
#else
#define MAX_IN_LARGE CLS_HYBRID_MAX_LONG
#endif
// The count from which few different keys are sorted by MSD.
#define FEW_KEYS_ELEMENTS (KEY_BYTES <= 4 ? CLS_HYBRID_FEW_SHORT : CLS_HYBRID_FEW_LONG)
#define IS_SHORT_OR_PAIR (VALUE_BYTES > 0 || KEY_BYTES <= 4)
// LSD is preferred if its passes exceed the rounds of MSD by at most EXTRA_PASSES: a pass takes less
// time than a round with its share of the sort of the buckets.
#define EXTRA_PASSES (KEY_BYTES == 8 ? 2 : 1)

// The last arguments. If the count is in device memory, SIZE_HYBRID_ARGS defines `args` and
// `lsd_args` for it.
#if COUNT_BYTES > 0
#define HYBRID_ARGS                                                                                \
    COUNT_ARGUMENT const cls_hybrid_args max_args, const cls_onesweep_args max_lsd_args
#define SIZE_HYBRID_ARGS                                                                           \
    cls_hybrid_args args = max_args;                                                               \
    args.count = DEVICE_COUNT;                                                                     \
    args.large_count = cls_hybrid_large_count(args.tile, max(args.count, (ulong)1));               \
    size_input(&args.input, args.count);                                                           \
    cls_onesweep_args lsd_args = max_lsd_args;                                                     \
    size_onesweep_args(&lsd_args, args.count);
#else
#define HYBRID_ARGS const cls_hybrid_args args, const cls_onesweep_args lsd_args
#define SIZE_HYBRID_ARGS
#endif

typedef struct {
    key_t number[CLS_HYBRID_SAMPLES]; // the ordered keys
    // First the number of the last sample with the same hash, then numbers of samples.
    uint counters[COUNTERS];
    ulong words[GROUP_SIZE]; // of the reductions
    ulong parts[REDUCED_PARTS];
} choice_t;

// Local memory of a work-group.
typedef union {
    choice_t choice;
    histogram_t histogram;
} memory_t;

// What the sample shows. Light samples are those that are not of heavy keys. The considered samples
// are the light ones, or all of them.
typedef struct {
    // Numbers of samples:
    uint heavy;               // those of heavy keys
    uint repeated;            // those that are equal to the one in the table
    uint neighbours;          // those that are equal to the next key of the input
    uint light_repeated;      // as `repeated`, of light samples
    uint light_neighbours;    // as `neighbours`, of light samples
    uint considered;          // the considered samples
    uint considered_repeated; // as `repeated`, of the considered samples
    uint considered_in_large; // considered samples in buckets that would stay large
    uint mixed; // considered samples whose bucket would be large without the samples equal to them
    uint crowded; // considered samples in crowded bins that are not counted as repeated
    // Pairs of considered samples that agree in the first CLS_HYBRID_COUNTER_BITS bits of MSD, each pair
    // counted twice. There are about considered * (considered - 1) / COUNTERS if keys are divided
    // evenly.
    uint collisions;
} finding_t;

// Returns the OR or the sum of the values of all work-items, and leaves those of each part in parts[]. A part has one
// of every 16 consecutive work-items, at varying positions, so that no part misses keys that occur periodically. The
// first barrier of the next call follows the reads of parts[].
static inline ulong reduce(__local choice_t *choice, const ulong value, const bool adds)
{
    const uint t = (uint)get_local_id(0);
    choice->words[t] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < REDUCED_PARTS) {
        ulong part = 0;
        for (uint i = 0; i < GROUP_SIZE / REDUCED_PARTS; i++) {
            const ulong word = choice->words[(t ^ i % REDUCED_PARTS) + i * REDUCED_PARTS];
            part = adds ? part + word : part | word;
        }
        choice->parts[t] = part;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    ulong result = 0;
    for (uint i = 0; i < REDUCED_PARTS; i++) {
        result = adds ? result + choice->parts[i] : result | choice->parts[i];
    }
    return result;
}

// Returns where MSD begins: the position above the highest bit of `varying`, which is the result of the last reduce().
// If no sample of a part differs from the first key in this bit, few keys do, and others probably differ in a higher
// bit, as those of an exponential distribution. The result is then one more.
static inline uint top_of_sample(__local const choice_t *choice, const ulong varying)
{
    const uint top = varying > 0 ? 64 - (uint)clz(varying) : 0;
    bool is_rare = false;
    for (uint i = 0; i < REDUCED_PARTS && top > 0; i++) {
        is_rare = is_rare || choice->parts[i] >> (top - 1) == 0;
    }
    return is_rare ? min(top + 1, (uint)KEY_BITS) : top;
}

static inline uint hash_of(const ulong number)
{
    return (uint)((number * 0x9e3779b97f4a7c15ul) >> (64 - CLS_HYBRID_COUNTER_BITS));
}

// Returns the counter for the `bits` bits below `top`.
static inline uint counter_of(const key_t number, const uint top, const uint bits)
{
    const ulong digit = (ulong)number >> (top - bits) & (((ulong)1 << bits) - 1);
    return bits <= CLS_HYBRID_COUNTER_BITS ? (uint)digit : hash_of(digit);
}

static inline void clear_sample_counters(__local uint *counters)
{
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = (uint)get_local_id(0); i < COUNTERS; i += GROUP_SIZE) {
        counters[i] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

// Reads this work-item's samples as ordered keys, and the keys that follow them in the input. Returns
// the bits in which one of these samples differs from `some`.
static inline key_t load_sample(__local choice_t *choice, key_t *number, key_t *next,
                                __global const key_t *in, const index_t n, const key_t flip,
                                const key_t some)
{
    const uint t = (uint)get_local_id(0);
    key_t differing = 0;
    UNROLL
    for (uint i = 0; i < ITEM_SAMPLES; i++) {
        const index_t at = sampled_index(n, CLS_HYBRID_SAMPLES, t + i * GROUP_SIZE);
        number[i] = ordered(in[at], flip);
        next[i] = ordered(in[min(at + 1, n - 1)], flip);
    }
    UNROLL
    for (uint i = 0; i < ITEM_SAMPLES; i++) {
        choice->number[t + i * GROUP_SIZE] = number[i];
        differing |= number[i] ^ some;
    }
    return differing;
}

// Returns which samples of this work-item are equal to the last sample with the same hash: bit i for
// sample i. The counters are 0 before and after.
static inline uint repeated_samples(__local choice_t *choice, const key_t *number)
{
    const uint t = (uint)get_local_id(0);
    uint repeated = 0;
    UNROLL
    for (uint i = 0; i < ITEM_SAMPLES; i++) {
        atomic_max(&choice->counters[hash_of(number[i])], t + i * GROUP_SIZE);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    UNROLL
    for (uint i = 0; i < ITEM_SAMPLES; i++) {
        const uint own = t + i * GROUP_SIZE, another = choice->counters[hash_of(number[i])];
        repeated |= (uint)(another != own && choice->number[another] == number[i]) << i;
    }
    clear_sample_counters(choice->counters);
    return repeated;
}

// Sets same[i] to the number of samples with the hash of sample i of this work-item. Returns which of these
// samples are of heavy keys: bit i for sample i. The counters are 0 before and after.
static inline uint heavy_samples(__local uint *counters, const key_t *number, uint *same)
{
    uint heavy = 0;
    UNROLL
    for (uint i = 0; i < ITEM_SAMPLES; i++) {
        atomic_inc(&counters[hash_of(number[i])]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    UNROLL
    for (uint i = 0; i < ITEM_SAMPLES; i++) {
        same[i] = counters[hash_of(number[i])];
        heavy |= (uint)(same[i] > CLS_HYBRID_MAX_LIGHT) << i;
    }
    clear_sample_counters(counters);
    return heavy;
}

// Counts the samples that are not ignored by the `bits` bits below `top`.
static inline void count_considered(__local uint *counters, const key_t *number, const uint ignored,
                                    const uint top, const uint bits)
{
    UNROLL
    for (uint i = 0; i < ITEM_SAMPLES; i++) {
        if ((ignored >> i & 1) == 0) {
            atomic_inc(&counters[counter_of(number[i], top, bits)]);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

// Returns the collisions and the crowded samples (finding_t) of this work-item, in fields as
// count_buckets adds them up. Counts the samples that are not in `ignored` (bit i for sample i): by their
// highest bits in the lower half of a counter, and, unless they are in `repeated`, in the upper half by
// the bits below the `bits` bits of the rounds. These divide a small bucket into bins, or nearly so if
// local memory is scarce. No samples are crowded if all keys of a bin are equal. The counters are 0 before
// and after.
static inline ulong unevenness_of(__local uint *counters, const key_t *number, const uint repeated,
                                  const uint ignored, const uint top, const uint bits)
{
    uint collisions = 0, crowded = 0;
    const uint bin_bits = CLS_HYBRID_COUNTER_BITS, below = top - bits;
    const uint first_bits = min(bin_bits, top), bin_top = max(below, bin_bits);
    const uint in_bins = below > bin_bits ? ~(ignored | repeated) : 0; // bit i: sample i is
    UNROLL
    for (uint i = 0; i < ITEM_SAMPLES; i++) {
        if ((ignored >> i & 1) == 0) {
            atomic_inc(&counters[counter_of(number[i], top, first_bits)]);
            atomic_add(&counters[counter_of(number[i], bin_top, bin_bits)], (in_bins >> i & 1)
                                                                                << 16);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    UNROLL
    for (uint i = 0; i < ITEM_SAMPLES; i++) {
        const uint same_first = counters[counter_of(number[i], top, first_bits)] & 0xffff;
        const uint same_bin = counters[counter_of(number[i], bin_top, bin_bits)] >> 16;
        collisions += ignored >> i & 1 ? 0 : same_first - 1;
        crowded += (in_bins >> i & 1) && same_bin > CLS_HYBRID_MAX_IN_BIN;
    }
    clear_sample_counters(counters);
    return (ulong)crowded << 2 * COUNT_BITS | (ulong)collisions << COLLISIONS_SHIFT;
}

// Counts the samples that are equal to others, in the first members of *found. repeated and heavy have
// bit i for sample i of this work-item.
static inline void count_repeats(finding_t *found, __local choice_t *choice, const key_t *number,
                                 const key_t *next, const uint repeated, const uint heavy)
{
    ulong counts = 0; // several, in fields of COUNT_BITS
    UNROLL
    for (uint i = 0; i < ITEM_SAMPLES; i++) {
        const bool is_repeated = repeated >> i & 1;
        const bool is_neighbour = next[i] == number[i], is_light = (heavy >> i & 1) == 0;
        counts += (ulong)is_repeated | (ulong)is_neighbour << COUNT_BITS |
                  (ulong)(is_repeated && is_light) << 2 * COUNT_BITS |
                  (ulong)(is_neighbour && is_light) << 3 * COUNT_BITS |
                  (ulong)!is_light << 4 * COUNT_BITS;
    }
    counts = reduce(choice, counts, true);
    found->repeated = COUNT_IN(counts, 0);
    found->neighbours = COUNT_IN(counts, 1);
    found->light_repeated = COUNT_IN(counts, 2);
    found->light_neighbours = COUNT_IN(counts, 3);
    found->heavy = COUNT_IN(counts, 4);
}

static inline bool has_many_elements(const cls_hybrid_args args)
{
    return args.count >= (KEY_BYTES <= 4 ? CLS_HYBRID_MANY_SHORT : CLS_HYBRID_MANY_ELEMENTS);
}

// Whether LSD sorts keys that MSD would divide unevenly. For many keys of 8 bytes, one more round of MSD takes less
// time than the passes of LSD.
static inline bool sorts_uneven_by_lsd(const cls_hybrid_args args)
{
    return KEY_BYTES <= 4 || args.count < CLS_HYBRID_UNEVEN_LONG;
}

// Counts the considered samples, those that are not in `ignored` (bit i for sample i), in the last
// members of *found. MSD begins below the bit `top`.
static inline void count_buckets(finding_t *found, __local choice_t *choice, const key_t *number,
                                 const uint *same, const uint repeated, const uint ignored,
                                 const cls_hybrid_args args, const uint top)
{
    const uint bits = min(args.bits, top);
    ulong counts = 0;
    if (sorts_uneven_by_lsd(args)) {
        counts = unevenness_of(choice->counters, number, repeated, ignored, top, bits);
    }
    count_considered(choice->counters, number, ignored, top, bits);
    // Among many elements, equal keys of 8 bytes are not taken for those of large buckets: further
    // rounds read them but do not move them, which takes less time than the passes of LSD.
    const uint may_be_large = IS_SHORT_OR_PAIR || !has_many_elements(args) ? ~0u : ~repeated;
    UNROLL
    for (uint i = 0; i < ITEM_SAMPLES; i++) {
        const uint count = choice->counters[counter_of(number[i], top, bits)];
        const bool is_in_large = count > args.large_count;
        const bool is_mixed = count > args.large_count + same[i];
        counts += (ulong)(is_in_large && (~ignored & may_be_large) >> i & 1) |
                  (ulong)(is_mixed && ~ignored >> i & 1) << COUNT_BITS;
    }
    counts = reduce(choice, counts, true);
    found->considered_in_large = COUNT_IN(counts, 0);
    found->mixed = COUNT_IN(counts, 1);
    found->crowded = COUNT_IN(counts, 2);
    found->collisions = (uint)(counts >> COLLISIONS_SHIFT);
}

// Returns how many digits of 8 bits vary.
static inline uint varying_digits(ulong varying)
{
    uint digits = 0;
    for (; varying > 0; varying >>= 8) {
        digits += (varying & 0xff) > 0;
    }
    return digits;
}

static inline bool has_few_digits(const cls_hybrid_args args, const ulong varying)
{
    return varying_digits(varying) <= args.rounds + EXTRA_PASSES;
}

static inline bool has_few_keys(const finding_t found)
{
    return found.repeated > CLS_HYBRID_FEW_KEYS;
}

// Whether two rounds, with digits of `bits` bits and of the maximum, would leave many keys in large buckets: the
// bucket of a key would have more than 3/4 of a tile on average.
static inline bool leaves_large_buckets(const finding_t found, const cls_hybrid_args args,
                                        const uint bits)
{
    const ulong considered = found.considered, max_mean = args.tile - args.tile / 4;
    // A considered sample shares its counter with collisions / considered others, each of which represents
    // count / CLS_HYBRID_SAMPLES elements. The rounds make 2^(bits + CLS_MSD_BITS) / COUNTERS buckets of them.
    return found.collisions * (args.count >> CLS_MSD_BITS) * COUNTERS >
           (max_mean * considered * CLS_HYBRID_SAMPLES) << bits;
}

// Whether LSD is faster than MSD by bits.
static inline bool is_for_lsd(const finding_t found, const cls_hybrid_args args,
                              const ulong varying)
{
    const ulong samples = CLS_HYBRID_SAMPLES, considered = found.considered;
    const bool has_large = found.considered_in_large * samples > MAX_IN_LARGE * considered;
    const ulong unevenness = found.collisions * samples * samples;
    const ulong max_unevenness = args.max_collisions * considered * considered;
    const bool is_uneven =
        unevenness > max_unevenness && (unevenness / CLS_HYBRID_VERY_UNEVEN > max_unevenness ||
                                        leaves_large_buckets(found, args, CLS_MSD_BITS));
    const bool is_crowded = found.crowded * samples > args.max_crowded * considered;
    // A sample of s keys of an input in which each key occurs m times has about s * s * m / n
    // keys that are equal to another one.
    const ulong repeats = found.considered_repeated * args.count / (samples * samples);
    const bool repeats_often =
        VALUE_BYTES > 0 &&
        ((repeats > CLS_HYBRID_MAX_REPEATS && found.considered_repeated > CLS_HYBRID_MAX_PAIRS) ||
         found.neighbours > CLS_HYBRID_MAX_NEIGHBOURS);
    return args.path == CLS_HYBRID_LSD || has_few_digits(args, varying) ||
           (has_few_keys(found)
                ? args.count < FEW_KEYS_ELEMENTS || found.mixed > CLS_HYBRID_MAX_MIXED
                : has_large || is_uneven || is_crowded || repeats_often);
}

#if SPLITS
// Whether too many keys repeat for splitters: the later rounds would then move their values several
// times.
static inline bool repeats_too_often(const finding_t found)
{
    return VALUE_BYTES > 0 && (found.light_repeated > CLS_HYBRID_MAX_SPLIT_REPEATED ||
                               found.light_neighbours > CLS_HYBRID_MAX_NEIGHBOURS);
}

// Whether splitters may be faster than both, so that the sample is to be sorted. A key with at least 17
// samples gets a child of its own, so that heavy keys are left out here.
static inline bool considers_splitters(const finding_t found, const cls_hybrid_args args,
                                       const ulong varying, const bool is_lsd)
{
    const bool is_chosen =
        !has_few_digits(args, varying) && !repeats_too_often(found) &&
        (has_few_keys(found) ||
         (has_many_elements(args) &&
          (is_lsd || found.considered < CLS_HYBRID_SAMPLES - CLS_HYBRID_MANY_HEAVY)));
    return args.path == CLS_HYBRID_SPLITTERS || (args.path == 0 && is_chosen);
}

// Sorts the sample if splitters are considered. Returns whether MSD divides by them.
static inline bool takes_splitters(__local choice_t *choice, const bool considers, const uint path)
{
    sort_sample(choice->number, considers);
    const ulong close = reduce(choice, considers ? close_samples(choice->number) : 0, true);
    return considers && (close <= CLS_HYBRID_MAX_CLOSE || path == CLS_HYBRID_SPLITTERS);
}
#endif

// Initializes the control blocks of hybrid and of LSD. LSD uses the rows of histograms that the other
// groups have written only if it is chosen here: if it takes over from MSD, these have been overwritten.
static inline void end_choice(__global cls_control_head *head, __global cls_onesweep_control *lsd,
                              const bool is_lsd, const cls_onesweep_args lsd_args)
{
    begin_steps(lsd, is_lsd ? (uint)get_num_groups(0) - 1 : 0, lsd_args);
    if (get_local_id(0) == 0) {
        head->is_sorted = 0; // for the gather, after a sort of indexes
        lsd->lsd.head.is_skipped = !is_lsd;
    }
}

__kernel WORK_GROUP_KERNEL void hybrid_choose(INPUT(keys), BUFFER(control), BUFFER(msd_control),
                                              BUFFER(lsd_control), BUFFER(large_buckets),
                                              BUFFER(lsd_tables), HYBRID_ARGS)
{
    __local memory_t memory;
    SIZE_HYBRID_ARGS
#if COUNTS_EARLY
    if (get_group_id(0) > 0) {
        count_chunk_alone(&memory.histogram, (uint)get_group_id(0) - 1, keys, keys_at, lsd_tables,
                          lsd_tables_at, lsd_args);
        return;
    }
#endif
#if COUNT_BYTES > 0
    if (args.count == 0) {
        prepare_rounds(AT(cls_msd_control, msd_control), AT(cls_msd_large_bucket, large_buckets),
                       args.input, true);
        end_choice(AT(cls_control_head, control), AT(cls_onesweep_control, lsd_control), false,
                   lsd_args);
        return;
    }
#endif
    __global const key_t *in = AT(const key_t, keys);
    const key_t flip = (key_t)args.flip, some = ordered(in[0], flip);
    const index_t n = (index_t)args.count;
    key_t number[ITEM_SAMPLES], next[ITEM_SAMPLES];
    const key_t differing = load_sample(&memory.choice, number, next, in, n, flip, some);
    clear_sample_counters(memory.choice.counters);
    const ulong varying = reduce(&memory.choice, differing, false);
    const uint top = top_of_sample(&memory.choice, varying);
    const uint repeated = repeated_samples(&memory.choice, number);
    uint same[ITEM_SAMPLES];
    const uint heavy = heavy_samples(memory.choice.counters, number, same);
    finding_t found;
    count_repeats(&found, &memory.choice, number, next, repeated, heavy);
    const bool ignores_heavy = has_many_elements(args) && !has_few_keys(found) &&
                               found.light_repeated <= CLS_HYBRID_MAX_LIGHT_REPEATED;
    found.considered = CLS_HYBRID_SAMPLES - (ignores_heavy ? found.heavy : 0);
    found.considered_repeated = ignores_heavy ? found.light_repeated : found.repeated;
    count_buckets(&found, &memory.choice, number, same, repeated, ignores_heavy ? heavy : 0, args,
                  top);
    const bool prefers_lsd = is_for_lsd(found, args, varying);
#if SPLITS
    const bool considers = considers_splitters(found, args, varying, prefers_lsd);
    const bool by_splitters = takes_splitters(&memory.choice, considers, args.path);
#else
    const bool by_splitters = false;
#endif
    const bool is_lsd = prefers_lsd && !by_splitters;
    cls_msd_input input = args.input;
    // If there are more rounds, the table of large buckets may be too short for the children of a wider digit.
    const bool widens = args.rounds == 2 && leaves_large_buckets(found, args, input.bits);
    input.bits = by_splitters || has_few_keys(found) || widens ? CLS_MSD_BITS : input.bits;
    input.bits = by_splitters ? input.bits : min(input.bits, top);
    input.top = max(top, input.bits);
    prepare_rounds(AT(cls_msd_control, msd_control), AT(cls_msd_large_bucket, large_buckets), input,
                   is_lsd);
#if SPLITS
    write_splitters(AT(cls_msd_control, msd_control), memory.choice.number, memory.choice.words,
                    top, by_splitters);
#endif
    end_choice(AT(cls_control_head, control), AT(cls_onesweep_control, lsd_control), is_lsd,
               lsd_args);
}

#endif
