// row_unit.cl - the unit of values of any size, which are rows of such units
//
// Options:
//   UNIT_BYTES    1, 2, 4 or 8: the largest that divides the value size
#ifndef CLSORT_COMMON_ROW_UNIT_CL
#define CLSORT_COMMON_ROW_UNIT_CL

#if UNIT_BYTES == 1
typedef uchar row_unit_t;
#elif UNIT_BYTES == 2
typedef ushort row_unit_t;
#elif UNIT_BYTES == 4
typedef uint row_unit_t;
#else
typedef ulong row_unit_t;
#endif

// Copies `width` units of a row.
static inline void copy_row_units(__global const row_unit_t *source, __global row_unit_t *target,
                                  const uint width)
{
    uint u = 0;
    for (; u + 8 <= width; u += 8) {
        vstore8(vload8(0, source + u), 0, target + u);
    }
    for (; u < width; u++) {
        target[u] = source[u];
    }
}

#endif
