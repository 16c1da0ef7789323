/* machine.c - the description of the machine in the JSON results */
#include "machine.h"

#include "peers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#ifdef __clang__
#define COMPILER __VERSION__
#else
#define COMPILER "GCC " __VERSION__
#endif

#define FACT_SIZE 256

/* Finds the name of the first processor in /proc/cpuinfo, else the name of the architecture. */
static void find_cpu(const struct utsname *system, char *name)
{
    char line[FACT_SIZE];
    FILE *file = fopen("/proc/cpuinfo", "r");
    snprintf(name, FACT_SIZE, "%s", system->machine);
    while (file && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", strlen("model name")) != 0 || !colon)
            continue;
        snprintf(name, FACT_SIZE, "%s", colon + 1 + strspn(colon + 1, " "));
        name[strcspn(name, "\n")] = '\0';
        break;
    }
    if (file)
        fclose(file);
}

static bool add_system(cJSON *facts)
{
    struct utsname system = {0};
    char cpu[FACT_SIZE], kernel[FACT_SIZE], date[FACT_SIZE];
    const time_t now = time(NULL);
    struct tm utc = {0};
    uname(&system);
    find_cpu(&system, cpu);
    snprintf(kernel, sizeof kernel, "%.99s %.99s", system.sysname, system.release);
    gmtime_r(&now, &utc);
    strftime(date, sizeof date, "%Y-%m-%d %H:%M UTC", &utc);
    return cJSON_AddStringToObject(facts, "date", date) &&
           cJSON_AddStringToObject(facts, "cpu", cpu) &&
           cJSON_AddNumberToObject(facts, "cores", (double)sysconf(_SC_NPROCESSORS_ONLN)) &&
           cJSON_AddStringToObject(facts, "kernel", kernel);
}

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
           cJSON_AddStringToObject(facts, "driver", driver) &&
           cJSON_AddStringToObject(facts, "platform", version) &&
           cJSON_AddStringToObject(facts, "pocl_affinity", getenv("POCL_AFFINITY"));
}

static bool add_versions(cJSON *facts)
{
    bool done = cJSON_AddStringToObject(facts, "clsort", clsort_version()) &&
                cJSON_AddStringToObject(facts, "compiler", COMPILER);
    cJSON *peers = done ? cJSON_AddObjectToObject(facts, "peers") : NULL;
    done = peers;
    for (size_t i = 0; done && peers_at(i); i++)
        if (!peers_at(i)->missing)
            done = cJSON_AddStringToObject(peers, peers_at(i)->name, peers_at(i)->version);
    return done;
}

cJSON *machine_describe(const struct target *target)
{
    cJSON *object = cJSON_CreateObject();
    cJSON *facts = object ? cJSON_AddObjectToObject(object, "machine") : NULL;
    if (facts && add_system(facts) && add_driver(facts, target) && add_versions(facts))
        return object;
    cJSON_Delete(object);
    return NULL;
}
