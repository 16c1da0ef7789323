/* log_lines.h - line numbers in build logs, corrected for compilers that ignore #line
 *
 * NVIDIA's compiler reports "<kernel>:10:5", with line numbers of the complete source, where others
 * report "less:1:5". */
#ifndef CLSORT_DEVICE_LOG_LINES_H
#define CLSORT_DEVICE_LOG_LINES_H

#include <stdbool.h>

/* Returns whether the log is that of a compiler that ignored the #line directives. */
bool cls_log_ignores_directives(const char *log);

/* Returns a copy of the log whose names and line numbers follow the #line directives in source, the
 * complete source of the program. The caller frees it. Returns NULL if memory is short. */
char *cls_log_with_lines(const char *log, const char *source);

/* Returns whether the log names a line of this file, as in less:1:5, less(1) or "less", line 1. */
bool cls_log_names_line(const char *log, const char *file);

#endif
