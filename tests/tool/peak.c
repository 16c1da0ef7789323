/* peak.c - runs a program and stores its peak memory: clsort-test-peak FILE PROGRAM ARGUMENT...
 *
 * FILE gets the maximum of the resident memory in bytes. The exit status is that of the program. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FAILED = 3 };

int main(int argc, char **argv)
{
    struct rusage usage;
    int status;

    if (argc < 3)
        return FAILED;
    const pid_t child = fork();
    if (child == 0) {
        execvp(argv[2], argv + 2);
        _exit(FAILED);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || getrusage(RUSAGE_CHILDREN, &usage) != 0)
        return FAILED;
    FILE *file = fopen(argv[1], "w");
    if (file == NULL)
        return FAILED;
    fprintf(file, "%lld\n", (long long)usage.ru_maxrss * 1024);
    return fclose(file) == 0 && WIFEXITED(status) ? WEXITSTATUS(status) : FAILED;
}
