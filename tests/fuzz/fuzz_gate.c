/* The gate in front of libmicrohttpd: of what it lets pass, a strict reader of the same bytes must
 * see the same requests with the same headers and bodies (no request smuggling), and libmicrohttpd
 * must find nothing to complain of, for it does so in HTML.
 *
 * An input is what a client sends on one connection. libmicrohttpd runs without threads and reads
 * it from a socket pair. */
#include <microhttpd.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/base/arena.h"
#include "server/http/intake.h"
#include "tests/fuzz/fuzz.h"

enum {
    INPUT_MOST = 16 * 1024,
    CONNECTION_MEMORY = 64 * 1024, /* as the server has it */
    LENIENT = -1,                  /* likewise */
    ROUNDS_MOST = 10000,
    HEADERS_MOST = 100,
};

/* A request as the strict reader sees it: parts of the input. */
typedef struct Part {
    const char *text;
    size_t length;
} Part;

typedef struct Strict {
    Part method, target, version;
    Part names[HEADERS_MOST], values[HEADERS_MOST];
    size_t n_headers;
    int64_t content_length; /* -1: chunked */
    size_t body;            /* where the body begins */
} Strict;

/* A connection under way. */
typedef struct Session {
    const char *input;
    size_t size, at; /* requests before `at` are done */
    char *target;    /* of the request under way */
    Strict strict;
    bool unknown; /* chunks that the strict reader does not read: nothing to compare from here on */
    Text body;
    bool refused, closed;
} Session;

static Session session;
static struct MHD_Daemon *daemon_;

/* The strict reader. */

/* The line at `at`, which ends with CR LF; nothing in it looks like its end. */
static bool read_line(const Session *s, size_t at, Part *ret)
{
    const char *line = s->input + at;
    for (size_t n = 0; at + n + 1 < s->size; n++) {
        if (line[n] == '\r' && line[n + 1] == '\n') {
            *ret = (Part){line, n};
            return true;
        }
        if (line[n] == '\r' || line[n] == '\n' || line[n] == '\0')
            return false;
    }
    return false;
}

