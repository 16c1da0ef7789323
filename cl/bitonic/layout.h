/* layout.h - constants that the host and the kernels of bitonic sort share */
#ifndef CLSORT_BITONIC_LAYOUT_H
#define CLSORT_BITONIC_LAYOUT_H

/* How a kernel performs the first of its steps. The first step of stage s is mirrored: it compares
 * the elements i and i ^ (2^s - 1). All other steps are plain: they compare i and i ^ 2^j. */
enum {
    CLS_BITONIC_PLAIN,
    CLS_BITONIC_MIRRORED,
    /* The following are used by the kernels only. NVIDIA's compiler makes bitonic_local 2 % faster
     * if SKIPPED is 2. */
    CLS_BITONIC_SKIPPED,       /* the registers allow one more step than is left */
    CLS_BITONIC_MIRRORED_LANES /* rows of vectors are mirrored, and so are the lanes of each row */
};

#endif
