/* The address of the client, the id of the request and its trace. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>

#include "server/http/sender.h"
#include "tests/suite.h"

enum { FIELDS_MAX = 3 };

static Arena *arena;
static IpRules proxies;

static void set_up(void)
{
    arena = arena_new(100000);
    ck_assert_int_eq(ip_rules_read("127.0.0.1, 10.0.0.0/8, fd00::/8", arena, &proxies, NULL), OK);
}

static void tear_down(void)
{
    arena_free(arena);
}

/* The sender of a request from this address with these fields, up to one without a name. */
static Sender sender(const char *peer, const ApiPair *fields)
{
    struct sockaddr_in v4 = {.sin_family = AF_INET};
    struct sockaddr_in6 v6 = {.sin6_family = AF_INET6};
    const bool is_v4 = inet_pton(AF_INET, peer, &v4.sin_addr) == 1;
    Sender found;
    size_t n = 0;
    if (!is_v4)
        ck_assert_int_eq(inet_pton(AF_INET6, peer, &v6.sin6_addr), 1);
    while (n < FIELDS_MAX && fields[n].name)
        n++;
    sender_read(&proxies, is_v4 ? (const struct sockaddr *)&v4 : (const struct sockaddr *)&v6,
                fields, n, arena, &found);
    return found;
}

START_TEST(the_client_is_the_last_address_that_is_no_trusted_proxy)
{
    static const struct {
        const char *peer, *forwarded[FIELDS_MAX], *client;
    } CASES[] = {
        /* an untrusted peer is the client, whatever it says */
        {"192.0.2.1", {"198.51.100.7"}, "192.0.2.1"},
        {"2001:db8::1", {"198.51.100.7"}, "2001:db8::1"},
        /* one trusted proxy, several, and addresses that the client made up in front */
        {"127.0.0.1", {"198.51.100.7"}, "198.51.100.7"},
        {"::ffff:127.0.0.1", {"198.51.100.7"}, "198.51.100.7"},
        {"fd00::1", {"2001:db8::7"}, "2001:db8::7"},
        {"127.0.0.1", {"198.51.100.7, 10.1.2.3"}, "198.51.100.7"},
        {"127.0.0.1", {"1.1.1.1,198.51.100.7 ,\t10.1.2.3"}, "198.51.100.7"},
        {"127.0.0.1", {"10.9.9.9, 198.51.100.7"}, "198.51.100.7"},
        /* several fields are one list */
        {"127.0.0.1", {"1.1.1.1, 198.51.100.7", "10.1.2.3", "fd00::2"}, "198.51.100.7"},
        /* only trusted proxies: the first of them */
        {"127.0.0.1", {NULL}, "127.0.0.1"},
        {"127.0.0.1", {"10.0.0.2, 10.0.0.3"}, "10.0.0.2"},
        /* behind what is no address there is nothing to believe */
        {"127.0.0.1", {"198.51.100.7, unknown"}, "127.0.0.1"},
        {"127.0.0.1", {"198.51.100.7, x, 10.0.0.3"}, "10.0.0.3"},
        {"127.0.0.1", {"198.51.100.7,"}, "127.0.0.1"},
        {"127.0.0.1", {""}, "127.0.0.1"},
        {"127.0.0.1", {"198.51.100.7 198.51.100.8"}, "198.51.100.7"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        ApiPair fields[FIELDS_MAX] = {{0}};
        for (size_t k = 0; k < FIELDS_MAX && CASES[i].forwarded[k]; k++)
            fields[k] =
                (ApiPair){k % 2 ? "x-forwarded-for" : "X-Forwarded-For", CASES[i].forwarded[k]};
        ck_assert_msg(strcmp(sender(CASES[i].peer, fields).client, CASES[i].client) == 0, "%s, %s",
                      CASES[i].peer, CASES[i].forwarded[0]);
    }
}
END_TEST

START_TEST(the_id_of_a_request_is_that_of_a_trusted_proxy)
{
    static const char LONGEST[] =
        "abcdefghijklmnopqrstuvwxyz-ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    static const char *const RIGHT[] = {"a", "4.2", LONGEST};
    static const char *const WRONG[] = {"", "a b", "a\"b", "a=b", "\xc3\xa4", "1,2", "a/b"};
    char longer[sizeof LONGEST + 1] = "x";
    strcat(longer, LONGEST);
    for (size_t i = 0; i < sizeof RIGHT / sizeof *RIGHT; i++) {
        const ApiPair fields[FIELDS_MAX] = {{"x-request-id", RIGHT[i]}};
        ck_assert_str_eq(sender("127.0.0.1", fields).request_id, RIGHT[i]);
        ck_assert_str_ne(sender("192.0.2.1", fields).request_id, RIGHT[i]);
    }
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        const ApiPair fields[FIELDS_MAX] = {{"X-Request-Id", WRONG[i]}};
        ck_assert_uint_eq(strlen(sender("127.0.0.1", fields).request_id), 32);
    }
    const ApiPair too_long[FIELDS_MAX] = {{"X-Request-Id", longer}};
    const ApiPair twice[FIELDS_MAX] = {{"X-Request-Id", "a"}, {"X-Request-Id", "b"}};
    ck_assert_uint_eq(strlen(sender("127.0.0.1", too_long).request_id), 32);
    ck_assert_uint_eq(strlen(sender("127.0.0.1", twice).request_id), 32);
}
END_TEST

