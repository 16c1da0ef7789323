// columns.cl - sorts by several columns or by byte strings, whose keys are more than a number
//
// Elements are sorted by the first 64 bits that vary (pack.cl), as pairs of a word and an index. This is what radix
// sorts of strings do with their first characters: Deshpande and Narayanan, "Can GPUs sort strings efficiently?",
// HiPC 2013, pp. 305-313. Only elements that are equal in these bits are compared further. Long runs of such elements
// are sorted by further words, as segments of the array (segments/). Each short run is sorted by one work-item, which
// compares the rest of all words. The records move once, at the end.
//
// Segments of the caller are sorted by the packed words as segments (segments/), with an index for each element. Runs
// then also end at the borders of segments, and elements in gaps are in no run, have no index, and are never read.
//
// Kernels, in launch order:
//   columns_segments SEGMENTED only, per element: makes the index, and marks the begins of segments and the elements in
//                    gaps as begins of runs
//   columns_sample   one work-group: chooses the bits of the packed word from a sample of 1024 elements
//   columns_encode   per element: writes its packed word, and checks that the other bits before it do not vary
//   columns_replan   one work-item: chooses the bits again if some of these vary; columns_encode then runs again
//                    (then the argsort of the packed words, by a plan of its own; SEGMENTED: their sort in segments)
//   columns_mark     per element: marks the begins of runs
//   columns_count    per chunk: counts the long runs
//   columns_list     makes a list of them, for the sort of segments
//   columns_load     per element of a long run: loads its next word, by which segments are sorted
//                    (then the sort of segments; all from columns_mark on once for each further word)
//   columns_finish   per short run: sorts it
//   columns_indexes  SEGMENTED only, per element in a segment: writes its index to the output
//
// The host launches all kernels for as many words as the columns have, since it does not wait for the device. If
// there are no long runs or no more words, the kernels return early.
//
// Cost per element: the columns, and 8 bytes; the argsort; 8 bytes and 3/8 byte for runs; for elements of long runs
// their columns, 8 bytes and the sort of segments for each further word. SEGMENTED: an index more, which is written,
// read by columns_encode, and copied if it is an output. Measured with records of 100 bytes and keys of
// 10 bytes, strings and structs: see docs/lab-log/cpu.md.
//
// Options, besides GROUP_SIZE (common/work_group.cl), COUNT_BYTES (common/device_count.cl) and those of words.cl:
// VALUE_BYTES (common/types.cl) is the size of an index.
//   SEGMENTED    1: the elements are in segments of the caller; 0: they are the whole array
#ifndef CLSORT_COLUMNS_COLUMNS_CL
#define CLSORT_COLUMNS_COLUMNS_CL

#include "columns/pack.cl"
#include "columns/runs.cl"
#include "common/device_count.cl"
#include "common/sample.cl"
#include "common/scan.cl"
#include "common/work_group.cl"
#include "segments/begin.cl"
#include "segments/list.cl"

#define SAMPLES 1024
#define CONTROL AT(cls_columns_control, control)

// The elements that a work-item visits are in segments of the caller if they have an index.
#if SEGMENTED
#define INDEXES_ARGUMENT INPUT(indexes),
#define NO_INDEX ((value_unit_t) ~(value_unit_t)0) // NO_ROW of the gather
#define IS_IN_GAP(i) (AT(const value_unit_t, indexes)[i] == NO_INDEX)
#else
#define INDEXES_ARGUMENT
#define IS_IN_GAP(i) false
#endif

// The last argument of a kernel that reads elements or flags. If the count is in device memory, the host has divided
// its maximum; SIZE_ELEMENTS defines `args`, and divides the words of the flags among all work-groups.
#if COUNT_BYTES > 0
#define ELEMENTS_ARGUMENT COUNT_ARGUMENT const cls_columns_args max_args
#define SIZE_ELEMENTS                                                                              \
    cls_columns_args args = max_args;                                                              \
    args.count = DEVICE_COUNT;                                                                     \
    args.chunk = min(max_args.chunk, (args.count / 32 / get_num_groups(0) + 1) * 32);
#else
#define ELEMENTS_ARGUMENT const cls_columns_args args
#define SIZE_ELEMENTS
#endif

// The words of the flags that a chunk has. The last word has the flag after that of the last element.
#define FLAG_WORDS (args.count / 32 + 1)
#define FIRST_WORD (get_group_id(0) * (args.chunk / 32))
#define END_WORD min(FIRST_WORD + args.chunk / 32, (ulong)FLAG_WORDS)

