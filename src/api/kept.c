/* kept.c - public functions about the memory that an engine keeps between sorts of host arrays */
#include "api/array.h"
#include "api/engine.h"
#include "device/process.h"
#include "device/scratch.h"

/* Sets *device to that of the engine, or of clsort_array's if engine is NULL; to NULL if that does
 * not exist. */
static clsort_status find_device(clsort_engine *engine, struct cls_device **device)
{
    if (!engine)
        engine = cls_default_engine();
    *device = engine ? engine->device : NULL;
    return engine ? cls_check_process() : CLSORT_OK;
}

clsort_status clsort_engine_kept(clsort_engine *engine, uint64_t *bytes)
{
    struct cls_device *device;
    cls_engine_begin(engine);
    if (!bytes)
        return cls_error_end(cls_fail(CLSORT_E_ARGUMENT, "bytes is NULL"));
    const clsort_status status = find_device(engine, &device);
    *bytes = status == CLSORT_OK && device ? cls_scratch_kept(device) : 0;
    return cls_error_end(status);
}

clsort_status clsort_engine_trim(clsort_engine *engine, uint64_t max_bytes)
{
    struct cls_device *device;
    cls_engine_begin(engine);
    const clsort_status status = find_device(engine, &device);
    if (status == CLSORT_OK && device)
        cls_scratch_trim(device, max_bytes);
    return cls_error_end(status);
}
