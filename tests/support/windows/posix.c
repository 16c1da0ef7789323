/* posix.c - the functions of POSIX that tests use and MinGW-w64 lacks */
#include "posix.h"

#include <direct.h>
#include <io.h>
#include <stdlib.h>
#include <windows.h>

/* _putenv_s would remove a variable that is set to "". The variable is therefore set to another value, which is then
 * changed in the environment of the C library and in that of the system: Wine copies the latter to the former whenever
 * a variable changes. */
int setenv(const char *name, const char *value, int overwrite)
{
    if (!overwrite && getenv(name))
        return 0;
    if (_putenv_s(name, *value ? value : " ") != 0)
        return -1;
    if (*value == '\0') {
        SetEnvironmentVariableA(name, "");
        *getenv(name) = '\0';
    }
    return 0;
}

int unsetenv(const char *name)
{
    return _putenv_s(name, "") == 0 ? 0 : -1;
}

char *mkdtemp(char *path)
{
    return _mktemp(path) && _mkdir(path) == 0 ? path : NULL;
}
