/* env.c - the device under test with a context, queues and an engine */
#include "env.h"

#include <stdlib.h>
#include <string.h>

static clsort_status open_parts(struct env *env)
{
    cl_int status = clsort_find_device(getenv("CLSORT_DEVICE"), &env->device);
    if (status)
        return status;
    env->context = clCreateContext(NULL, 1, &env->device, NULL, NULL, &status);
    if (status)
        return status;
    env->queue = clCreateCommandQueue(env->context, env->device, 0, &status);
    if (status)
        return status;
    env->out_of_order = clCreateCommandQueue(env->context, env->device,
                                             CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &status);
    if (status == CL_INVALID_QUEUE_PROPERTIES)
        env->out_of_order = clCreateCommandQueue(env->context, env->device, 0, &status);
    if (status)
        return status;
    return clsort_engine_create(env->context, env->device, NULL, &env->engine);
}

clsort_status env_open(struct env *env)
{
    memset(env, 0, sizeof *env);
    clsort_status status = open_parts(env);
    if (status)
        env_close(env);
    return status;
}

void env_close(struct env *env)
{
    clsort_engine_destroy(env->engine);
    if (env->out_of_order)
        clReleaseCommandQueue(env->out_of_order);
    if (env->queue)
        clReleaseCommandQueue(env->queue);
    if (env->context)
        clReleaseContext(env->context);
}

int env_set_up(void **state)
{
    static struct env env;
    *state = &env;
    return env_open(&env);
}

int env_tear_down(void **state)
{
    env_close(*state);
    return 0;
}

bool env_blames_driver(const struct env *env)
{
    char error[512];
    return clsort_last_error(env->engine, sizeof error, error, NULL) == CLSORT_OK &&
           strstr(error, "this driver mis");
}

bool env_finish_event(cl_event event)
{
    if (!event)
        return false;
    cl_int state = CL_QUEUED;
    bool completed = clWaitForEvents(1, &event) == CL_SUCCESS &&
                     clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state,
                                    NULL) == CL_SUCCESS &&
                     state == CL_COMPLETE;
    clReleaseEvent(event);
    return completed;
}
