// output.cl - which elements of a chunk the selection emits, and how they are written
#ifndef CLSORT_SELECT_OUTPUT_CL
#define CLSORT_SELECT_OUTPUT_CL

#include "select/scratch.cl"

// The outputs: keys, and indexes of VALUE_BYTES bytes.
#if VALUE_BYTES == 4
typedef uint selected_index_t;
#else
typedef ulong selected_index_t;
#endif
typedef struct {
    __global key_t *keys;
    __global selected_index_t *indexes;
} selected_t;

// The compared keys from `first` to the threshold are selected. Ties are keys equal to the
// threshold; only those whose ordinal in the chunk is in a range are selected.
typedef struct {
    key_t first, threshold;
    index_t first_tie, end_tie;
    key_t flip, window;
    uint outputs; // SELECT_KEYS, SELECT_INDEXES
    __global const key_t *in;
    selected_t out;
} output_t;

// The arguments of kernels that write to the outputs, and the start of such a kernel: it declares `at`,
// the chunk of the group, what is known of it (own), and the output.
#define OUTPUT_ARGUMENTS                                                                           \
    BUFFER(scratch), INPUT(keys), BUFFER(keys_to), BUFFER(indexes_to), SELECT_ARGS
#define BEGIN_OUTPUT                                                                               \
    BEGIN_ARGS                                                                                     \
    const select_scratch_t at = SCRATCH(AT(uchar, scratch), args);                                 \
    __global const cls_select_chunk *own = at.chunks + get_group_id(0);                            \
    const select_chunk_t chunk = chunk_of_group(args);                                             \
    const selected_t out = {AT(key_t, keys_to), AT(selected_index_t, indexes_to)};                 \
    output_t output;                                                                               \
    set_output(&output, at.control, own, AT(const key_t, keys), out, args);

static inline void set_output(output_t *output, __global const cls_select_control *control,
                              __global const cls_select_chunk *chunk, __global const key_t *in,
                              const selected_t out, const cls_select_args args)
{
    output->threshold = (key_t)control->threshold;
    output->first = args.is_nth ? output->threshold : 0;
    output->first_tie = (index_t)chunk->first_tie;
    output->end_tie = (index_t)chunk->end_tie;
    output->flip = (key_t)args.flip;
    output->window = (key_t)args.window;
    output->outputs = args.outputs;
    output->in = in;
    output->out = out;
}

// Returns whether a tie is selected, by its ordinal in the chunk.
static inline bool is_selected_tie(const index_t ordinal, const output_t output)
{
    return (ordinal >= output.first_tie) & (ordinal < output.end_tie);
}

// Returns whether the candidates include all selected elements.
static inline bool is_among_candidates(__global const cls_select_control *control,
                                       const cls_select_args args)
{
    return control->source == SELECT_FROM_CANDIDATES && (args.low_rank == 0 || args.is_nth);
}

// The offsets in the output of the next element before, equal to and after the threshold, if all
// elements are written.
typedef struct {
    index_t less, equal, greater;
} parts_t;

static inline void set_parts(parts_t *parts, __global const cls_select_control *control,
                             __global const cls_select_chunk *own, const select_chunk_t chunk)
{
    const ulong greater_before = chunk.first - own->offset - own->first_tie;
    parts->less = (index_t)own->offset;
    parts->equal = (index_t)(control->below + own->first_tie);
    parts->greater = (index_t)(control->below + control->equal + greater_before);
}

// Writes the element with this index in the input to element `to` of the output.
static inline void write_element(const output_t output, const index_t to, const key_t key,
                                 const index_t index)
{
    if (output.outputs & SELECT_KEYS) {
        output.out.keys[to] = key;
    }
    if (output.outputs & SELECT_INDEXES) {
        output.out.indexes[to] = (selected_index_t)index;
    }
}

#endif
