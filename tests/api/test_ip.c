/* Which addresses are of the public internet, and which are allowed besides; URLs that name
 * them. */
#include "api/net/ip.h"

#include <string.h>

#include "api/net/webhook_url.h"
#include "tests/suite.h"

static Ip ip_of(const char *text)
{
    Ip ip;
    ck_assert_msg(ip_parse(text, strlen(text), &ip), "%s", text);
    return ip;
}

/* The borders of what IANA's registries list: the first and the last address, and those beside. */
START_TEST(what_is_reserved_ends_where_the_registries_say)
{
    static const struct {
        const char *before, *first, *last, *after; /* NULL: that is reserved, too */
    } RANGES[] = {
        {NULL, "0.0.0.0", "0.255.255.255", "1.0.0.0"},
        {"9.255.255.255", "10.0.0.0", "10.255.255.255", "11.0.0.0"},
        {"100.63.255.255", "100.64.0.0", "100.127.255.255", "100.128.0.0"},
        {"126.255.255.255", "127.0.0.0", "127.255.255.255", "128.0.0.0"},
        {"168.63.129.15", "168.63.129.16", "168.63.129.16", "168.63.129.17"},
        {"169.253.255.255", "169.254.0.0", "169.254.255.255", "169.255.0.0"},
        {"172.15.255.255", "172.16.0.0", "172.31.255.255", "172.32.0.0"},
        {"191.255.255.255", "192.0.0.0", "192.0.0.255", "192.0.1.0"},
        {"192.0.1.255", "192.0.2.0", "192.0.2.255", "192.0.3.0"},
        {"192.88.98.255", "192.88.99.0", "192.88.99.255", "192.88.100.0"},
        {"192.167.255.255", "192.168.0.0", "192.168.255.255", "192.169.0.0"},
        {"198.17.255.255", "198.18.0.0", "198.19.255.255", "198.20.0.0"},
        {"198.51.99.255", "198.51.100.0", "198.51.100.255", "198.51.101.0"},
        {"203.0.112.255", "203.0.113.0", "203.0.113.255", "203.0.114.0"},
        {"223.255.255.255", "224.0.0.0", "255.255.255.255", NULL},
        {NULL, "::", "1fff:ffff::", "2000::"},
        {"2000:ffff::", "2001::", "2001:1ff:ffff::", "2001:200::"},
        {"2001:db7:ffff::", "2001:db8::", "2001:db8:ffff::", "2001:db9::"},
        {"2001:ffff::", "2002::", "2002:ffff::ffff", "2003::"},
        {"3ffe:ffff::", "3fff::", "ffff::", NULL},
        /* mapped: as the IPv4 address */
        {"::ffff:9.255.255.255", "::ffff:10.0.0.0", "::ffff:10.255.255.255", "::ffff:11.0.0.0"},
        {NULL, "::fffe:8.8.8.8", "::fffe:8.8.8.8", "::ffff:8.8.8.8"},
        {NULL, "64:ff9b::8.8.8.8", "64:ff9b:1::8.8.8.8", NULL},
        {NULL, "fc00::", "fdff::", NULL},
        {NULL, "fe80::", "feff::", NULL},
    };
    const IpRules none = {0};
    for (size_t i = 0; i < sizeof RANGES / sizeof *RANGES; i++) {
        const char *const texts[] = {RANGES[i].before, RANGES[i].first, RANGES[i].last,
                                     RANGES[i].after};
        for (size_t k = 0; k < 4; k++) {
            if (!texts[k])
                continue;
            const Ip ip = ip_of(texts[k]);
            const bool reserved = k == 1 || k == 2;
            ck_assert_msg((ip_reserved(&ip) != NULL) == reserved, "%s", texts[k]);
            ck_assert_msg(ip_allowed(&none, &ip) == !reserved, "%s", texts[k]);
        }
    }
}
END_TEST

