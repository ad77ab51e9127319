/* The gate: the same requests however the bytes come, and the border before a refused one. */
#include <stdlib.h>
#include <string.h>

#include "server/http/gate.h"
#include "tests/suite.h"

#define HOST "Host: localhost\r\n"
#define GET "GET /a?b=c HTTP/1.1\r\n" HOST "Cookie: a=b\r\nX:  y \t\r\n\r\n"
#define POST "POST /p HTTP/1.1\r\n" HOST "content-length: 9\r\n\r\n\r\n\r\nGET x"
#define CHUNKS                                                                              \
    "PUT /q HTTP/1.1\r\n" HOST "Transfer-Encoding: Chunked\r\nConnection: a, Close\r\n\r\n" \
    "a\r\n\r\n0\r\n\r\n567\r\n01\r\n0\r\n000\r\nTrailer: t\r\n\r\n"

static const char REQUESTS[] = "\r\n\r\n" GET POST GET CHUNKS "\r\n" GET;
static const char TARGETS[] = "/a?b=c /p /a?b=c /q /a?b=c ";

static Gate *gate;
static Arena *arena;

static void set_up(void)
{
    gate = gate_new();
    arena = arena_new((size_t)1 << 20);
    ck_assert_ptr_nonnull(gate);
}

static void tear_down(void)
{
    gate_free(gate);
    arena_free(arena);
}

/* Passes copies of pieces of this size; returns how many bytes went on. */
static size_t pass_pieces(const char *bytes, size_t size, size_t piece, Text *out)
{
    char *copy = malloc(size);
    size_t at = 0;
    memcpy(copy, bytes, size);
    while (at < size) {
        size_t n = size - at < piece ? size - at : piece;
        size_t passed = gate_pass(gate, copy + at, n);
        at += passed;
        if (passed < n)
            break;
    }
    text_append(out, copy, at);
    free(copy);
    return at;
}

static void take_targets(Text *out)
{
    Head head;
    while (gate_has_head(gate)) {
        ck_assert(gate_take_head(gate, arena, &head));
        text_printf(out, "%s ", head.target);
        arena_reset(arena);
    }
}

START_TEST(the_same_requests_pass_however_the_bytes_come)
{
    for (size_t piece = 1; piece <= sizeof REQUESTS; piece++) {
        Text out = TEXT_INIT, targets = TEXT_INIT;
        ck_assert_uint_eq(pass_pieces(REQUESTS, sizeof REQUESTS - 1, piece, &out),
                          sizeof REQUESTS - 1);
        ck_assert_ptr_null(gate_refusal(gate));
        take_targets(&targets);
        ck_assert_str_eq(text_string(&targets), TARGETS);
        /* libmicrohttpd is to see no cookies, and everything else */
        ck_assert_ptr_null(strstr(out.data, "Cookie:"));
        for (const char *place; (place = strstr(out.data, "Cookix:"));)
            out.data[place - out.data + 5] = 'e';
        ck_assert_str_eq(out.data, REQUESTS);
        text_done(&out);
        text_done(&targets);
    }
}
END_TEST

START_TEST(heads_are_read_as_they_were_sent)
{
    Text out = TEXT_INIT;
    Head head;
    pass_pieces(REQUESTS, sizeof REQUESTS - 1, 7, &out);
    ck_assert(gate_take_head(gate, arena, &head));
    ck_assert_str_eq(head.method, "GET");
    ck_assert_uint_eq(head.n_headers, 3);
    ck_assert_str_eq(head.headers[1].name, "Cookie");
    ck_assert_str_eq(head.headers[2].value, "y");
    ck_assert_int_eq(head.content_length, 0);
    ck_assert(!head.last);
    ck_assert(gate_take_head(gate, arena, &head));
    ck_assert_int_eq(head.content_length, 9);
    ck_assert(gate_take_head(gate, arena, &head));
    ck_assert(gate_take_head(gate, arena, &head));
    ck_assert_int_eq(head.content_length, -1);
    ck_assert(head.last);
    text_done(&out);
}
END_TEST

