/* terminal.c - clsort-tool-common: keeps binary data off terminals */
#include "terminal.h"

#include "print.h"

#include <string.h>
#include <unistd.h>

bool terminal_check_output(const char *path)
{
    if ((path != NULL && strcmp(path, "-") != 0) || !isatty(STDOUT_FILENO))
        return true;
    print_error("standard output",
                "binary data are not written to a terminal; write to a file by --output or "
                "redirection, or give --force");
    return false;
}
