/* report.c - clsort-external: divides a sort into phases and measures these */
#include "report.h"

#include "clock.h"

void report_end(struct report *report)
{
    struct external_report *to = &report->external->report;
    const struct io_totals now = io_totals(report->io);

    if (to->phase_count == 0)
        return;
    struct phase *phase = &to->phase[to->phase_count - 1];
    phase->read_bytes = now.read - report->before.read;
    phase->written_bytes = now.written - report->before.written;
    phase->wait_s = now.wait_s - report->before.wait_s;
    phase->seconds = clock_now() - report->start;
}

void report_begin(struct report *report, const char *name, unsigned pass, unsigned pass_count,
                  uint64_t rest)
{
    const struct external *external = report->external;
    struct external_report *to = &report->external->report;

    report_end(report);
    report->start = clock_now();
    report->before = io_totals(report->io);
    to->phase[to->phase_count++] =
        (struct phase){.name = name, .pass = pass, .pass_count = pass_count};
    if (external->begin_phase != NULL)
        external->begin_phase(&to->phase[to->phase_count - 1], rest);
}
