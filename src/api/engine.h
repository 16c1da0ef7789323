/* engine.h - the struct behind clsort_engine */
#ifndef CLSORT_API_ENGINE_H
#define CLSORT_API_ENGINE_H

#include "api/trials.h"
#include "base/error.h"
#include "device/program.h"
#include "plan/ladder.h"

struct clsort_engine {
    struct cls_device *device; /* a reference of the engine */
    struct cls_ladders ladders;
    struct cls_trials trials;
    char *tune_file; /* path of the file of clsort-tune, which need not exist; NULL: no path */
    char *tune_file_error; /* why the file is ignored; NULL: it is not */
};

/* Begins a public call about an engine, which may be NULL. */
static inline void cls_engine_begin(const clsort_engine *engine)
{
    cls_error_begin(engine ? engine->device->number : 0);
}

#endif
