/* engine.h - what an engine is inside */
#ifndef CLSORT_API_ENGINE_H
#define CLSORT_API_ENGINE_H

#include "device/program.h"
#include "plan/ladder.h"

struct clsort_engine {
    struct cls_device *device; /* held */
    struct cls_ladders ladders;
    char *tune_file; /* where clsort-tune's measurements would be, or NULL */
};

#endif
