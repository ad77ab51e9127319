/* dalembert healthcheck: asks a running daemon over HTTP whether it is ready; the exit status is
 * the answer. */
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "server/command/commands.h"
#include "server/config.h"
#include "server/http/address.h"

enum { TIMEOUT_SECONDS = 5 };

static const char USAGE[] =
    "usage: dalembert healthcheck [--url http://ADDRESS:PORT]\n\n"
    "Exit status 0 if the daemon there is ready, else 1. Without --url the address is the one of\n"
    "`dalembert serve` with the same environment (DALEMBERT_LISTEN, DALEMBERT_CONFIG).\n";

/* A daemon that listens on every address is asked on the loopback address. */
static void aim_at_loopback(Address *address)
{
    if (address->storage.ss_family == AF_INET) {
        struct sockaddr_in in = {0};
        memcpy(&in, &address->storage, sizeof in);
        if (in.sin_addr.s_addr == htonl(INADDR_ANY))
            in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        memcpy(&address->storage, &in, sizeof in);
    } else if (address->storage.ss_family == AF_INET6) {
        struct sockaddr_in6 in6 = {0};
        memcpy(&in6, &address->storage, sizeof in6);
        if (IN6_IS_ADDR_UNSPECIFIED(&in6.sin6_addr))
            in6.sin6_addr = in6addr_loopback;
        memcpy(&address->storage, &in6, sizeof in6);
    }
}

/* The status of the answer to GET /readyz; 0: no answer. */
static int healthcheck_ask(const Address *address)
{
    static const char REQUEST[] =
        "GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    struct timeval timeout = {.tv_sec = TIMEOUT_SECONDS};
    char answer[64] = {0};
    int status = 0, fd = socket(address->storage.ss_family, SOCK_STREAM, 0);
    if (fd < 0)
        return 0;
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout);
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof timeout);
    /* ask, and read the status line */
    if (connect(fd, (const struct sockaddr *)&address->storage, address->length) == 0 &&
        send(fd, REQUEST, sizeof REQUEST - 1, MSG_NOSIGNAL) == (ssize_t)(sizeof REQUEST - 1)) {
        size_t n = 0;
        ssize_t got;
        while (n < sizeof answer - 1 && (got = recv(fd, answer + n, sizeof answer - 1 - n, 0)) > 0)
            n += (size_t)got;
        if (strncmp(answer, "HTTP/1.1 ", 9) == 0)
            status = (int)strtol(answer + 9, NULL, 10);
    }
    close(fd);
    return status;
}

static Status find_address(int argc, char **argv, Config *config, Address *ret, Error *err)
{
    static const char SCHEME[] = "http://";
    char text[256];
    ConfigAction action;
    const char *url = NULL;
    if (argc == 2 && strcmp(argv[0], "--url") == 0)
        url = argv[1];
    else if (argc == 1 && strncmp(argv[0], "--url=", 6) == 0)
        url = argv[0] + 6;
    else if (argc > 0)
        return error_set(err, ERR_INVALID, "unexpected argument \"%.80s\"", argv[0]);
    if (!url) {
        Status status = config_load(config, 0, NULL, &action, err);
        if (status == OK)
            status = address_parse(config->http.listen, ret, err);
        return status;
    }
    if (strncasecmp(url, SCHEME, strlen(SCHEME)) != 0)
        return error_set(err, ERR_INVALID, "the URL must begin with http://");
    url += strlen(SCHEME);
    snprintf(text, sizeof text, "%.*s", (int)strcspn(url, "/?#"), url);
    if (!strrchr(text, ':') || text[strlen(text) - 1] == ']')
        snprintf(text + strlen(text), sizeof text - strlen(text), ":80");
    return address_parse(text, ret, err);
}

int command_healthcheck(int argc, char **argv)
{
    Config config;
    Address address = {0};
    Error err = {0};
    if (argc > 0 && (strcmp(argv[0], "--help") == 0 || strcmp(argv[0], "-h") == 0)) {
        fputs(USAGE, stdout);
        return 0;
    }
    Status status = config_init(&config, &err);
    if (status == OK)
        status = find_address(argc, argv, &config, &address, &err);
    config_done(&config);
    if (status != OK) {
        fprintf(stderr, "dalembert healthcheck: %s\n", err.message);
        return 2;
    }
    char text[ADDRESS_TEXT_MAX];
    aim_at_loopback(&address);
    address_format(&address, text);
    int code = healthcheck_ask(&address);
    if (code == 200)
        printf("http://%s is ready\n", text);
    else if (code == 0)
        fprintf(stderr, "dalembert healthcheck: no answer from http://%s\n", text);
    else
        fprintf(stderr, "dalembert healthcheck: http://%s answers %d\n", text, code);
    return code == 200 ? 0 : 1;
}
