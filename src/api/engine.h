/* engine.h - the struct behind clsort_engine */
#ifndef CLSORT_API_ENGINE_H
#define CLSORT_API_ENGINE_H

#include "device/program.h"
#include "plan/ladder.h"

struct clsort_engine {
    struct cls_device *device; /* a reference of the engine */
    struct cls_ladders ladders;
    char *tune_file; /* path of the file of clsort-tune, which need not exist; NULL: no path */
};

#endif
