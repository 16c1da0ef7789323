/* tune_file.h - the file in which clsort-tune stores the ladders of a device */
#ifndef CLSORT_PLAN_TUNE_FILE_H
#define CLSORT_PLAN_TUNE_FILE_H

#include "plan/ladder.h"

/* Returns the path of the file of a device, in the folder of option
 * (clsort_engine_options.config_dir) or of the environment. The caller frees it. Returns NULL if
 * there is no folder, if the device does not report its names, or if memory is short. */
char *cls_tune_file(const struct cls_caps *caps, const char *option);

/* Replaces the ladders of the kinds that the file contains. If anything in the file is wrong, all
 * ladders remain unchanged and the reason is appended to note. A missing file is not an error. */
void cls_tune_file_read(const char *path, const struct cls_caps *caps, struct cls_ladders *ladders,
                        struct cls_text *note);

#endif
