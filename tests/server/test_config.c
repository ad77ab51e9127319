/* The configuration table. */
#include <stdlib.h>
#include <string.h>

#include "server/config.h"
#include "server/http/address.h"
#include "tests/suite.h"

static Config config;

static void set_up(void)
{
    Error err = {0};
    ck_assert_int_eq(config_init(&config, &err), OK);
}

static void tear_down(void)
{
    config_done(&config);
}

START_TEST(sizes_take_units)
{
    static const struct {
        const char *text;
        uint64_t bytes;
    } CASES[] = {{"4096", 4096},    {"8K", 8192},      {"8k", 8192},    {"2M", 2 << 20},
                 {"2MiB", 2 << 20}, {"0.5M", 1 << 19}, {"8MB", 8 << 20}};
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        ck_assert_int_eq(config_set(&config, "max-body", CASES[i].text, "test", NULL), OK);
        ck_assert_uint_eq(config.http.max_body, CASES[i].bytes);
    }
}
END_TEST

START_TEST(wrong_values_change_nothing)
{
    static const char *const WRONG[] = {"",    "x",   "8T",  "-1",   "1e300", "nan",  "inf",
                                        "8 M", "100", "8Mi", "8MBB", "8B",    "0x10", "1.0001"};
    for (size_t i = 0; i < sizeof WRONG / sizeof WRONG[0]; i++) {
        ck_assert_msg(config_set(&config, "max-body", WRONG[i], "test", NULL) == ERR_INVALID, "%s",
                      WRONG[i]);
        ck_assert_uint_eq(config.http.max_body, 8 << 20);
    }
}
END_TEST

START_TEST(an_unknown_key_is_answered_with_the_nearest)
{
    Error err = {0};
    ck_assert_int_eq(config_set(&config, "max-boddy", "1M", "a.conf line 3", &err), ERR_INVALID);
    ck_assert_ptr_nonnull(strstr(err.message, "max-body"));
    ck_assert_ptr_nonnull(strstr(err.message, "a.conf line 3"));
}
END_TEST

START_TEST(what_is_printed_reads_back)
{
    size_t n;
    const ConfigKey *keys = config_keys(&n);
    Config back;
    Text text = TEXT_INIT;
    ck_assert_int_eq(config_set(&config, "job-timeout", "0.1", "test", NULL), OK);
    config_print(&config, &text);
    ck_assert_int_eq(config_init(&back, NULL), OK);
    char *rest = NULL;
    for (char *line = strtok_r(text.data, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        char *equals = strstr(line, " = ");
        if (line[0] == '#' || !equals)
            continue;
        *equals = '\0';
        ck_assert_int_eq(config_set(&back, line, equals + 3, "test", NULL), OK);
    }
    for (size_t i = 0; i < n; i++)
        if (keys[i].type != CONFIG_TEXT)
            ck_assert(config_number(&back, &keys[i]) == config_number(&config, &keys[i]));
    config_done(&back);
    text_done(&text);
}
END_TEST

START_TEST(addresses_are_read_and_printed)
{
    static const struct {
        const char *text, *printed; /* NULL: refused */
        bool loopback;
    } CASES[] = {
        {"127.0.0.1:8080", "127.0.0.1:8080", true},
        {"127.9.8.7:1", "127.9.8.7:1", true},
        {"0.0.0.0:80", "0.0.0.0:80", false},
        {"[::1]:0", "[::1]:0", true},
        {"192.0.2.1:80", "192.0.2.1:80", false},
        {"8080", NULL, false},
        {"127.0.0.1:", NULL, false},
        {"127.0.0.1:x", NULL, false},
        {"127.0.0.1:65536", NULL, false},
        {"::1:80", NULL, false},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        Address address;
        char text[ADDRESS_TEXT_MAX];
        Status status = address_parse(CASES[i].text, &address, NULL);
        ck_assert_msg((status == OK) == (CASES[i].printed != NULL), "%s", CASES[i].text);
        if (status != OK)
            continue;
        address_format(&address, text);
        ck_assert_str_eq(text, CASES[i].printed);
        ck_assert_int_eq(address.loopback, CASES[i].loopback);
    }
}
END_TEST

SUITE(config)
{
    TCase *tcase = suite_case(suite, "table");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, sizes_take_units);
    tcase_add_test(tcase, wrong_values_change_nothing);
    tcase_add_test(tcase, an_unknown_key_is_answered_with_the_nearest);
    tcase_add_test(tcase, what_is_printed_reads_back);
    tcase_add_test(tcase, addresses_are_read_and_printed);
}
