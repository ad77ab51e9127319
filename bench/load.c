/* Load on a running daemon: submissions a second and their latency (median, 99th percentile and
 * longest), beside the time of a durable commit on the same disk in the same run.
 *
 *     load --port PORT --body JOB.json [--clients 32] [--seconds 5] [--mode submit|wait]
 *          [--commits DIRECTORY] [--warmup 0.5]
 *     load --port PORT --get PATH [--clients 32] [--seconds 5] [--warmup 0.5]
 *
 * submit: POST /v1/jobs, answered 202 when the job is durable. wait: the same with Prefer: wait=30,
 * answered 200 with the finished job. --get: GET of a path, answered 200. --commits measures in a
 * directory on the filesystem in question, before the load: write + fdatasync of 4 KiB, and a
 * SQLite commit (WAL, FULL). One thread a client, one connection each. */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/base/clock.h"

enum { LATENCIES_MAX = 1 << 20, ANSWER_MAX = 256 * 1024, COMMITS = 200 };

typedef struct Options {
    int port, clients;
    double seconds, warmup;
    bool wait;
    const char *body_file, *commits, *get;
} Options;

typedef struct Client {
    const Options *options;
    const char *request;
    size_t request_size;
    double begins, ends; /* of the measurement; clock_seconds() */
    double *latencies;
    size_t n, room, errors;
    int status; /* of the last unexpected answer */
    pthread_t thread;
} Client;

static void fail(const char *what)
{
    fprintf(stderr, "load: %s: %s\n", what, strerror(errno));
    exit(1);
}

static int dial(int port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    int on = 1, fd = socket(AF_INET, SOCK_STREAM, 0);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (fd < 0 || connect(fd, (const struct sockaddr *)&address, sizeof address) != 0)
        fail("cannot connect");
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return fd;
}

static void send_all(int fd, const char *data, size_t size)
{
    while (size > 0) {
        ssize_t n = send(fd, data, size, MSG_NOSIGNAL);
        if (n <= 0)
            fail("cannot send");
        data += n;
        size -= (size_t)n;
    }
}

/* Reads one answer with a Content-Length; its status. */
static int read_answer(int fd, char *buffer)
{
    size_t have = 0;
    for (;;) {
        if (have == ANSWER_MAX - 1)
            fail("an answer is too long");
        ssize_t n = recv(fd, buffer + have, ANSWER_MAX - 1 - have, 0);
        if (n <= 0)
            fail("the daemon closed the connection");
        have += (size_t)n;
        buffer[have] = '\0';
        const char *end = strstr(buffer, "\r\n\r\n");
        const char *length = end ? strstr(buffer, "Content-Length: ") : NULL;
        if (length && have >= (size_t)(end + 4 - buffer) +
                                  strtoul(length + strlen("Content-Length: "), NULL, 10))
            return (int)strtol(buffer + strlen("HTTP/1.1 "), NULL, 10);
    }
}

static void *run_client(void *cls)
{
    Client *client = cls;
    char *buffer = malloc(ANSWER_MAX);
    int fd = dial(client->options->port),
        expected = client->options->wait || client->options->get ? 200 : 202;
    if (!buffer)
        fail("out of memory");
    for (;;) {
        double began = clock_seconds();
        if (began >= client->ends || client->n == client->room)
            break;
        send_all(fd, client->request, client->request_size);
        int status = read_answer(fd, buffer);
        double ended = clock_seconds();
        if (status != expected) {
            client->errors++;
            client->status = status;
        } else if (began >= client->begins && ended <= client->ends) {
            client->latencies[client->n++] = ended - began;
        }
    }
    close(fd);
    free(buffer);
    return NULL;
}