static bool split(Part line, char separator, Part *ret_before, Part *ret_after)
{
    const char *place = memchr(line.text, separator, line.length);
    if (!place)
        return false;
    size_t n = (size_t)(place - line.text);
    *ret_before = (Part){line.text, n};
    *ret_after = (Part){place + 1, line.length - n - 1};
    return true;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static Part trim(Part part)
{
    while (part.length > 0 && is_blank(part.text[0])) {
        part.text++;
        part.length--;
    }
    while (part.length > 0 && is_blank(part.text[part.length - 1]))
        part.length--;
    return part;
}

static bool part_is(Part part, const char *text)
{
    return part.length == strlen(text) && strncasecmp(part.text, text, part.length) == 0;
}

static bool read_framing(Strict *strict)
{
    bool length = false, coding = false;
    for (size_t i = 0; i < strict->n_headers; i++) {
        Part value = strict->values[i];
        if (part_is(strict->names[i], "Content-Length")) {
            if (length || value.length == 0 || value.length > 18)
                return false;
            length = true;
            for (size_t k = 0; k < value.length; k++) {
                if (value.text[k] < '0' || value.text[k] > '9')
                    return false;
                strict->content_length = 10 * strict->content_length + (value.text[k] - '0');
            }
        } else if (part_is(strict->names[i], "Transfer-Encoding")) {
            if (coding || !part_is(value, "chunked"))
                return false;
            coding = true;
        }
    }
    if (coding && length)
        return false;
    if (coding)
        strict->content_length = -1;
    return true;
}

/* Empty lines in front of a request. */
static size_t skip_lines(const Session *s, size_t at)
{
    while (at + 1 < s->size && s->input[at] == '\r' && s->input[at + 1] == '\n')
        at += 2;
    return at;
}

/* The request at `at` by the letter of RFC 9112. */
static bool read_strictly(const Session *s, Strict *ret)
{
    Part line, rest;
    size_t at = skip_lines(s, s->at);
    memset(ret, 0, sizeof *ret);
    if (!read_line(s, at, &line) || !split(line, ' ', &ret->method, &rest) ||
        !split(rest, ' ', &ret->target, &ret->version) || ret->method.length == 0 ||
        ret->target.length == 0 || memchr(ret->version.text, ' ', ret->version.length))
        return false;
    at += line.length + 2;
    for (;;) {
        if (!read_line(s, at, &line))
            return false;
        at += line.length + 2;
        if (line.length == 0)
            break;
        Part *name = &ret->names[ret->n_headers], *value = &ret->values[ret->n_headers];
        if (ret->n_headers == HEADERS_MOST || !split(line, ':', name, value) || name->length == 0 ||
            is_blank(name->text[0]) || is_blank(name->text[name->length - 1]))
            return false;
        *value = trim(*value);
        ret->n_headers++;
    }
    ret->body = at;
    return read_framing(ret);
}

static bool skip_trailers(const Session *s, size_t at, size_t *ret_end)
{
    Part line;
    do {
        if (!read_line(s, at, &line))
            return false;
        at += line.length + 2;
    } while (line.length > 0);
    *ret_end = at;
    return true;
}

/* Where chunks and trailers end; the data go to `out`. False: they are not as RFC 9112 wants them,
 * not whole, or large. */
static bool read_chunks(const Session *s, size_t at, Text *out, size_t *ret_end)
{
    for (;;) {
        Part line;
        size_t length = 0;
        if (!read_line(s, at, &line))
            return false;
        const char *extension = memchr(line.text, ';', line.length);
        size_t digits = extension ? (size_t)(extension - line.text) : line.length;
        if (digits == 0 || digits > 6)
            return false;
        for (size_t i = 0; i < digits; i++) {
            static const char DIGITS[] = "0123456789abcdef";
            const char *digit = strchr(DIGITS, line.text[i] | 0x20);
            if (!digit || line.text[i] < '0')
                return false;
            length = 16 * length + (size_t)(digit - DIGITS);
        }
        at += line.length + 2;
        if (length == 0)
            return skip_trailers(s, at, ret_end);
        if (length > s->size - at)
            return false;
        text_append(out, s->input + at, length);
        at += length;
        if (!read_line(s, at, &line) || line.length > 0)
            return false;
        at += 2;
    }
}

/* What libmicrohttpd made of it. */

static void require_same(Part part, const char *text, const char *what)
{
    REQUIRE(part.length == strlen(text) && memcmp(part.text, text, part.length) == 0,
            "%s: \"%s\" passed the gate, sent was \"%.*s\"", what, text, (int)part.length,
            part.text);
}

static void check_passed(const Head *head, const char *method, const char *version)
{
    Strict *strict = &session.strict;
    REQUIRE(read_strictly(&session, strict),
            "\"%s %s\" passed the gate, but is no request (at %zu)", method, session.target,
            session.at);
    require_same(strict->method, method, "method");
    require_same(strict->method, head->method, "method");
    require_same(strict->target, session.target, "target");
    require_same(strict->target, head->target, "target");
    require_same(strict->version, version, "version");
    REQUIRE(strict->n_headers == head->n_headers, "%zu headers, sent were %zu", head->n_headers,
            strict->n_headers);
    for (size_t i = 0; i < head->n_headers; i++) {
        require_same(strict->names[i], head->headers[i].name, "header");
        require_same(strict->values[i], head->headers[i].value, head->headers[i].name);
    }
    REQUIRE(strict->content_length == head->content_length, "a body of %lld, sent were %lld",
            (long long)head->content_length, (long long)strict->content_length);
}

static void check_body(void)
{
    const Strict *strict = &session.strict;
    Text expected = TEXT_INIT;
    size_t end = strict->body;
    if (strict->content_length >= 0) {
        size_t length = (size_t)strict->content_length;
        REQUIRE(length <= session.size - end, "a whole body, but the input ends before");
        text_append(&expected, session.input + end, length);
        end += length;
    } else if (!read_chunks(&session, end, &expected, &end)) {
        session.unknown = true;
    }
    if (!session.unknown) {
        REQUIRE(expected.length == session.body.length &&
                    (expected.length == 0 ||
                     memcmp(expected.data, session.body.data, expected.length) == 0),
                "a body of %zu bytes, sent were %zu", session.body.length, expected.length);
        session.at = end;
    }
    text_done(&expected);
}

static enum MHD_Result answer(struct MHD_Connection *mhd)
{
    static char empty[1];
    struct MHD_Response *response =
        MHD_create_response_from_buffer(0, empty, MHD_RESPMEM_PERSISTENT);
    enum MHD_Result result = MHD_queue_response(mhd, 200, response);
    MHD_destroy_response(response);
    return result;
}

static int socket_of(struct MHD_Connection *mhd)
{
    return MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
}

static void *on_target(void *cls, const char *target, struct MHD_Connection *mhd)
{
    (void)cls;
    (void)mhd;
    free(session.target);
    session.target = strdup(target);
    text_reset(&session.body);
    return NULL;
}

static enum MHD_Result on_request(void *cls, struct MHD_Connection *mhd, const char *url,
                                  const char *method, const char *version, const char *data,
                                  size_t *size, void **context)
{
    (void)cls;
    (void)url;
    if (!*context) {
        *context = &session;
        Arena *arena = arena_new(1 << 20);
        REQUIRE(arena, "out of memory");
        Head head;
        REQUIRE(intake_take_head(socket_of(mhd), arena, &head), "a request without a head");
        if (!session.unknown)
            check_passed(&head, method, version);
        arena_free(arena);
        return MHD_YES;
    }
    if (*size > 0) {
        text_append(&session.body, data, *size);
        *size = 0;
        return MHD_YES;
    }
    if (!session.unknown)
        check_body();
    return answer(mhd);
}

static void on_refused(void *self, void *connection, int fd, const Refusal *refusal)
{
    (void)self;
    (void)connection;
    (void)fd;
    REQUIRE(!session.refused, "refused twice");
    REQUIRE(refusal->reason && problem_status(refusal->problem) >= 400, "refused without a reason");
    session.refused = true;
}

static void on_connection(void *cls, struct MHD_Connection *mhd, void **context,
                          enum MHD_ConnectionNotificationCode code)
{
    (void)cls;
    (void)context;
    session.closed = code == MHD_CONNECTION_NOTIFY_CLOSED;
    if (session.closed)
        intake_close(socket_of(mhd));
    else
        REQUIRE(intake_open(socket_of(mhd), (IntakeSink){.refused = on_refused}), "out of memory");
}

static void on_completed(void *cls, struct MHD_Connection *mhd, void **context,
                         enum MHD_RequestTerminationCode code)
{
    (void)cls;
    (void)context;
    (void)code;
    intake_answered(socket_of(mhd));
}

static void stop_daemon(void)
{
    MHD_stop_daemon(daemon_);
}

static void be_silent(void *cls, const char *format, va_list args)
{
    (void)cls;
    (void)format;
    (void)args;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    daemon_ = MHD_start_daemon(
        MHD_USE_NO_LISTEN_SOCKET | MHD_USE_ERROR_LOG, 0, NULL, NULL, on_request, NULL,
        MHD_OPTION_EXTERNAL_LOGGER, be_silent, NULL, MHD_OPTION_URI_LOG_CALLBACK, on_target, NULL,
        MHD_OPTION_NOTIFY_COMPLETED, on_completed, NULL, MHD_OPTION_NOTIFY_CONNECTION,
        on_connection, NULL, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_MEMORY,
        MHD_OPTION_STRICT_FOR_CLIENT, LENIENT, MHD_OPTION_END);
    REQUIRE(daemon_, "libmicrohttpd does not start");
    atexit(stop_daemon);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct sockaddr address = {.sa_family = AF_UNIX};
    char sink[4096];
    int ends[2];
    if (size > INPUT_MOST)
        return 0;
    REQUIRE(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends) == 0, "no socket pair");
    session = (Session){.input = (const char *)data, .size = size};
    if (size > 0)
        REQUIRE(write(ends[1], data, size) == (ssize_t)size, "the socket does not take it all");
    shutdown(ends[1], SHUT_WR);
    REQUIRE(MHD_add_connection(daemon_, ends[0], &address, sizeof address) == MHD_YES,
            "the connection is not taken");
    for (int round = 0; !session.closed; round++) {
        REQUIRE(round < ROUNDS_MOST, "the connection does not end");
        MHD_run(daemon_);
        for (ssize_t n; (n = read(ends[1], sink, sizeof sink - 1)) > 0;) {
            sink[n] = '\0';
            REQUIRE(!strstr(sink, "<html"), "libmicrohttpd answers by itself: %s", sink);
        }
    }
    close(ends[1]);
    free(session.target);
    text_done(&session.body);
    return 0;
}
