/* progress.c - shows on standard error what a long run does */
#include "progress.h"

#include "clock.h"
#include "phase_text.h"
#include "print.h"

#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const double LINE_DELAY_S = 2;  /* after progress_start, on a terminal */
static const double NOTE_DELAY_S = 1;  /* after progress_compiling */
static const double MIN_UNKNOWN_S = 1; /* shorter phases of unknown size get no line at their end */

enum {
    UPDATE_MS = 250, /* of the line of a terminal */
    UPDATE_LINES_MS = 1000,
    LINE_SIZE = 160,
    MAX_SHOWN = 79, /* columns of a terminal */
    MAX_ENDED = 16  /* phases that wait to be printed */
};

/* A phase, and how far it is. */
struct state {
    struct phase phase; /* its name and pass */
    bool is_note;
    bool is_waiting; /* no bytes are left */
    uint64_t total, bytes;
    double start;       /* of the phase */
    double bytes_start; /* of the first phase whose bytes are counted */
    double now;
};

static struct {
    pthread_mutex_t mutex; /* of state, ended and is_ending */
    pthread_cond_t changed;
    pthread_t thread;
    struct state state;
    struct state ended[MAX_ENDED]; /* for lines */
    size_t ended_count;
    enum progress_when when;
    bool is_on; /* the thread runs */
    bool is_ending;
    double start;
    size_t shown; /* length of the line on the terminal; used by the thread while it runs */
} progress = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static atomic_uint_fast64_t counted_bytes;

/* -- text -------------------------------------------------------------------------------------- */

/* Replaces the line on the terminal. */
static void show(const char *line)
{
    const size_t length = strlen(line) < MAX_SHOWN ? strlen(line) : MAX_SHOWN;

    if (length > 0 || progress.shown > 0)
        fprintf(stderr, "\r%-*.*s%s", (int)progress.shown, MAX_SHOWN, line, length > 0 ? "" : "\r");
    fflush(stderr);
    progress.shown = length;
}

/* Formats a number of bytes as "1.5 GiB", with at most three digits before the point. */
static void format_bytes(char text[16], double bytes)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    size_t unit = 0;

    for (; bytes >= 999.95 && unit + 1 < sizeof units / sizeof units[0]; unit++)
        bytes /= 1024;
    snprintf(text, 16, "%.*f %s", unit > 0, bytes, units[unit]);
}

/* Formats a time as "12 s", "5:12 min" or "23:59 h". */
static void format_time(char text[32], double seconds)
{
    const uint64_t s = (uint64_t)(seconds + 0.5);

    if (s < 60)
        snprintf(text, 32, "%u s", (unsigned)s);
    else if (s < 3600)
        snprintf(text, 32, "%u:%02u min", (unsigned)(s / 60), (unsigned)(s % 60));
    else
        snprintf(text, 32, "%.0f:%02u h", (double)(s / 3600), (unsigned)(s / 60 % 60));
}

/* Returns bytes per second. */
static double rate_of(const struct state *state)
{
    const double seconds = state->now - state->bytes_start;

    return seconds > 0 ? (double)state->bytes / seconds : 0;
}

/* Returns whether the time left is known, and sets it. */
static bool estimate(const struct state *state, double *seconds)
{
    const double rate = rate_of(state);

    *seconds = rate > 0 ? ((double)state->total - (double)state->bytes) / rate : 0;
    return rate > 0 && state->total >= state->bytes && !state->is_waiting;
}

static void format_line(char line[LINE_SIZE], const struct state *state)
{
    char title[PHASE_TITLE_SIZE], done[16], all[16], speed[16], since[32], rest[32];
    double left;
    const bool has_rest = estimate(state, &left);

    phase_title(title, &state->phase);
    format_bytes(done, (double)state->bytes);
    format_bytes(all, (double)state->total);
    format_bytes(speed, rate_of(state));
    format_time(since, state->now - state->start);
    format_time(rest, left);
    if (state->is_note)
        snprintf(line, LINE_SIZE, "%s for this device (once)", title);
    else if (has_rest)
        snprintf(line, LINE_SIZE, "%s: %s of %s (%.0f%%), %s/s, %s left", title, done, all,
                 100 * (double)state->bytes / (double)state->total, speed, rest);
    else if (state->bytes > 0 && !state->is_waiting)
        snprintf(line, LINE_SIZE, "%s: %s, %s/s", title, done, speed);
    else if (state->total > 0 && !state->is_waiting)
        snprintf(line, LINE_SIZE, "%s: %s, %s", title, all, since);
    else
        snprintf(line, LINE_SIZE, "%s: %s", title, since);
}

/* -- JSON -------------------------------------------------------------------------------------- */

/* Adds a number, or null if it is not known. */
static bool add(cJSON *object, const char *name, bool is_known, double value)
{
    return (is_known ? cJSON_AddNumberToObject(object, name, value)
                     : cJSON_AddNullToObject(object, name)) != NULL;
}

static double round_to_ms(double seconds)
{
    return round(1e3 * seconds) / 1e3;
}

/* Prints an object; nothing if memory runs out. */
static void print_object(const struct state *state)
{
    cJSON *object = phase_json(&state->phase);
    char *text = NULL;
    double left;
    const bool has_rest = estimate(state, &left);

    if (object != NULL && add(object, "bytes", true, (double)state->bytes) &&
        add(object, "total_bytes", state->total > 0, (double)state->total) &&
        add(object, "bytes_per_s", true, round(rate_of(state))) &&
        add(object, "eta_s", has_rest, round_to_ms(left)) &&
        add(object, "elapsed_s", true, round_to_ms(state->now - progress.start)))
        text = cJSON_PrintUnformatted(object);
    if (text != NULL)
        fprintf(stderr, "%s\n", text);
    cJSON_free(text);
    cJSON_Delete(object);
}