// The work-items that share a word of the flags.
#define WORD_TEAM (GROUP_SIZE < 32 ? GROUP_SIZE : 32)

// -- segments of the caller -----------------------------------------------------------------------

#if SEGMENTED
// Returns ones in the bits [begin, end), of which there is at least one.
static inline uint bit_range(const ulong begin, const ulong end)
{
    return ~0u >> (32 - (uint)(end - begin)) << (uint)begin;
}

__kernel WORK_GROUP_KERNEL void columns_segments(BUFFER(control), INPUT(segments), INPUT(list),
                                                 BUFFER(flags), BUFFER(indexes),
                                                 const cls_columns_args args)
{
    const ulong end = END_WORD;
    segments_t all;
    all.list = AT(const segment_t, list);
    all.count = (index_t)AT(const cls_segments_control, segments)->segments;
    all.row = (index_t)args.row;
    for (ulong w = FIRST_WORD + get_local_id(0) / WORD_TEAM; w < end; w += GROUP_SIZE / WORD_TEAM) {
        const ulong first = 32 * w;
        const uint elements = (uint)min((ulong)32, args.count - first);
        index_t at = segment_behind(all, 0, all.count, (index_t)first);
        uint begins = 0, in = 0;
        segment_t segment;
        load_segment(&segment, all, at, all.count, (index_t)args.count);
        if (w == 0 && get_local_id(0) == 0) {
            CONTROL->first = segment.begin;
        }
        while (segment.begin < first + elements) {
            const ulong from = max((ulong)segment.begin, first) - first;
            const ulong to = min((ulong)segment.end - first, (ulong)elements);
            in |= bit_range(from, to);
            begins |= segment.begin >= first ? 1u << (uint)from : 0;
            load_segment(&segment, all, ++at, all.count, (index_t)args.count);
        }
        if (get_local_id(0) % WORD_TEAM == 0) {
            AT(uint, flags)[w] = begins | ~in;
        }
        for (uint i = get_local_id(0) % WORD_TEAM; i < elements; i += WORD_TEAM) {
            AT(value_unit_t, indexes)
            [first + i] = in >> i & 1 ? (value_unit_t)(first + i) : NO_INDEX;
        }
    }
}

__kernel WORK_GROUP_KERNEL void columns_indexes(INPUT(indexes), BUFFER(index_out),
                                                const cls_columns_args args)
{
    const ulong first = get_group_id(0) * args.chunk,
                end = min(first + args.chunk, (ulong)args.count);
    for (ulong i = first + get_local_id(0); i < end; i += GROUP_SIZE) {
        if (!IS_IN_GAP(i)) {
            AT(value_unit_t, index_out)[i] = AT(const value_unit_t, indexes)[i];
        }
    }
}
#endif

// -- the packed word ------------------------------------------------------------------------------

