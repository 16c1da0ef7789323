/* log_lines.h - messages of compilers that do not heed #line, by the names and lines of what they are about
 *
 * NVIDIA's says "<kernel>:10:5", counting the lines of the whole program, where others say "less:1:5". */
#ifndef CLSORT_DEVICE_LOG_LINES_H
#define CLSORT_DEVICE_LOG_LINES_H

#include <stdbool.h>

/* Whether a log is such a compiler's. */
bool cls_lacks_lines(const char *log);

/* The log as others would have it, for the program's whole source with its #line. Allocated; NULL when memory is
 * short. */
char *cls_log_with_lines(const char *log, const char *source);

#endif
