/* dalembert serve: runs the daemon until a signal. */
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "core/base/clock.h"
#include "server/command/commands.h"
#include "server/daemon/service.h"
#include "server/systemd.h"

enum { LARGE_BLOCK_BYTES = 1 << 20, KEPT_BYTES = 2 << 20 };

static void greet(const Service *service)
{
    char address[ADDRESS_TEXT_MAX];
    address_format(http_address(service->http), address);
    printf("dalembert %s listens on http://%s\n", DALEMBERT_VERSION, address);
    printf("data directory %s, %llu worker thread%s; Ctrl-C stops\n", service->config.store.data,
           (unsigned long long)service->config.jobs.workers,
           service->config.jobs.workers == 1 ? "" : "s");
    printf("try: curl http://%s/v1/catalog\n", address);
    fflush(stdout);
}

/* Without a trusted proxy, nothing is known that encrypts the keys on their way. */
static void warn_of_plaintext(const Service *service)
{
    if (service->keyring && !http_address(service->http)->loopback &&
        service->access.proxies.n_allowed == 0)
        log_event(&service->log, LOG_WARNING, "plaintext", "reason=\"%s\"",
                  "keys travel unencrypted: use a proxy with TLS, and set --trusted-proxies");
}

/* Returns large blocks to the system at once. The thresholds are fixed, because by default they
 * grow with the freed blocks, up to 32 MiB. A heap keeps some memory, because new pages for each
 * block of a download cost more than its numbers. */
static void keep_little(void)
{
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, LARGE_BLOCK_BYTES);
    mallopt(M_TRIM_THRESHOLD, KEPT_BYTES);
#endif
}

/* Serves everything on, but /readyz answers 503, so that a balancer sends its requests elsewhere
 * before connections are refused. Only after SIGTERM: Ctrl-C comes from a terminal. */
static void take_leave(Service *service, int signal_number)
{
    const double until = clock_seconds() + service->config.drain_delay;
    if (signal_number != SIGTERM)
        return;
    atomic_store(&service->state, API_HOST_LEAVING);
    for (double left = until - clock_seconds(); left > 0.0; left = until - clock_seconds())
        poll(NULL, 0, (int)(1000.0 * fmin(left, 1.0)) + 1);
}

static int serve(Service *service)
{
    Error err = {0};
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &signals, NULL); /* inherited by every thread */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* a file size limit fails one write, not the process */
    keep_little();

    const Status status = service_open(service, &err);
    if (status == OK) {
        greet(service);
        warn_of_plaintext(service);
        log_event(&service->log, LOG_INFO, "started", "workers=%llu request_threads=%llu",
                  (unsigned long long)service->config.jobs.workers,
                  (unsigned long long)service->config.http.request_threads);
        systemd_notify("READY=1");
        const int number = service_watch(service, &signals);
        systemd_notify("STOPPING=1");
        take_leave(service, number);
    } else {
        fprintf(stderr, "dalembert serve: %s\n", err.message);
    }
    service_close(service);
    if (status == OK)
        log_event(&service->log, LOG_INFO, "stopped", "%s", "clean=true");
    return status == OK ? 0 : status == ERR_INVALID ? 2 : 1;
}

static void print_text(void (*write)(const Config *config, Text *out), const Config *config)
{
    Text text = TEXT_INIT;
    write(config, &text);
    fputs(text_string(&text), stdout);
    text_done(&text);
}

static void warn_of_variables(void)
{
    Text text = TEXT_INIT;
    config_stray_variables(&text);
    char *rest = NULL;
    for (char *line = text.data ? strtok_r(text.data, "\n", &rest) : NULL; line;
         line = strtok_r(NULL, "\n", &rest))
        fprintf(stderr, "dalembert serve: warning: %s\n", line);
    text_done(&text);
}

static void write_help(const Config *config, Text *out)
{
    (void)config;
    text_puts(out,
              "usage: dalembert serve [FLAGS]\n\n"
              "Runs the daemon until SIGTERM or Ctrl-C. Each flag may also be set by the\n"
              "environment variable in brackets, or by a line of the --config file. SIZE is in\n"
              "bytes, or in K, M or G, powers of 1024 (8M, 8MB and 8MiB are the same).\n\n");
    config_help(out);
    text_puts(out,
              "  --accept-loss               start although commits are lost with a damaged or\n"
              "                              missing write-ahead log; for one start\n"
              "  --print-config              print the configuration in force and exit\n"
              "  --check-config              check the configuration and exit\n");
}

Status serve_check(const Config *config, Error *err)
{
    Service *service = calloc(1, sizeof *service);
    if (!service)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    service->config = *config;
    const Status status = service_check(service, err);
    free(service);
    return status;
}

int command_serve(int argc, char **argv)
{
    Service *service = calloc(1, sizeof *service);
    Error err = {0};
    ConfigAction action = CONFIG_RUN;
    int code = 0;
    if (!service)
        return 1;
    service->log.fd = STDERR_FILENO;
    /* load and check the configuration */
    Status status = config_init(&service->config, &err);
    if (status == OK)
        status = config_load(&service->config, argc, argv, &action, &err);
    if (status == OK && (action == CONFIG_RUN || action == CONFIG_CHECK))
        status = service_check(service, &err);
    warn_of_variables();
    /* report a mistake, print, or run */
    if (status != OK) {
        fprintf(stderr, "dalembert serve: %s\n", err.message);
        code = 2;
    } else if (action == CONFIG_HELP) {
        print_text(write_help, &service->config);
    } else if (action == CONFIG_PRINT) {
        print_text(config_print, &service->config);
    } else if (action == CONFIG_CHECK) {
        puts("the configuration is fine");
    } else {
        code = serve(service);
    }
    config_done(&service->config);
    free(service);
    return code;
}