__kernel WORK_GROUP_KERNEL void columns_sample(BUFFER(control), ELEMENT_ARGUMENTS,
                                               INDEXES_ARGUMENT ELEMENTS_ARGUMENT)
{
    SIZE_ELEMENTS
    __local uint varying[2 * CLS_MAX_PACKED_WORDS];
    const ulong origin = SEGMENTED ? CONTROL->first : 0; // without segments, args.count
    const uint words = origin < args.count ? min((uint)args.words, (uint)CLS_MAX_PACKED_WORDS) : 0;
    const uint samples = (uint)min((ulong)args.count, (ulong)SAMPLES);
    elements_t elements;
    LOAD_ELEMENTS(&elements);
    for (uint i = get_local_id(0); i < 2 * CLS_MAX_PACKED_WORDS; i += GROUP_SIZE) {
        varying[i] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint w = 0; w < words; w++) {
        const ulong base = load_word(&elements, w, origin);
        ulong differs = 0;
        for (uint i = get_local_id(0); i < samples; i += GROUP_SIZE) {
            const ulong at = sampled_index(args.count, samples, i);
            if (!IS_IN_GAP(at)) {
                differs |= base ^ load_word(&elements, w, at);
            }
        }
        if (differs) {
            atomic_or(&varying[2 * w], (uint)differs);
            atomic_or(&varying[2 * w + 1], (uint)(differs >> 32));
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        for (uint w = 0; w < words; w++) {
            CONTROL->base[w] = load_word(&elements, w, origin);
            CONTROL->varying[w] = varying[2 * w] | (ulong)varying[2 * w + 1] << 32;
            CONTROL->missed[2 * w] = CONTROL->missed[2 * w + 1] = 0;
        }
        CONTROL->head.is_sorted = 0;
        CONTROL->is_missed = 0;
        plan_pack(CONTROL, words);
    }
}

__kernel WORK_ITEM_KERNEL void columns_replan(BUFFER(control), const cls_columns_args args)
{
    const uint words = min((uint)args.words, (uint)CLS_MAX_PACKED_WORDS);
    if (!CONTROL->is_missed) {
        return;
    }
    for (uint w = 0; w < words; w++) {
        CONTROL->varying[w] |= CONTROL->missed[2 * w] | (ulong)CONTROL->missed[2 * w + 1] << 32;
    }
    plan_pack(CONTROL, args.words);
}

// Reports bits that the sample has missed.
static inline void report_missed(__global cls_columns_control *control, const uint w,
                                 const ulong missed)
{
    atomic_or(&control->missed[2 * w], (uint)missed);
    atomic_or(&control->missed[2 * w + 1], (uint)(missed >> 32));
    atomic_or(&control->is_missed, 1u);
}

// Writes the packed words of `size` elements, at most WORDS_AT_ONCE, from element i on. Adds to missed[w] the bits of
// word w that vary although the sample has missed them.
static inline void encode_elements(__global const cls_columns_control *control,
                                   const elements_t *elements, const uint terms, const ulong i,
                                   const uint size, ulong *missed, __global ulong *packed)
{
    ulong words[WORDS_AT_ONCE], x[WORDS_AT_ONCE];
    for (uint e = 0; e < size; e++) {
        words[e] = 0;
    }
    for (uint w = 0; w < terms; w++) {
        __global const cls_columns_term *term = &control->term[w];
        const ulong base = control->base[w], fixed = ~control->varying[w];
        ulong differs = 0;
        load_words(elements, w, i, size, x);
        for (uint e = 0; e < size; e++) {
            differs |= (x[e] ^ base) & fixed;
        }
        if (differs) {
            missed[w] |= differs;
        }
        append_term(term, size, x, words);
    }
    for (uint e = 0; e < size; e++) {
        packed[i + e] = words[e];
    }
}

__kernel WORK_GROUP_KERNEL void columns_encode(BUFFER(control), ELEMENT_ARGUMENTS,
                                               INDEXES_ARGUMENT BUFFER(packed), ELEMENTS_ARGUMENT)
{
    SIZE_ELEMENTS
    const ulong first = get_group_id(0) * args.chunk,
                end = min(first + args.chunk, (ulong)args.count);
    const uint terms = CONTROL->terms;
    ulong missed[CLS_MAX_PACKED_WORDS];
    elements_t elements;
    LOAD_ELEMENTS(&elements);
    if (args.is_retry && !CONTROL->is_missed) {
        return;
    }
    for (uint w = 0; w < terms; w++) {
        missed[w] = 0;
    }
    for (ulong i = first + WORDS_AT_ONCE * get_local_id(0); i < end;
         i += WORDS_AT_ONCE * GROUP_SIZE) {
        const uint size = WORDS_AT_ONCE == 1 ? 1 : (uint)min(end - i, (ulong)WORDS_AT_ONCE);
#if SEGMENTED
        uint to;
        for (uint from = 0; from < size; from = to + 1) {
            to = from;
            while (to < size && !IS_IN_GAP(i + to)) {
                to++;
            }
            if (to > from) {
                encode_elements(CONTROL, &elements, terms, i + from, to - from, missed,
                                AT(ulong, packed));
            }
        }
#else
        encode_elements(CONTROL, &elements, terms, i, size, missed, AT(ulong, packed));
#endif
    }
    for (uint w = 0; w < terms; w++) {
        if (missed[w]) {
            report_missed(CONTROL, w, missed[w]);
        }
    }
}

// -- runs -----------------------------------------------------------------------------------------

// Returns the word by which long runs are sorted at this level.
static inline ulong next_word(__global const cls_columns_control *control,
                              const cls_columns_args args)
{
    return (ulong)control->next + args.level;
}

// At level i, elements are in the order of the packed word and of i further words, of which `sorted` has the last.
__kernel WORK_GROUP_KERNEL void columns_mark(INPUT(control), INPUT(segments), INPUT(sorted),
                                             BUFFER(flags), ELEMENTS_ARGUMENT)
{
    SIZE_ELEMENTS
    const ulong end = END_WORD;
    __global const ulong *words = AT(const ulong, sorted);
    if (args.level == 0 ? next_word(AT(const cls_columns_control, control), args) >= args.words
                        : AT(const cls_segments_control, segments)->segments == 0) {
        return;
    }
    for (ulong w = FIRST_WORD + get_local_id(0); w < end; w += GROUP_SIZE) {
        const uint elements = (uint)min((ulong)32, args.count - 32 * w);
        uint flag = elements < 32 ? ~0u << elements : 0;
        ulong before = w > 0 ? words[32 * w - 1] : 0;
        for (uint i = 0; i < elements; i++) {
            const ulong word = words[32 * w + i];
            flag |= (uint)(word != before) << i;
            before = word;
        }
        if (SEGMENTED || args.level > 0) {
            flag |= AT(const uint, flags)[w];
        }
        AT(uint, flags)[w] = w == 0 ? flag | 1 : flag;
    }
}

__kernel WORK_GROUP_KERNEL void columns_count(INPUT(control), INPUT(segments), INPUT(flags),
                                              BUFFER(chunks), ELEMENTS_ARGUMENT)
{
    SIZE_ELEMENTS
    __local ulong sums[2 * GROUP_SIZE];
    const ulong end = END_WORD;
    // If there have been no runs at the preceding level, there are none now.
    const bool has_runs =
        next_word(AT(const cls_columns_control, control), args) < args.words &&
        (args.level == 0 || AT(const cls_segments_control, segments)->segments > 0);
    ulong begins = 0, ends = 0, all_begins, all_ends;
    for (ulong w = FIRST_WORD + get_local_id(0); has_runs && w < end; w += GROUP_SIZE) {
        const ulong tied = tied_window(AT(const uint, flags), w, FLAG_WORDS);
        begins += popcount(long_begins(tied));
        ends += popcount(long_ends(tied));
    }
    group_exclusive_scan(begins, sums, &all_begins);
    group_exclusive_scan(ends, sums, &all_ends);
    if (get_local_id(0) == 0) {
        AT(cls_columns_chunk, chunks)[get_group_id(0)].begins = all_begins;
        AT(cls_columns_chunk, chunks)[get_group_id(0)].ends = all_ends;
    }
}

// Begins and ends are numbered separately, so that no work-item looks for the end of a run.
__kernel WORK_GROUP_KERNEL void columns_list(INPUT(chunks), INPUT(flags), BUFFER(segments),
                                             BUFFER(list), ELEMENTS_ARGUMENT)
{
    SIZE_ELEMENTS
    __local ulong sums[2 * GROUP_SIZE];
    const ulong end = END_WORD;
    __global const cls_columns_chunk *counts = AT(const cls_columns_chunk, chunks);
    const uint chunk = (uint)get_group_id(0);
    ulong begin_at = 0, end_at = 0, all = 0;
    for (uint c = 0; c < args.chunks; c++) {
        begin_at += c < chunk ? counts[c].begins : 0;
        end_at += c < chunk ? counts[c].ends : 0;
        all += counts[c].begins;
    }
    if (chunk == 0 && get_local_id(0) == 0) {
        begin_segments(AT(cls_segments_control, segments), all);
    }
    const ulong last = all > 0 ? end : 0;
    for (ulong step = FIRST_WORD; step < last; step += GROUP_SIZE) {
        const ulong w = step + get_local_id(0);
        const ulong tied = w < last ? tied_window(AT(const uint, flags), w, FLAG_WORDS) : 0;
        const uint begins = w < last ? long_begins(tied) : 0;
        const uint ends = w < last ? long_ends(tied) : 0;
        ulong total;
        // At most 32 of each per work-item: both counts are in one sum.
        const ulong before =
            group_exclusive_scan(popcount(begins) | (ulong)popcount(ends) << 32, sums, &total);
        ulong at = begin_at + (uint)before;
        for (uint i = 0; begins != 0 && i < 32; i++) {
            if (begins >> i & 1) {
                AT(segment_t, list)[at++].begin = (index_t)(32 * w + i);
            }
        }
        at = end_at + (before >> 32);
        for (uint i = 0; ends != 0 && i < 32; i++) {
            if (ends >> i & 1) {
                AT(segment_t, list)[at++].end = (index_t)(32 * w + i);
            }
        }
        begin_at += (uint)total;
        end_at += total >> 32;
    }
}

// How many elements ahead a core prefetches.
#define ELEMENTS_AHEAD 16

__kernel WORK_GROUP_KERNEL void columns_load(INPUT(control), INPUT(segments), ELEMENT_ARGUMENTS,
                                             INPUT(flags), INPUT(indexes), BUFFER(sorted),
                                             ELEMENTS_ARGUMENT)
{
    SIZE_ELEMENTS
    const ulong end = END_WORD;
    const uint word = (uint)next_word(AT(const cls_columns_control, control), args);
    elements_t elements;
    LOAD_ELEMENTS(&elements);
    if (AT(const cls_segments_control, segments)->segments == 0) {
        return;
    }
    for (ulong w = FIRST_WORD + get_local_id(0) / WORD_TEAM; w < end; w += GROUP_SIZE / WORD_TEAM) {
        const uint in = in_long_runs(tied_window(AT(const uint, flags), w, FLAG_WORDS));
        for (uint i = get_local_id(0) % WORD_TEAM; in != 0 && i < 32; i += WORD_TEAM) {
            const ulong at = 32 * w + i;
            const ulong ahead = at + ELEMENTS_AHEAD;
            if (PREFETCHES && ahead < args.count) {
                if (!IS_IN_GAP(ahead)) {
                    prefetch_word(&elements, word, AT(const value_unit_t, indexes)[ahead]);
                }
            }
            if (in >> i & 1) {
                AT(ulong, sorted)
                [at] = load_word(&elements, word, AT(const value_unit_t, indexes)[at]);
            }
        }
    }
}

// Sorts a run by insertion. The word `first` of each element is read once, before it is compared.
static inline void sort_run(const elements_t *elements, __global value_unit_t *run,
                            const uint length, const uint first, const uint words)
{
    value_unit_t indexes[CLS_SHORT_RUN];
    ulong keys[CLS_SHORT_RUN];
    for (uint i = 0; i < length; i++) {
        indexes[i] = run[i];
        keys[i] = load_word(elements, first, indexes[i]);
    }
    for (uint i = 1; i < length; i++) {
        const value_unit_t index = indexes[i];
        const ulong key = keys[i];
        uint at = i;
        while (at > 0 && (key < keys[at - 1] ||
                          (key == keys[at - 1] &&
                           precedes_from(elements, first + 1, words, index, indexes[at - 1])))) {
            keys[at] = keys[at - 1];
            indexes[at] = indexes[at - 1];
            at--;
        }
        keys[at] = key;
        indexes[at] = index;
    }
    for (uint i = 0; i < length; i++) {
        run[i] = indexes[i];
    }
}

// Prefetches the next word of elements in short runs. `indexes` has those of the 32 elements in the middle of the
// window.
static inline void prefetch_runs(const elements_t *elements, const ulong tied,
                                 __global const value_unit_t *indexes, const uint next)
{
    const uint in = (uint)((tied | tied >> 1) >> 16) & ~in_long_runs(tied);
    for (uint i = 0; in != 0 && i < 32; i++) {
        if (in >> i & 1) {
            prefetch_word(elements, next, indexes[i]);
        }
    }
}

__kernel WORK_GROUP_KERNEL void columns_finish(INPUT(control), ELEMENT_ARGUMENTS, INPUT(flags),
                                               BUFFER(indexes), ELEMENTS_ARGUMENT)
{
    SIZE_ELEMENTS
    const ulong end = END_WORD;
    const uint next = AT(const cls_columns_control, control)->next;
    elements_t elements;
    LOAD_ELEMENTS(&elements);
    if (next >= args.words) {
        return;
    }
    for (ulong w = FIRST_WORD + get_local_id(0); w < end; w += GROUP_SIZE) {
        const ulong tied = tied_window(AT(const uint, flags), w, FLAG_WORDS);
        const uint begins = short_begins(tied);
        if (PREFETCHES && w + 1 < end) {
            prefetch_runs(&elements, tied_window(AT(const uint, flags), w + 1, FLAG_WORDS),
                          AT(const value_unit_t, indexes) + 32 * (w + 1), next);
        }
        for (uint i = 0; begins != 0 && i < 32; i++) {
            if (begins >> i & 1) {
                uint length = 1;
                while (tied >> (16 + i + length) & 1) {
                    length++;
                }
                sort_run(&elements, AT(value_unit_t, indexes) + 32 * w + i, length, next,
                         args.words);
            }
        }
    }
}

#endif
