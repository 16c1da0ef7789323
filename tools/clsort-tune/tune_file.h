/* tune_file.h - the contents of a tune file: new measurements and earlier ones */
#ifndef CLSORT_TOOLS_TUNE_FILE_H
#define CLSORT_TOOLS_TUNE_FILE_H

#include "measure.h"

#include <stdio.h>

/* Returns the first two lines, which name the version and the device; the caller frees them. NULL:
 * out of memory, or the device has no name. */
char *tune_file_head(const struct device *device);

/* Returns the text of an earlier tune file with the same head; the caller frees it. NULL if there
 * is no such file. */
char *tune_file_read(const char *path, const char *head);

/* Writes the ladder, and the measured times as comments. */
void tune_file_write(const struct measurement *measurement, FILE *stream);

/* Copies the lines of a kind from the text of an earlier file, if it has any. */
void tune_file_copy(const char *earlier, const char *kind, FILE *stream);

#endif
