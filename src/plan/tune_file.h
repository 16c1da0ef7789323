/* tune_file.h - what clsort-tune measured on this device, in a file of the user's */
#ifndef CLSORT_PLAN_TUNE_FILE_H
#define CLSORT_PLAN_TUNE_FILE_H

#include "plan/ladder.h"

/* The file of a device, in the folder that option (clsort_engine_options.config_dir) or the environment names.
 * Allocated; NULL when there is none. */
char *cls_tune_file(const struct cls_caps *caps, const char *option);

/* Takes the ladders that the file has; those of kinds that it does not name stay as they are. All stay, and the
 * note says why, when anything is wrong with the file. That there is none is not wrong. */
void cls_tune_file_read(const char *path, const struct cls_caps *caps, struct cls_ladders *ladders,
                        struct cls_text *note);

#endif
