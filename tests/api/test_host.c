/* Host headers: what is one, and which names the service answers to. */
#include <string.h>

#include "api/host.h"
#include "tests/suite.h"

START_TEST(a_host_is_a_name_or_an_address_and_perhaps_a_port)
{
    static const struct {
        const char *host;
        int length; /* -1: malformed */
    } CASES[] = {
        {"", 0},
        {"localhost", 9},
        {"localhost:", 9},
        {"localhost:8080", 9},
        {"a-b_c.example.:1", 14},
        {"%C3%A9.example", 14},
        {"192.0.2.7:65535", 9},
        {"[::1]", 5},
        {"[::ffff:192.0.2.7]:80", 18},
        {"localhost:x", -1},
        {"localhost:x@evil", -1},
        {"user@localhost", -1},
        {"[::1]evil", -1},
        {"[::1]]", -1},
        {"[::1", -1},
        {"[", -1},
        {"[]", -1},
        {"[localhost]", -1},
        {"[::1%lo]", -1},
        {"::1", -1},
        {"a:1:2", -1},
        {"a:123456", -1},
        {"a b", -1},
        {"a/b", -1},
        {"a?b", -1},
        {"a#b", -1},
        {"\xc3\xa9", -1},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        size_t length = 99;
        const int found = host_parse(CASES[i].host, &length) ? (int)length : -1;
        ck_assert_msg(found == CASES[i].length, "\"%s\": %d", CASES[i].host, found);
    }
}
END_TEST

START_TEST(only_the_names_of_the_service_are_allowed)
{
    static const char *const NAMES[] = {"Sims.example", "127.0.0.1", "[2001:db8::7]"};
    const HostRules listed = {.names = NAMES, .n_names = 3};
    const HostRules numeric = {.any_address = true}, none = {0}, all = {.anything = true};
    static const struct {
        const char *host;
        bool listed, numeric;
    } CASES[] = {
        {"sims.EXAMPLE:80", true, false},
        {"sims.example.", true, false},
        {"sims.example..", false, false},
        {"sims.examples", false, false},
        {"sims.exampl", false, false},
        {"127.0.0.1:1", true, true},
        {"[::ffff:127.0.0.1]", true, true},
        {"[2001:0DB8:0::0007]", true, true},
        {"127.0.0.2", false, true},
        {"[::1]", false, true},
        {"127.0.0.1.evil.example", false, false},
        {"0x7f.1", false, false},
        {"2130706433", false, false},
        {"", false, false},
        {".", false, false},
        {"*", false, false},
        {"[::1]evil", false, false},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        const char *host = CASES[i].host;
        ck_assert_msg(host_allowed(&listed, host) == CASES[i].listed, "\"%s\"", host);
        ck_assert_msg(host_allowed(&numeric, host) == CASES[i].numeric, "\"%s\"", host);
        ck_assert_msg(!host_allowed(&none, host), "\"%s\"", host);
        ck_assert_msg(host_allowed(&all, host), "\"%s\"", host);
    }
}
END_TEST

SUITE(host)
{
    TCase *tc = suite_case(suite, "host");
    tcase_add_test(tc, a_host_is_a_name_or_an_address_and_perhaps_a_port);
    tcase_add_test(tc, only_the_names_of_the_service_are_allowed);
}
