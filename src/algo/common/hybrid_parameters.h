/* hybrid_parameters.h - the parameters of hybrid, which its two variants share */
#ifndef CLSORT_ALGO_COMMON_HYBRID_PARAMETERS_H
#define CLSORT_ALGO_COMMON_HYBRID_PARAMETERS_H

#include "algo/tuning.h"
#include "cl/hybrid/layout.h"

/* Why the path `splitters` is refused */
#define CLS_HYBRID_NO_SPLITTERS "path=splitters supports keys of 8 bytes only"

static const char *const CLS_HYBRID_PATHS[] = {[CLS_HYBRID_MSD - 1] = "msd",
                                               [CLS_HYBRID_LSD - 1] = "lsd",
                                               [CLS_HYBRID_SPLITTERS - 1] = "splitters",
                                               NULL};

/* The number of items is that of LSD's tiles. */
enum { CLS_HYBRID_PATH, CLS_HYBRID_ITEMS };
#define CLS_HYBRID_PARAMETERS                                                                      \
    {                                                                                              \
        [CLS_HYBRID_PATH] = {.name = "path", .words = CLS_HYBRID_PATHS}, [CLS_HYBRID_ITEMS] = {    \
            .name = "items",                                                                       \
            .min = 1,                                                                              \
            .max = CLS_ONESWEEP_MAX_ITEMS                                                          \
        }                                                                                          \
    }

#endif
