/* record.h - the lines of the file: what was measured now, and what was before */
#ifndef CLSORT_TOOLS_RECORD_H
#define CLSORT_TOOLS_RECORD_H

#include "race.h"

#include <stdio.h>

/* The first lines, to be freed: the same for all runs on a device. NULL when they cannot be had. */
char *record_head(const struct device *device);

/* The text of an earlier file of that head, to be freed; NULL when there is none. */
char *record_earlier(const char *path, const char *head);

/* The ladder of a race, and its times as comments. */
void record_write(const struct race *race, FILE *stream);

/* The same from the earlier text, as far as it has them. */
void record_keep(const char *earlier, const char *kind, FILE *stream);

#endif