static int compare(const void *a, const void *b)
{
    double x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

static double percentile(const double *sorted, size_t n, double part)
{
    return n ? sorted[(size_t)(part * (double)(n - 1))] : 0.0;
}

static double median_of(double *values, size_t n)
{
    qsort(values, n, sizeof *values, compare);
    return percentile(values, n, 0.5);
}

static void measure_fdatasync(const char *directory)
{
    char path[4096], page[4096];
    double seconds[COMMITS];
    snprintf(path, sizeof path, "%s/load-fdatasync.tmp", directory);
    memset(page, 'x', sizeof page);
    int fd = open(path, O_CREAT | O_RDWR | O_TRUNC, 0600);
    if (fd < 0)
        fail(path);
    for (int i = 0; i < COMMITS; i++) {
        double began = clock_seconds();
        if (pwrite(fd, page, sizeof page, (off_t)i * (off_t)sizeof page) < 0 || fdatasync(fd) != 0)
            fail("fdatasync");
        seconds[i] = clock_seconds() - began;
    }
    close(fd);
    unlink(path);
    printf("durable write   fdatasync of 4 KiB  median %.3f ms\n",
           median_of(seconds, COMMITS) * 1e3);
}

static void measure_sqlite(const char *directory)
{
    char path[4096];
    double seconds[COMMITS];
    sqlite3 *db;
    snprintf(path, sizeof path, "%s/load-commit.tmp", directory);
    if (sqlite3_open(path, &db) != SQLITE_OK)
        fail(path);
    sqlite3_exec(db,
                 "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;"
                 "CREATE TABLE t(id INTEGER PRIMARY KEY, body TEXT)",
                 NULL, NULL, NULL);
    for (int i = 0; i < COMMITS; i++) {
        double began = clock_seconds();
        if (sqlite3_exec(db, "INSERT INTO t(body) VALUES (hex(zeroblob(500)))", NULL, NULL, NULL) !=
            SQLITE_OK)
            fail("a commit failed");
        seconds[i] = clock_seconds() - began;
    }
    sqlite3_close(db);
    unlink(path);
    printf("durable commit  SQLite, one row     median %.3f ms\n",
           median_of(seconds, COMMITS) * 1e3);
}

static char *read_body(const char *path, size_t *ret_size)
{
    FILE *file = fopen(path, "rb");
    char *body = malloc(1 << 20);
    if (!file || !body)
        fail(path);
    *ret_size = fread(body, 1, 1 << 20, file);
    fclose(file);
    return body;
}

static char *make_get(const char *path, size_t *ret_size)
{
    char *request = malloc(strlen(path) + 128);
    if (!request)
        fail("out of memory");
    *ret_size = (size_t)sprintf(request, "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n", path);
    return request;
}

static char *make_request(const Options *options, size_t *ret_size)
{
    if (options->get)
        return make_get(options->get, ret_size);
    size_t size;
    char *body = read_body(options->body_file, &size), *request = malloc(size + 512);
    if (!request)
        fail("out of memory");
    int head = snprintf(request, 512,
                        "POST /v1/jobs HTTP/1.1\r\nHost: localhost\r\n"
                        "Content-Type: application/json\r\n%sContent-Length: %zu\r\n\r\n",
                        options->wait ? "Prefer: wait=30\r\n" : "", size);
    memcpy(request + head, body, size);
    free(body);
    *ret_size = (size_t)head + size;
    return request;
}

static void report(const Options *options, Client *clients, double *all)
{
    size_t n = 0, errors = 0;
    for (int i = 0; i < options->clients; i++) {
        memcpy(all + n, clients[i].latencies, clients[i].n * sizeof *all);
        n += clients[i].n;
        errors += clients[i].errors;
        if (clients[i].errors)
            fprintf(stderr, "load: client %d got status %d\n", i, clients[i].status);
    }
    qsort(all, n, sizeof *all, compare);
    printf("%-15s %d clients, %g s: %.0f requests/s, p50 %.3f ms, p99 %.3f ms, longest %.3f ms, "
           "%zu errors\n",
           options->get    ? "get"
           : options->wait ? "submit and wait"
                           : "submit",
           options->clients, options->seconds, (double)n / options->seconds,
           percentile(all, n, 0.5) * 1e3, percentile(all, n, 0.99) * 1e3,
           percentile(all, n, 1.0) * 1e3, errors);
    if (errors)
        exit(1);
}

static void run_load(const Options *options)
{
    size_t size, room = LATENCIES_MAX / (size_t)options->clients;
    char *request = make_request(options, &size);
    Client *clients = calloc((size_t)options->clients, sizeof *clients);
    double *latencies = calloc(2 * (size_t)LATENCIES_MAX, sizeof *latencies);
    if (!clients || !latencies)
        fail("out of memory");
    double now = clock_seconds();
    for (int i = 0; i < options->clients; i++) {
        clients[i] = (Client){.options = options,
                              .request = request,
                              .request_size = size,
                              .begins = now + options->warmup,
                              .ends = now + options->warmup + options->seconds,
                              .latencies = latencies + (size_t)i * room,
                              .room = room};
        if (pthread_create(&clients[i].thread, NULL, run_client, &clients[i]) != 0)
            fail("cannot start a thread");
    }
    for (int i = 0; i < options->clients; i++)
        pthread_join(clients[i].thread, NULL);
    report(options, clients, latencies + LATENCIES_MAX);
    free(latencies);
    free(clients);
    free(request);
}

static void usage(void)
{
    fputs("usage: load --port PORT --body JOB.json [--clients 32] [--seconds 5] [--warmup 0.5]\n"
          "            [--mode submit|wait] [--commits DIRECTORY]\n"
          "       load --port PORT --get PATH [--clients 32] [--seconds 5] [--warmup 0.5]\n",
          stderr);
    exit(2);
}

/* False when there is no such option. */
static bool set_option(Options *options, const char *name, const char *value)
{
    if (strcmp(name, "--port") == 0)
        options->port = (int)strtol(value, NULL, 10);
    else if (strcmp(name, "--clients") == 0)
        options->clients = (int)strtol(value, NULL, 10);
    else if (strcmp(name, "--seconds") == 0)
        options->seconds = strtod(value, NULL);
    else if (strcmp(name, "--warmup") == 0)
        options->warmup = strtod(value, NULL);
    else if (strcmp(name, "--mode") == 0)
        options->wait = strcmp(value, "wait") == 0;
    else if (strcmp(name, "--get") == 0)
        options->get = value;
    else if (strcmp(name, "--body") == 0)
        options->body_file = value;
    else if (strcmp(name, "--commits") == 0)
        options->commits = value;
    else
        return false;
    return true;
}

int main(int argc, char **argv)
{
    Options options = {.clients = 32, .seconds = 5.0, .warmup = 0.5};
    for (int i = 1; i < argc; i += 2)
        if (i + 1 == argc || !set_option(&options, argv[i], argv[i + 1]))
            usage();
    if (options.commits) {
        measure_fdatasync(options.commits);
        measure_sqlite(options.commits);
    }
    if (options.port <= 0 || options.clients <= 0 || (!options.body_file && !options.get))
        usage();
    run_load(&options);
    return 0;
}