START_TEST(the_reason_is_told)
{
    static const char *const REASONS[][2] = {
        {"127.0.0.1", "a loopback address"},         {"::1", "a loopback address"},
        {"169.254.169.254", "a link-local address"}, {"fe80::1", "a link-local address"},
        {"fd00:ec2::254", "a private address"},      {"192.168.0.1", "a private address"},
        {"64:ff9b::1", "an address of NAT64"},       {"2002::", "a 6to4 address"},
        {"ff02::1", "a multicast address"},          {"4000::", "a reserved address"},
    };
    for (size_t i = 0; i < sizeof REASONS / sizeof *REASONS; i++) {
        const Ip ip = ip_of(REASONS[i][0]);
        ck_assert_str_eq(ip_reserved(&ip), REASONS[i][1]);
    }
}
END_TEST

START_TEST(what_is_listed_is_allowed_besides)
{
    Arena *arena = arena_new(100000);
    Error err = {0};
    IpRules rules;
    ck_assert_int_eq(
        ip_rules_read(" 127.0.0.1,10.128.0.0/9 ,fd00::/8, 192.168.1.2/31", arena, &rules, &err),
        OK);
    static const struct {
        const char *text;
        bool allowed;
    } CASES[] = {
        {"127.0.0.1", true},      {"::ffff:127.0.0.1", true}, {"127.0.0.2", false},
        {"127.0.0.0", false},     {"10.127.255.255", false},  {"10.128.0.0", true},
        {"10.255.255.255", true}, {"11.0.0.0", true},         {"fcff::", false},
        {"fd00::", true},         {"fdff:ffff::", true},      {"fe00::", false},
        {"192.168.1.1", false},   {"192.168.1.2", true},      {"192.168.1.3", true},
        {"192.168.1.4", false},   {"8.8.8.8", true},          {"::7f00:1", false},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        const Ip ip = ip_of(CASES[i].text);
        ck_assert_msg(ip_allowed(&rules, &ip) == CASES[i].allowed, "%s", CASES[i].text);
    }
    static const char *const WRONG[] = {
        "localhost",   "10",          "10.0.0",         "10.0.0.0/", "10.0.0.0/33", "10.0.0.1/8",
        "10.0.0.0/-8", "10.0.0.0/8x", "10.0.0.0/08000", "::/129",    "::1/127",     "[::1]",
        "fe80::1%lo",  "*",           "10.0.0.0/8/9",
    };
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        ck_assert_msg(ip_rules_read(WRONG[i], arena, &rules, &err) == ERR_INVALID, "%s", WRONG[i]);
        ck_assert_ptr_nonnull(strstr(err.message, WRONG[i]));
    }
    ck_assert_int_eq(ip_rules_read("", arena, &rules, &err), OK);
    ck_assert_uint_eq(rules.n_allowed, 0);
    arena_free(arena);
}
END_TEST

START_TEST(the_origin_is_the_same_however_the_url_is_written)
{
    static const char *const URLS[][2] = {
        {"https://example.org", "https://example.org:443"},
        {"HTTPS://EXAMPLE.org:443/a/../b?c=d", "https://example.org:443"},
        {"http://example.org:8080?x", "http://example.org:8080"},
        {"http://0x7f.1/", "http://127.0.0.1:80"},
        {"http://[::FFFF:127.0.0.1]/", "http://[::ffff:127.0.0.1]:80"},
    };
    Arena *arena = arena_new(100000);
    for (size_t i = 0; i < sizeof URLS / sizeof *URLS; i++) {
        Error err = {0};
        WebhookUrl url;
        ck_assert_int_eq(webhook_url_read(URLS[i][0], arena, &url, &err), OK);
        ck_assert_str_eq(url.text, URLS[i][0]);
        ck_assert_str_eq(url.origin, URLS[i][1]);
        ck_assert_int_eq(url.numeric, i >= 3);
    }
    arena_free(arena);
}
END_TEST

SUITE(ip)
{
    TCase *tc = suite_case(suite, "addresses");
    tcase_add_test(tc, what_is_reserved_ends_where_the_registries_say);
    tcase_add_test(tc, the_reason_is_told);
    tcase_add_test(tc, what_is_listed_is_allowed_besides);
    tcase_add_test(tc, the_origin_is_the_same_however_the_url_is_written);
}