START_TEST(made_ids_differ)
{
    const ApiPair none[FIELDS_MAX] = {{0}};
    const Sender one = sender("192.0.2.1", none), other = sender("192.0.2.1", none);
    ck_assert_str_ne(one.request_id, other.request_id);
    ck_assert_uint_eq(strspn(one.request_id, "0123456789abcdef"), 32);
    ck_assert_str_ne(one.traceparent, other.traceparent);
    ck_assert(trace_is_valid(one.traceparent));
}
END_TEST

#define TRACE "4bf92f3577b34da6a3ce929d0e0e4736"

START_TEST(a_valid_trace_of_version_00_is_kept)
{
    static const char *const WRONG[] = {
        "",
        "00-" TRACE "-00f067aa0ba902b7",
        "00-" TRACE "-00f067aa0ba902b7-1",
        "00-" TRACE "-00f067aa0ba902b7-01-",
        "01-" TRACE "-00f067aa0ba902b7-01",
        "ff-" TRACE "-00f067aa0ba902b7-01",
        "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
        "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
        "00-" TRACE "-0000000000000000-01",
        "00-" TRACE "_00f067aa0ba902b7-01",
        "00-" TRACE "-00f067aa0ba902b7-0x",
    };
    static const char RIGHT[] = "00-" TRACE "-00f067aa0ba902b7-01";
    const ApiPair right[FIELDS_MAX] = {{"Traceparent", RIGHT}};
    ck_assert_str_eq(sender("192.0.2.1", right).traceparent, RIGHT);
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        const ApiPair fields[FIELDS_MAX] = {{"traceparent", WRONG[i]}};
        const Sender made = sender("192.0.2.1", fields);
        ck_assert_msg(trace_is_valid(made.traceparent) && !strstr(made.traceparent, TRACE), "%s",
                      WRONG[i]);
    }
}
END_TEST

SUITE(sender)
{
    TCase *tc = suite_case(suite, "clients, ids and traces");
    tcase_add_checked_fixture(tc, set_up, tear_down);
    tcase_add_test(tc, the_client_is_the_last_address_that_is_no_trusted_proxy);
    tcase_add_test(tc, the_id_of_a_request_is_that_of_a_trusted_proxy);
    tcase_add_test(tc, made_ids_differ);
    tcase_add_test(tc, a_valid_trace_of_version_00_is_kept);
}
