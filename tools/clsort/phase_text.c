/* phase_text.c - the name of a phase, for people and as JSON */
#include "phase_text.h"

#include <stdio.h>

void phase_title(char title[PHASE_TITLE_SIZE], const struct phase *phase)
{
    if (phase->pass_count > 1)
        snprintf(title, PHASE_TITLE_SIZE, "%s, pass %u of %u", phase->name, phase->pass,
                 phase->pass_count);
    else
        snprintf(title, PHASE_TITLE_SIZE, "%s", phase->name);
}

cJSON *phase_json(const struct phase *phase)
{
    cJSON *object = cJSON_CreateObject();

    if (cJSON_AddStringToObject(object, "phase", phase->name) != NULL &&
        (phase->pass_count == 0 ||
         (cJSON_AddNumberToObject(object, "pass", phase->pass) != NULL &&
          cJSON_AddNumberToObject(object, "passes", phase->pass_count) != NULL)))
        return object;
    cJSON_Delete(object);
    return NULL;
}