/* What may come behind whole requests, up to the byte that shows it, and the problem. */
static const struct {
    const char *bytes;
    Problem problem;
} REFUSED[] = {
    {"\x16", PROBLEM_MALFORMED},
    {"GET / HTTP/3.0\r\n", PROBLEM_HTTP_VERSION},
    {"GET / HTTP/1.1\r\n" HOST "a\r\n", PROBLEM_MALFORMED},
    {"GET / HTTP/1.1\r\n" HOST "Host: b\r\n\r\n", PROBLEM_MALFORMED},
    {"GET / HTTP/1.1\r\nHost: a@b\r\n\r\n", PROBLEM_MALFORMED},
    {"GET / HTTP/1.1\r\n\r\n", PROBLEM_MALFORMED},
    {"PUT / HTTP/1.1\r\n" HOST "Content-Length: 1234567890123456789\r\n\r\n", PROBLEM_TOO_LARGE},
    {"PUT / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", PROBLEM_MALFORMED},
    {"PUT / HTTP/1.1\r\n" HOST "Transfer-Encoding: chunked\r\n\r\n1\r\nab", PROBLEM_MALFORMED},
    {"PUT / HTTP/1.1\r\n" HOST "Transfer-Encoding: chunked\r\n\r\n1\r\na\r\ng", PROBLEM_MALFORMED},
    {"PUT / HTTP/1.1\r\n" HOST "Transfer-Encoding: chunked\r\n\r\n0\r\nx\r\n", PROBLEM_MALFORMED},
    {"PUT / HTTP/1.1\r\n" HOST "Content-Length: 2 \r\n\r\n", PROBLEM_MALFORMED},
    {"PUT / HTTP/1.1\r\n" HOST "Transfer-Encoding: chunked\t\r\n\r\n", PROBLEM_MALFORMED},
    {"PUT / HTTP/1.1\r\n" HOST "Transfer-Encoding: chunked\r\n\r\n0;", PROBLEM_MALFORMED},
    {"\r\n\r\n ", PROBLEM_MALFORMED},
};

START_TEST(what_is_refused_is_refused_at_its_last_byte)
{
    const char *bytes = REFUSED[_i].bytes;
    const size_t size = strlen(bytes);
    Text out = TEXT_INIT;
    ck_assert_uint_eq(pass_pieces(bytes, size - 1, size, &out), size - 1);
    ck_assert_ptr_null(gate_refusal(gate));
    ck_assert_uint_eq(pass_pieces(bytes + size - 1, 1, 1, &out), 0);
    ck_assert_ptr_nonnull(gate_refusal(gate));
    ck_assert_int_eq((int)gate_refusal(gate)->problem, (int)REFUSED[_i].problem);
    text_done(&out);
}
END_TEST

START_TEST(requests_before_a_refused_one_pass)
{
    Text bytes = TEXT_INIT, out = TEXT_INIT, targets = TEXT_INIT;
    text_puts(&bytes, REQUESTS);
    text_puts(&bytes, REFUSED[_i].bytes);
    ck_assert_uint_eq(pass_pieces(bytes.data, bytes.length, bytes.length, &out),
                      sizeof REQUESTS - 1);
    take_targets(&targets);
    ck_assert_str_eq(text_string(&targets), TARGETS);
    text_done(&bytes);
    text_done(&out);
    text_done(&targets);
}
END_TEST

START_TEST(many_requests_in_one_piece_take_no_more_memory_than_they_have)
{
    Text bytes = TEXT_INIT, out = TEXT_INIT;
    Head head;
    for (int i = 0; i < 1000; i++)
        text_puts(&bytes, GET);
    for (int round = 0; round < 3; round++) {
        /* one head stays behind all the time */
        ck_assert_uint_eq(pass_pieces(bytes.data, bytes.length, 30000, &out), bytes.length);
        for (int i = 0; i < (round == 0 ? 999 : 1000); i++) {
            ck_assert(gate_take_head(gate, arena, &head));
            ck_assert_str_eq(head.target, "/a?b=c");
            arena_reset(arena);
        }
        ck_assert(gate_has_head(gate));
    }
    text_done(&bytes);
    text_done(&out);
}
END_TEST

SUITE(gate)
{
    TCase *tc = suite_case(suite, "bytes");
    const int refused = (int)(sizeof REFUSED / sizeof REFUSED[0]);
    tcase_add_checked_fixture(tc, set_up, tear_down);
    tcase_add_test(tc, the_same_requests_pass_however_the_bytes_come);
    tcase_add_test(tc, heads_are_read_as_they_were_sent);
    tcase_add_loop_test(tc, what_is_refused_is_refused_at_its_last_byte, 0, refused);
    tcase_add_loop_test(tc, requests_before_a_refused_one_pass, 0, refused);
    tcase_add_test(tc, many_requests_in_one_piece_take_no_more_memory_than_they_have);
}
