/* The least that a result can cost: its numbers as text by a bare loop, its blocks read and sent.
 * What the service takes beyond that is ours (bench/results.py).
 *
 *     results DALEMBERT.DB PORT
 *
 * Prints the processor seconds of either, the least of five turns; the blocks go to 127.0.0.1:PORT,
 * which is to read and drop them. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "core/base/number.h"

enum { TURNS = 5, BUFFER = 1 << 16 };

static void check(int good, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "results: %s\n", what);
    exit(EXIT_FAILURE);
}

static double processor_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int connect_to(int port)
{
    const struct sockaddr_in address = {.sin_family = AF_INET,
                                        .sin_port = htons((uint16_t)port),
                                        .sin_addr = {htonl(INADDR_LOOPBACK)}};
    const int fd = socket(AF_INET, SOCK_STREAM, 0);

    check(fd >= 0 && connect(fd, (const struct sockaddr *)&address, sizeof address) == 0,
          "nobody listens there");
    return fd;
}

static void send_all(int fd, const char *bytes, size_t size)
{
    while (size > 0) {
        const ssize_t sent = write(fd, bytes, size);
        check(sent > 0, "the other side is gone");
        bytes += sent;
        size -= (size_t)sent;
    }
}

/* What is done with each block. */
typedef struct Work {
    void (*block)(struct Work *work, const char *data, size_t size);
    int fd;
    char buffer[BUFFER];
    size_t filled;
} Work;

static void send_block(Work *work, const char *data, size_t size)
{
    send_all(work->fd, data, size);
}

static void print_block(Work *work, const char *data, size_t size)
{
    for (size_t at = 0; at < size; at += sizeof(double)) {
        double value;
        memcpy(&value, data + at, sizeof value);
        if (work->filled > BUFFER - NUMBER_TEXT_MAX - 1)
            work->filled = 0;
        work->filled += number_print(value, work->buffer + work->filled);
        work->buffer[work->filled++] = ',';
    }
}

static double least_seconds(sqlite3 *db, Work *work)
{
    double least = 1e300;

    for (int turn = 0; turn < TURNS; turn++) {
        sqlite3_stmt *query;
        check(sqlite3_prepare_v2(db, "SELECT data FROM blocks WHERE tab = -1 ORDER BY first_row",
                                 -1, &query, NULL) == SQLITE_OK,
              "no table of blocks");
        const double begun = processor_seconds();
        while (sqlite3_step(query) == SQLITE_ROW)
            work->block(work, sqlite3_column_blob(query, 0),
                        (size_t)sqlite3_column_bytes(query, 0));
        const double took = processor_seconds() - begun;
        sqlite3_finalize(query);
        if (took < least)
            least = took;
    }
    return least;
}

int main(int argc, char **argv)
{
    static Work printing = {.block = print_block}, sending = {.block = send_block};
    sqlite3 *db;

    check(argc == 3, "results DALEMBERT.DB PORT");
    check(sqlite3_open_v2(argv[1], &db, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK,
          "no such database");
    sending.fd = connect_to(atoi(argv[2]));
    printf("%.6f %.6f\n", least_seconds(db, &printing), least_seconds(db, &sending));
    close(sending.fd);
    sqlite3_close(db);
    return EXIT_SUCCESS;
}
