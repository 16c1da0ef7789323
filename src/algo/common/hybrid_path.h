/* hybrid_path.h - the parameter `path` of hybrid, which its two variants share */
#ifndef CLSORT_ALGO_COMMON_HYBRID_PATH_H
#define CLSORT_ALGO_COMMON_HYBRID_PATH_H

#include "cl/hybrid/layout.h"

/* Why the path `splitters` is refused */
#define CLS_HYBRID_NO_SPLITTERS "path=splitters supports keys of 8 bytes only"

static const char *const CLS_HYBRID_PATHS[] = {[CLS_HYBRID_MSD - 1] = "msd",
                                               [CLS_HYBRID_LSD - 1] = "lsd",
                                               [CLS_HYBRID_SPLITTERS - 1] = "splitters",
                                               NULL};

#endif
