/* content.h - recognizes files that are not raw arrays of numbers */
#ifndef CLSORT_TOOLS_CONTENT_H
#define CLSORT_TOOLS_CONTENT_H

#include <stddef.h>

enum { CONTENT_BLOCK = 4096 }; /* bytes at the start of a file that content_refusal wants */

/* Returns why a file that begins with these bytes is not a raw array of numbers, with a hint what
 * to do, for an error message; NULL if nothing speaks against one. size: CONTENT_BLOCK, or less if
 * the file is shorter.
 *
 * Text consists of at least 16 bytes of valid UTF-8 without control characters, and has a line
 * feed. Shorter files are not judged, since too many arrays of u8 keys look like them. */
const char *content_refusal(const unsigned char *block, size_t size);

#endif
