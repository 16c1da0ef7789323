/* engine.c - public entry points of engines */
#include "api/engine.h"

#include "api/query.h"
#include "base/versioned.h"
#include "device/probe.h"
#include "device/process.h"
#include "plan/tune_file.h"

#include <stdlib.h>
#include <string.h>

/* Returns whether the list contains the device or one of its ancestors: for a context of
 * sub-devices, some drivers list the parent devices. */
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

/* Returns CL_SUCCESS if the device belongs to the context. */
static clsort_status check_device(cl_context context, cl_device_id device)
{
    size_t bytes = 0;
    clsort_status status = clGetContextInfo(context, CL_CONTEXT_DEVICES, 0, NULL, &bytes);
    if (status != CL_SUCCESS)
        return cls_called("clGetContextInfo", status);
    cl_device_id *devices = malloc(bytes);
    if (!devices)
        return CLSORT_E_MEMORY;
    status = cls_called("clGetContextInfo",
                        clGetContextInfo(context, CL_CONTEXT_DEVICES, bytes, devices, NULL));
    if (status == CL_SUCCESS && !is_listed(device, devices, bytes / sizeof *devices))
        status = cls_fail(CL_INVALID_DEVICE, "device is not a device of the context");
    free(devices);
    return status;
}

/* Opens the device and probes it. On failure nothing has to be released. */
static clsort_status open_device(cl_context context, cl_device_id id, const char *cache_dir,
                                 struct cls_device **device)
{
    clsort_status status = cls_device_open(context, id, cache_dir, device);
    if (status != CL_SUCCESS)
        return status;
    status = cls_probe(*device);
    if (status != CL_SUCCESS)
        cls_device_release(*device);
    return status;
}

/* Sets the ladders: the built-in ones, or those in the file of clsort-tune; and the error of the
 * file, which is lost if memory is short. */
static void set_ladders(clsort_engine *engine, const char *config_dir)
{
    const struct cls_caps *caps = &engine->device->caps;
    char line[5000] = ""; /* holds a path and an error */
    struct cls_text note = CLS_TEXT(line);
    engine->ladders = cls_ladders_for(caps);
    engine->tune_file = cls_tune_file(caps, config_dir);
    if (engine->tune_file)
        cls_tune_file_read(engine->tune_file, caps, &engine->ladders, &note);
    engine->tune_file_error = *line ? strdup(line) : NULL;
}

static clsort_status create(cl_context context, cl_device_id device,
                            const clsort_engine_options *options, clsort_engine **engine)
{
    clsort_engine_options own = CLSORT_ENGINE_OPTIONS_INIT;
    if (!engine)
        return cls_fail(CLSORT_E_ARGUMENT, "engine is NULL");
    *engine = NULL;
    if (!context)
        return cls_fail(CL_INVALID_CONTEXT, "context is NULL");
    if (!device)
        return cls_fail(CL_INVALID_DEVICE, "device is NULL");
    clsort_status status =
        options ? cls_versioned_copy(options, &own, sizeof own, "clsort_engine_options",
                                     "CLSORT_ENGINE_OPTIONS_INIT")
                : CLSORT_OK;
    if (status == CLSORT_OK)
        status = cls_check_process();
    if (status == CLSORT_OK)
        status = check_device(context, device);
    if (status != CLSORT_OK)
        return status;
    clsort_engine *created = calloc(1, sizeof *created);
    if (!created)
        return CLSORT_E_MEMORY;
    status = open_device(context, device, own.cache_dir, &created->device);
    if (status != CL_SUCCESS) {
        free(created);
        return status;
    }
    set_ladders(created, own.config_dir);
    *engine = created;
    return CLSORT_OK;
}

clsort_status clsort_engine_create(cl_context context, cl_device_id device,
                                   const clsort_engine_options *options, clsort_engine **engine)
{
    cls_error_begin(0);
    return cls_error_end(create(context, device, options, engine));
}

void clsort_engine_destroy(clsort_engine *engine)
{
    if (!engine || !cls_process_may_use_opencl())
        return;
    cls_device_release(engine->device);
    free(engine->tune_file);
    free(engine->tune_file_error);
    free(engine);
}

clsort_status clsort_last_error(clsort_engine *engine, size_t size, char *text, size_t *size_ret)
{
    if (size_ret)
        *size_ret = 0;
    if (size > 0 && !text)
        return CLSORT_E_ARGUMENT;
    cls_text_return(cls_error_about(engine ? engine->device->number : 0), size, text, size_ret);
    return CLSORT_OK;
}

clsort_status clsort_tune_file(clsort_engine *engine, size_t size, char *text, size_t *size_ret)
{
    cls_engine_begin(engine);
    const clsort_status status = cls_check_query(engine, "engine", size, text, size_ret);
    if (status == CLSORT_OK)
        cls_text_return(engine->tune_file ? engine->tune_file : "", size, text, size_ret);
    return cls_error_end(status);
}

clsort_status clsort_tune_file_error(clsort_engine *engine, size_t size, char *text,
                                     size_t *size_ret)
{
    cls_engine_begin(engine);
    const clsort_status status = cls_check_query(engine, "engine", size, text, size_ret);
    if (status == CLSORT_OK)
        cls_text_return(engine->tune_file_error ? engine->tune_file_error : "", size, text,
                        size_ret);
    return cls_error_end(status);
}

clsort_status clsort_engine_setup_time(clsort_engine *engine, uint64_t *build_ns,
                                       uint64_t *self_test_ns)
{
    cls_engine_begin(engine);
    struct cls_setup_time time = {0, 0};
    const clsort_status status =
        engine ? cls_check_process() : cls_fail(CLSORT_E_ARGUMENT, "engine is NULL");
    if (status == CLSORT_OK)
        time = cls_setup_time(engine->device);
    if (build_ns)
        *build_ns = time.build_ns;
    if (self_test_ns)
        *self_test_ns = time.self_test_ns;
    return cls_error_end(status);
}
