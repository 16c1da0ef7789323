/* engine.c - public entry points of engines, and the list of algorithms */
#include "api/engine.h"

#include "algo/algo.h"
#include "device/probe.h"
#include "plan/request.h"
#include "plan/tune_file.h"

#include <stdlib.h>

/* Whether a device, or one that it is a part of, is in the list: some drivers list the parents of a
 * context's sub-devices. */
static bool is_listed(cl_device_id device, const cl_device_id *devices, size_t count)
{
    while (device) {
        for (size_t i = 0; i < count; i++)
            if (devices[i] == device)
                return true;
        cl_device_id parent = NULL;
        if (clGetDeviceInfo(device, CL_DEVICE_PARENT_DEVICE, sizeof parent, &parent, NULL) !=
            CL_SUCCESS)
            return false;
        device = parent;
    }
    return false;
}

/* What is known of the speed of algorithms on the engine's device. */
static void find_ladders(clsort_engine *engine, const char *config_dir)
{
    const struct cls_caps *caps = &engine->device->caps;
    char line[5000] = ""; /* a path, and what is wrong with it */
    struct cls_text note = CLS_TEXT(line);
    engine->ladders = cls_ladders_for(caps);
    engine->tune_file = cls_tune_file(caps, config_dir);
    if (engine->tune_file)
        cls_tune_file_read(engine->tune_file, caps, &engine->ladders, &note);
    if (*line)
        cls_device_log(engine->device, line);
}

clsort_status clsort_engine_create(cl_context context, cl_device_id device,
                                   const clsort_engine_options *options, clsort_engine **engine)
{
    clsort_engine_options o = CLSORT_ENGINE_OPTIONS_INIT;
    if (!engine)
        return CLSORT_E_ARGUMENT;
    *engine = NULL;
    if (!context)
        return CL_INVALID_CONTEXT;
    if (!device)
        return CL_INVALID_DEVICE;
    if (options) {
        const clsort_status status = cls_versioned_copy(options, &o, sizeof o);
        if (status != CLSORT_OK)
            return status;
    }
    size_t bytes = 0;
    clsort_status status = clGetContextInfo(context, CL_CONTEXT_DEVICES, 0, NULL, &bytes);
    if (status != CL_SUCCESS)
        return status;
    cl_device_id *devices = malloc(bytes);
    clsort_engine *made = malloc(sizeof *made);
    if (!devices || !made)
        status = CLSORT_E_MEMORY;
    else
        status = clGetContextInfo(context, CL_CONTEXT_DEVICES, bytes, devices, NULL);
    if (status == CL_SUCCESS && !is_listed(device, devices, bytes / sizeof *devices))
        status = CL_INVALID_DEVICE;
    if (status == CL_SUCCESS)
        status = cls_device_open(context, device, o.cache_dir, &made->device);
    if (status == CL_SUCCESS) {
        status = cls_probe(made->device);
        if (status != CL_SUCCESS)
            cls_device_release(made->device);
    }
    free(devices);
    if (status != CL_SUCCESS) {
        free(made);
        return status;
    }
    find_ladders(made, o.config_dir);
    *engine = made;
    return CLSORT_OK;
}

void clsort_engine_destroy(clsort_engine *engine)
{
    if (!engine)
        return;
    cls_device_release(engine->device);
    free(engine->tune_file);
    free(engine);
}

clsort_status clsort_engine_log(clsort_engine *engine, size_t size, char *text, size_t *size_ret)
{
    if (size_ret)
        *size_ret = 0;
    if (!engine || (size > 0 && !text))
        return CLSORT_E_ARGUMENT;
    struct cls_device *device = engine->device;
    pthread_mutex_lock(&device->mutex);
    cls_text_return(device->log ? device->log : "", size, text, size_ret);
    pthread_mutex_unlock(&device->mutex);
    return CLSORT_OK;
}

clsort_status clsort_tune_file(clsort_engine *engine, size_t size, char *text, size_t *size_ret)
{
    if (size_ret)
        *size_ret = 0;
    if (!engine || (size > 0 && !text))
        return CLSORT_E_ARGUMENT;
    cls_text_return(engine->tune_file ? engine->tune_file : "", size, text, size_ret);
    return CLSORT_OK;
}

const char *clsort_algorithm_name(size_t index)
{
    const struct cls_algo *algo = cls_algo_at(index);
    return algo ? algo->name : NULL;
}
