/* system.c - the facts about a machine that the JSON results of all benchmarks have */
#include "system.h"

#include <clsort.h>
#include <stdio.h>
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

bool system_describe(cJSON *facts)
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
           cJSON_AddStringToObject(facts, "kernel", kernel) &&
           cJSON_AddStringToObject(facts, "clsort", clsort_version()) &&
           cJSON_AddStringToObject(facts, "compiler", COMPILER);
}
