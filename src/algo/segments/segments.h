/* segments.h - sorts many segments of an array (cl/segments)
 *
 * This is not an algorithm that a plan can name, since it supports only segmented sorts, and all of
 * them. It sorts the segments of a list, which it makes of the caller's offsets. The host does not wait
 * for the device. */
#ifndef CLSORT_ALGO_SEGMENTS_H
#define CLSORT_ALGO_SEGMENTS_H

#include "algo/algo.h"

struct cls_segments {
    struct cls_spec spec;  /* values as in a sort: moved with the keys, or indexes */
    unsigned offset_bytes; /* 4 or 8 */
    bool is_for_cores;     /* the variant for CPUs */
    bool uses_quicksort;   /* keys are sorted by the vectorised quicksort */
    unsigned group_size, units;
    unsigned items;              /* for work-groups: elements per work-item in a tile */
    uint64_t min_tile, max_tile; /* for cores: limits of the elements in a tile */
    /* For work-groups that sort tiny segments in registers and the others by MSD (by_length.h): */
    bool by_length;
    unsigned max_tiny; /* elements of a tiny segment */
    struct cls_tuning msd;
    struct cls_caps caps;        /* of the device */
    uint64_t cache_bytes;        /* of a core */
    uint64_t max_segments_chunk; /* segments that a work-group may process in a launch */
    uint64_t max_count;          /* elements */
    uint64_t max_segments;
};

/* What one sort needs. The arrays are those of the operation. If values are indexes, values_in is not
 * read. BEGIN_END: offsets and ends are in the order of the offsets. */
struct cls_segments_job {
    const struct cls_arrays *arrays;
    const clsort_buffer *scratch; /* the regions */
    bool has_list;                /* the list has been made before (cl/segments/begin.cl) */
};

/* Regions of scratch. The first three are those of all algorithms. */
enum {
    CLS_SEGMENTS_CHUNKS = CLS_OWN_REGIONS,
    CLS_SEGMENTS_LIST,
    CLS_SEGMENTS_FIRSTS,
    CLS_SEGMENTS_CROSSING,
    CLS_SEGMENTS_CUTS,
    CLS_SEGMENTS_SLICES,
    CLS_SEGMENTS_MSD_CONTROL,
    CLS_SEGMENTS_MSD_TABLES,
    CLS_SEGMENTS_REGIONS
};

/* Returns whether the device supports the sort, and sets *segments to kernels for `wanted` elements or, if that is more
 * than the device supports, for fewer. Otherwise sets *why. */
bool cls_segments_for(const struct cls_caps *caps, const struct cls_spec *spec,
                      unsigned offset_bytes, uint64_t wanted, struct cls_segments *segments,
                      const char **why);

/* Sets the sizes of the regions of scratch for count elements in a number of segments. They are
 * monotonic in both. Pure. */
void cls_segments_scratch(const struct cls_segments *segments, uint64_t count, uint64_t number,
                          uint64_t *region_bytes);

/* Describes the programs, whose kernels cls_segments_enqueue needs in this order. Returns their
 * number, at most CLS_SEGMENTS_PROGRAMS. */
enum { CLS_SEGMENTS_PROGRAMS = 6 };
size_t cls_segments_programs(const struct cls_segments *segments,
                             struct cls_program_spec *programs);

/* Enqueue the sort; or only the kernels that make the list of the caller's segments, behind which a sort that has_list
 * may follow. */
cl_int cls_segments_enqueue_list(const cl_kernel *kernels, const struct cls_segments *segments,
                                 const struct cls_segments_job *job, struct cls_chain *chain);
cl_int cls_segments_enqueue(const cl_kernel *kernels, const struct cls_segments *segments,
                            const struct cls_segments_job *job, struct cls_chain *chain);

/* Returns the number of elements of each row; 0: the segments are in the list. */
uint64_t cls_segments_row(const struct cls_segments *segments, const struct cls_arrays *arrays);

/* Returns the number of elements of a tile. */
uint64_t cls_segments_tile(const struct cls_segments *segments, uint64_t count);

#endif