/* -- the thread -------------------------------------------------------------------------------- */

/* Returns whether the phase has lasted long enough to be shown. */
static bool is_due(const struct state *state)
{
    if (state->phase.name == NULL)
        return false;
    if (state->is_note)
        return state->now - state->start >= NOTE_DELAY_S;
    return progress.when != PROGRESS_AUTO || state->now - progress.start >= LINE_DELAY_S;
}

static void update(const struct state *state)
{
    char line[LINE_SIZE] = "";

    if (progress.when == PROGRESS_JSON) {
        if (is_due(state))
            print_object(state);
        return;
    }
    if (is_due(state))
        format_line(line, state);
    if (progress.when == PROGRESS_AUTO)
        show(line);
    else if (line[0] != '\0')
        fprintf(stderr, "%s\n", line);
}

/* Sets *time to the current time plus the interval of updates. */
static void next_update(struct timespec *time)
{
    const long ms = progress.when == PROGRESS_AUTO ? UPDATE_MS : UPDATE_LINES_MS;

    clock_gettime(CLOCK_MONOTONIC, time);
    time->tv_sec += ms / 1000;
    time->tv_nsec += ms % 1000 * 1000000L;
    if (time->tv_nsec >= 1000000000L) {
        time->tv_nsec -= 1000000000L;
        time->tv_sec++;
    }
}

/* Returns the state of the phase. The mutex is locked. */
static struct state current(void)
{
    struct state state = progress.state;

    state.bytes = atomic_load(&counted_bytes);
    state.now = clock_now();
    return state;
}

static void *run(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&progress.mutex);
    while (!progress.is_ending || progress.ended_count > 0) {
        struct timespec time;
        struct state state;
        bool is_late = false;

        next_update(&time);
        while (progress.ended_count == 0 && !progress.is_ending && !is_late)
            is_late = pthread_cond_timedwait(&progress.changed, &progress.mutex, &time) != 0;
        if (progress.ended_count > 0) {
            state = progress.ended[0];
            memmove(progress.ended, progress.ended + 1,
                    --progress.ended_count * sizeof *progress.ended);
        } else if (progress.is_ending) {
            break;
        } else {
            state = current();
        }
        /* The terminal may block writes, which must not block the other threads. */
        pthread_mutex_unlock(&progress.mutex);
        update(&state);
        pthread_mutex_lock(&progress.mutex);
    }
    pthread_mutex_unlock(&progress.mutex);
    return NULL;
}

void progress_start(enum progress_when when)
{
    pthread_condattr_t attributes;
    sigset_t all, before;

    if (when == PROGRESS_NEVER || (when == PROGRESS_AUTO && !isatty(STDERR_FILENO)) ||
        pthread_condattr_init(&attributes) != 0)
        return;
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    const bool has_condition = pthread_cond_init(&progress.changed, &attributes) == 0;
    pthread_condattr_destroy(&attributes);
    progress.start = clock_now();
    progress.when = when;
    /* The thread inherits the mask, so that signals interrupt the main thread only. */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    progress.is_on = has_condition && pthread_create(&progress.thread, NULL, run, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (progress.is_on)
        print_before_error(progress_end);
}

/* -- phases ------------------------------------------------------------------------------------ */

/* Hands the final state of the phase to the thread, if lines are printed. If the thread cannot
 * write for long, this replaces an older one. The mutex is locked. */
static void end_phase(void)
{
    const struct state state = current();

    if (!progress.is_on || progress.when == PROGRESS_AUTO || state.is_note ||
        (state.total == 0 && state.now - state.start < MIN_UNKNOWN_S))
        return;
    progress.ended_count -= progress.ended_count == MAX_ENDED;
    progress.ended[progress.ended_count++] = state;
    pthread_cond_signal(&progress.changed);
}

static void set_phase(const char *name, bool is_note, uint64_t total)
{
    pthread_mutex_lock(&progress.mutex);
    end_phase();
    const double now = clock_now();
    progress.state = (struct state){.phase = {.name = name},
                                    .is_note = is_note,
                                    .total = total,
                                    .start = now,
                                    .bytes_start = now};
    atomic_store(&counted_bytes, 0);
    pthread_mutex_unlock(&progress.mutex);
}

void progress_phase(const char *name, uint64_t total)
{
    set_phase(name, false, total);
}

void progress_continue(const struct phase *phase, uint64_t rest)
{
    pthread_mutex_lock(&progress.mutex);
    end_phase();
    progress.state =
        (struct state){.phase = *phase,
                       .is_waiting = rest == 0,
                       .total = rest == UINT64_MAX ? 0 : atomic_load(&counted_bytes) + rest,
                       .start = clock_now(),
                       .bytes_start = progress.state.bytes_start};
    pthread_mutex_unlock(&progress.mutex);
}

void progress_wait_for_disk(void)
{
    const struct phase phase = {.name = "waiting for the disk"};

    progress_continue(&phase, 0);
}

void progress_compiling(void)
{
    set_phase("compiling kernels", true, 0);
}

void progress_add(uint64_t bytes)
{
    atomic_fetch_add(&counted_bytes, bytes);
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
    end_phase();
    progress.is_ending = true;
    pthread_cond_signal(&progress.changed);
    pthread_mutex_unlock(&progress.mutex);
    pthread_join(progress.thread, NULL);
    pthread_cond_destroy(&progress.changed);
    progress.is_on = false;
    show("");
}
