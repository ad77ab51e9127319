/* The least that a service over libmicrohttpd can be, with dalembert's settings: one answer to
 * every request. What a request costs beyond this is ours.
 *
 *     hello [--threads 32] [--bytes 6]
 *
 * Prints its port and serves until its standard input ends. */
#include <arpa/inet.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Hello {
    char *body;
    size_t bytes;
} Hello;

static enum MHD_Result answer(void *cls, struct MHD_Connection *connection, const char *url,
                              const char *method, const char *version, const char *data,
                              size_t *size, void **context)
{
    static int seen;
    Hello *hello = cls;
    (void)url;
    (void)method;
    (void)version;
    (void)data;
    (void)size;
    if (!*context) { /* the headers, as every handler must */
        *context = &seen;
        return MHD_YES;
    }
    struct MHD_Response *response =
        MHD_create_response_from_buffer(hello->bytes, hello->body, MHD_RESPMEM_PERSISTENT);
    MHD_add_response_header(response, "Content-Type", "application/json");
    enum MHD_Result result = MHD_queue_response(connection, MHD_HTTP_OK, response);
    MHD_destroy_response(response);
    return result;
}

int main(int argc, char **argv)
{
    /* as many threads and bytes as the service has in the comparison */
    unsigned threads = 32;
    Hello hello = {.bytes = 6};
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--threads") == 0)
            threads = (unsigned)strtoul(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--bytes") == 0)
            hello.bytes = strtoul(argv[i + 1], NULL, 10);
    }
    hello.body = malloc(hello.bytes + 1);
    if (!hello.body)
        return 1;
    memset(hello.body, 'x', hello.bytes);
    /* the settings of server/http/http.c, on a free port of this machine, which is printed */
    struct sockaddr_in address = {.sin_family = AF_INET};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    struct MHD_Daemon *daemon = MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_USE_ITC | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL,
        answer, &hello, MHD_OPTION_SOCK_ADDR, &address, MHD_OPTION_THREAD_POOL_SIZE, threads,
        MHD_OPTION_CONNECTION_LIMIT, 1000 + 8 * threads, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        (size_t)64 * 1024, MHD_OPTION_END);
    if (!daemon)
        return 1;
    printf("%u\n", MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT)->port);
    fflush(stdout);
    /* until the standard input ends */
    while (getchar() != EOF) {
    }
    MHD_stop_daemon(daemon);
    free(hello.body);
    return 0;
}
