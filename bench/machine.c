/* machine.c - the description of the machine in the JSON results */
#include "machine.h"

#include "peers.h"
#include "system.h"

#include <stdlib.h>

#define FACT_SIZE 256

/* Properties that the driver does not report are empty. */
static bool add_driver(cJSON *facts, const struct target *target)
{
    char driver[FACT_SIZE] = "", version[FACT_SIZE] = "";
    cl_platform_id platform;
    clGetDeviceInfo(target->device, CL_DRIVER_VERSION, sizeof driver, driver, NULL);
    if (clGetDeviceInfo(target->device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL) ==
        CL_SUCCESS)
        clGetPlatformInfo(platform, CL_PLATFORM_VERSION, sizeof version, version, NULL);
    return cJSON_AddStringToObject(facts, "device", target->name) &&
           (!target->group || cJSON_AddStringToObject(facts, "group", target->group_title)) &&
           cJSON_AddStringToObject(facts, "driver", driver) &&
           cJSON_AddStringToObject(facts, "platform", version) &&
           cJSON_AddStringToObject(facts, "pocl_affinity", getenv("POCL_AFFINITY"));
}

static bool add_peers(cJSON *facts)
{
    cJSON *peers = cJSON_AddObjectToObject(facts, "peers");
    bool done = peers;
    for (size_t i = 0; done && peers_at(i); i++)
        if (!peers_at(i)->missing)
            done = cJSON_AddStringToObject(peers, peers_at(i)->name, peers_at(i)->version);
    return done;
}

cJSON *machine_describe(const struct target *target)
{
    cJSON *object = cJSON_CreateObject();
    cJSON *facts = object ? cJSON_AddObjectToObject(object, "machine") : NULL;
    if (facts && system_describe(facts) && add_driver(facts, target) && add_peers(facts))
        return object;
    cJSON_Delete(object);
    return NULL;
}
