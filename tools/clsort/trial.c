/* trial.c - runs a step in a child process first, because a driver may abort there */
#include "trial.h"

#include "print.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* Threads of the driver allocate in an order that differs between runs. The child has this much
 * less, so that this process does not fail where the child barely succeeds. */
enum { MARGIN = 16 << 20 };

static void lower_limits(void)
{
    static const int resources[] = {RLIMIT_AS, RLIMIT_DATA};
    struct rlimit limit;

    for (int i = 0; i < 2; i++) {
        if (getrlimit(resources[i], &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
            continue;
        limit.rlim_cur = limit.rlim_cur > MARGIN ? limit.rlim_cur - MARGIN : 0;
        setrlimit(resources[i], &limit);
    }
}

/* Lets the child die silently, together with its parent, and without the parent's handlers, which
 * would remove its temporary file. */
static void isolate(void)
{
    const struct rlimit no_core = {0, 0};
    const int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setrlimit(RLIMIT_CORE, &no_core);
    for (int number = 1; number < SIGRTMIN; number++)
        signal(number, SIG_DFL);
    dup2(null, STDOUT_FILENO);
    dup2(null, STDERR_FILENO);
    print_before_error(NULL); /* the thread that shows progress is missing here */
    lower_limits();
}

enum trial trial_run(bool (*step)(void *context), void *context)
{
    int status;
    const pid_t child = fork();

    if (child < 0)
        return TRIAL_DIED;
    if (child == 0) {
        isolate();
        _exit(step(context) ? TRIAL_SUCCEEDED : TRIAL_FAILED);
    }
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return TRIAL_DIED;
    if (!WIFEXITED(status) || WEXITSTATUS(status) > TRIAL_FAILED)
        return TRIAL_DIED;
    return WEXITSTATUS(status) == 0 ? TRIAL_SUCCEEDED : TRIAL_FAILED;
}
