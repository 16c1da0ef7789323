/* progress.c - a line on the terminal that shows what a long run does */
#include "progress.h"

#include "clock.h"
#include "print.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const double LINE_DELAY_S = 2; /* after progress_start */
static const double NOTE_DELAY_S = 1; /* after progress_compiling */

enum { UPDATE_MS = 250, LINE_SIZE = 80 };

/* The current phase. */
struct phase {
    const char *name;
    bool is_note;
    uint64_t total;
    double start;
};

static struct {
    pthread_mutex_t mutex; /* of phase and is_ending */
    pthread_cond_t ending;
    pthread_t thread;
    struct phase phase;
    bool is_on; /* the thread runs */
    bool is_ending;
    double start;
    size_t shown; /* length of the line on the terminal; used by the thread while it runs */
} progress = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static atomic_uint_fast64_t phase_bytes; /* of the current phase */

/* -- the line ---------------------------------------------------------------------------------- */

/* Replaces the line on the terminal. */
static void show(const char *line)
{
    const size_t length = strlen(line);

    if (length > 0 || progress.shown > 0)
        fprintf(stderr, "\r%-*s%s", (int)progress.shown, line, length > 0 ? "" : "\r");
    fflush(stderr);
    progress.shown = length;
}

/* Formats a number of bytes as "1.5 GiB". */
static void format_bytes(char text[16], double bytes)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    size_t unit = 0;

    for (; bytes >= 1024 && unit + 1 < sizeof units / sizeof units[0]; unit++)
        bytes /= 1024;
    snprintf(text, 16, "%.*f %s", unit > 0, bytes, units[unit]);
}

static void format_line(char line[LINE_SIZE], const struct phase *phase, double now)
{
    const double bytes = (double)atomic_load(&phase_bytes), total = (double)phase->total;
    const double seconds = now - phase->start;
    const double rate = seconds > 0 ? bytes / seconds : 0;
    char done[16], all[16], speed[16];

    format_bytes(done, bytes);
    format_bytes(all, total);
    format_bytes(speed, rate);
    if (phase->is_note)
        snprintf(line, LINE_SIZE, "%s", phase->name);
    else if (bytes > 0 && total >= bytes)
        snprintf(line, LINE_SIZE, "%s %s of %s (%.0f%%), %s/s, %.0f s left", phase->name, done, all,
                 100 * bytes / total, speed, (total - bytes) / rate);
    else if (bytes > 0)
        snprintf(line, LINE_SIZE, "%s %s, %s/s", phase->name, done, speed);
    else if (total > 0)
        snprintf(line, LINE_SIZE, "%s %s, %.0f s", phase->name, all, seconds);
    else
        snprintf(line, LINE_SIZE, "%s, %.0f s", phase->name, seconds);
}

/* Shows the phase if it is time to. */
static void update(const struct phase *phase)
{
    const double now = clock_now();
    const bool is_due =
        phase->name != NULL && (phase->is_note ? now - phase->start >= NOTE_DELAY_S
                                               : now - progress.start >= LINE_DELAY_S);
    char line[LINE_SIZE] = "";

    if (is_due)
        format_line(line, phase, now);
    show(line);
}

/* -- the thread -------------------------------------------------------------------------------- */

/* Sets *time to the current time plus UPDATE_MS. */
static void next_update(struct timespec *time)
{
    clock_gettime(CLOCK_MONOTONIC, time);
    time->tv_nsec += UPDATE_MS * 1000000L;
    if (time->tv_nsec >= 1000000000L) {
        time->tv_nsec -= 1000000000L;
        time->tv_sec++;
    }
}

static void *run(void *unused)
{
    struct timespec time;

    (void)unused;
    pthread_mutex_lock(&progress.mutex);
    while (!progress.is_ending) {
        next_update(&time);
        pthread_cond_timedwait(&progress.ending, &progress.mutex, &time);
        const struct phase phase = progress.phase;
        if (progress.is_ending)
            break;
        /* The terminal may block writes, which must not block the other threads. */
        pthread_mutex_unlock(&progress.mutex);
        update(&phase);
        pthread_mutex_lock(&progress.mutex);
    }
    pthread_mutex_unlock(&progress.mutex);
    return NULL;
}

void progress_start(bool quiet)
{
    pthread_condattr_t attributes;
    sigset_t all, before;

    if (quiet || !isatty(STDERR_FILENO) || pthread_condattr_init(&attributes) != 0)
        return;
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    const bool has_condition = pthread_cond_init(&progress.ending, &attributes) == 0;
    pthread_condattr_destroy(&attributes);
    progress.start = clock_now();
    /* The thread inherits the mask, so that signals interrupt the main thread only. */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    progress.is_on = has_condition && pthread_create(&progress.thread, NULL, run, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (progress.is_on)
        print_before_error(progress_end);
}

static void set_phase(const char *name, bool is_note, uint64_t total)
{
    pthread_mutex_lock(&progress.mutex);
    progress.phase = (struct phase){name, is_note, total, clock_now()};
    atomic_store(&phase_bytes, 0);
    pthread_mutex_unlock(&progress.mutex);
}

void progress_phase(const char *name, uint64_t total)
{
    set_phase(name, false, total);
}

void progress_compiling(void)
{
    set_phase("compiling kernels for this device (once)", true, 0);
}

void progress_add(uint64_t bytes)
{
    atomic_fetch_add(&phase_bytes, bytes);
}

bool progress_is_on(void)
{
    return progress.is_on;
}

void progress_end(void)
{
    if (!progress.is_on)
        return;
    pthread_mutex_lock(&progress.mutex);
    progress.is_ending = true;
    pthread_cond_signal(&progress.ending);
    pthread_mutex_unlock(&progress.mutex);
    pthread_join(progress.thread, NULL);
    pthread_cond_destroy(&progress.ending);
    progress.is_on = false;
    show("");
}
