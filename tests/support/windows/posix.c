/* posix.c - the functions of POSIX that tests use and MinGW-w64 lacks */
#include "posix.h"

#include <direct.h>
#include <io.h>
#include <stdlib.h>

/* The C library removes a variable that is set to "". A value that becomes "" later stays. */
int setenv(const char *name, const char *value, int overwrite)
{
    if (!overwrite && getenv(name))
        return 0;
    const int status = _putenv_s(name, *value ? value : " ");
    if (status == 0 && *value == '\0')
        *getenv(name) = '\0';
    return status == 0 ? 0 : -1;
}

int unsetenv(const char *name)
{
    return _putenv_s(name, "") == 0 ? 0 : -1;
}

char *mkdtemp(char *path)
{
    return _mktemp(path) && _mkdir(path) == 0 ? path : NULL;
}
