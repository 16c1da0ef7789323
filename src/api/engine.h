/* engine.h - what an engine is inside */
#ifndef CLSORT_API_ENGINE_H
#define CLSORT_API_ENGINE_H

#include "device/program.h"

struct clsort_engine {
    struct cls_device *device; /* held */
};

#endif
