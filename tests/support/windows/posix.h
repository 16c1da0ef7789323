/* posix.h - the functions of POSIX that tests use and MinGW-w64 lacks; included before every file of the tests */
#ifndef CLSORT_TESTS_POSIX_H
#define CLSORT_TESTS_POSIX_H

int setenv(const char *name, const char *value, int overwrite);
int unsetenv(const char *name);
char *mkdtemp(char *path);

#endif
