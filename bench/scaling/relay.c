/* relay.c - an Ethernet switch with delay, loss and a limited rate, between TAP devices: relay DELAY_US LOSS_PPM
 * MBIT_S NAME...
 *
 * For scripts/mpi-namespaces.sh on kernels without the queueing discipline netem. The program creates the devices,
 * prints "ready", and forwards frames until it is ended by a signal. The script moves each device to a network
 * namespace and gives it the hardware address 02:00:00:00:00:NN, where NN is its number in hexadecimal from 0, so that
 * the switch finds the receiver of a frame by its address. Frames to other addresses go to all devices.
 *
 * Each device sends at most MBIT_S megabits per second (0: no limit). A frame arrives DELAY_US microseconds after it
 * has been sent, and is lost with a probability of LOSS_PPM / 1000000. */
#define _GNU_SOURCE

#include <errno.h>
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum {
    MAX_PORTS = 64,
    MAX_FRAME = 9216, /* also jumbo frames */
    QUEUE = 1024      /* frames of a port. A full one reads no more from its device. */
};

struct frame {
    uint64_t due; /* in ns */
    size_t bytes;
    unsigned char data[MAX_FRAME];
};

/* The frames that a device has sent, in the order in which they arrive */
struct port {
    int file;
    uint64_t idle_from; /* when the last frame has been sent */
    size_t first, count;
    struct frame frames[QUEUE];
};

struct relay {
    uint64_t delay_ns, loss_ppm, mbit_s, random;
    size_t ports;
    struct port *port;
};

static uint64_t now_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static int open_device(const char *name)
{
    struct ifreq request = {.ifr_flags = IFF_TAP | IFF_NO_PI};
    const int file = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
    snprintf(request.ifr_name, sizeof request.ifr_name, "%s", name);
    if (file < 0 || ioctl(file, TUNSETIFF, &request) != 0) {
        fprintf(stderr, "relay: %s: cannot create a TAP device: %s\n", name, strerror(errno));
        exit(1);
    }
    return file;
}

/* Returns whether a frame is lost (xorshift64). */
static int is_lost(struct relay *relay)
{
    relay->random ^= relay->random << 13;
    relay->random ^= relay->random >> 7;
    relay->random ^= relay->random << 17;
    return relay->random % 1000000 < relay->loss_ppm;
}

/* Reads all frames that a device has sent, as far as the queue has space. */
static void receive(struct relay *relay, struct port *port)
{
    while (port->count < QUEUE) {
        struct frame *frame = &port->frames[(port->first + port->count) % QUEUE];
        const ssize_t bytes = read(port->file, frame->data, MAX_FRAME);
        if (bytes <= 0)
            return;
        const uint64_t now = now_ns();
        if (port->idle_from < now)
            port->idle_from = now;
        if (relay->mbit_s > 0)
            port->idle_from += (uint64_t)bytes * 8000 / relay->mbit_s;
        frame->due = port->idle_from + relay->delay_ns;
        frame->bytes = (size_t)bytes;
        port->count += !is_lost(relay);
    }
}

/* Passes on a frame of the device number `from`. A receiver without space loses it, as in a switch. */
static void deliver(const struct relay *relay, size_t from, const struct frame *frame)
{
    static const unsigned char prefix[5] = {2};
    const size_t to = frame->data[5];
    const int is_known = memcmp(frame->data, prefix, sizeof prefix) == 0 && to < relay->ports;
    for (size_t i = 0; i < relay->ports; i++)
        if (is_known ? i == to : i != from)
            (void)!write(relay->port[i].file, frame->data, frame->bytes);
}

/* Passes on all frames that are due. Returns the time until the next one is due, in ns, but at most a second. */
static uint64_t deliver_due(struct relay *relay)
{
    uint64_t wait = 1000000000u;
    for (size_t i = 0; i < relay->ports; i++) {
        struct port *port = &relay->port[i];
        const uint64_t now = now_ns();
        while (port->count > 0 && port->frames[port->first].due <= now) {
            deliver(relay, i, &port->frames[port->first]);
            port->first = (port->first + 1) % QUEUE;
            port->count--;
        }
        if (port->count > 0 && port->frames[port->first].due - now < wait)
            wait = port->frames[port->first].due - now;
    }
    return wait;
}

static void run(struct relay *relay)
{
    struct pollfd polled[MAX_PORTS];
    for (;;) {
        const uint64_t wait = deliver_due(relay);
        const struct timespec timeout = {(time_t)(wait / 1000000000u), (long)(wait % 1000000000u)};
        for (size_t i = 0; i < relay->ports; i++)
            polled[i] =
                (struct pollfd){relay->port[i].count < QUEUE ? relay->port[i].file : -1, POLLIN, 0};
        ppoll(polled, relay->ports, &timeout, NULL);
        for (size_t i = 0; i < relay->ports; i++)
            if (polled[i].revents & POLLIN)
                receive(relay, &relay->port[i]);
    }
}

int main(int argc, char **argv)
{
    struct relay relay = {.random = 88172645463325252u};
    if (argc < 5 || argc - 4 > MAX_PORTS) {
        fprintf(stderr, "usage: relay DELAY_US LOSS_PPM MBIT_S NAME... (at most %d names)\n",
                MAX_PORTS);
        return 2;
    }
    relay.delay_ns = strtoull(argv[1], NULL, 10) * 1000;
    relay.loss_ppm = strtoull(argv[2], NULL, 10);
    relay.mbit_s = strtoull(argv[3], NULL, 10);
    relay.ports = (size_t)argc - 4;
    relay.port = calloc(relay.ports, sizeof *relay.port);
    if (!relay.port) {
        fprintf(stderr, "relay: out of memory\n");
        return 1;
    }
    for (size_t i = 0; i < relay.ports; i++)
        relay.port[i].file = open_device(argv[i + 4]);
    puts("ready");
    fflush(stdout);
    run(&relay);
}
