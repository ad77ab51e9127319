/* Tokens and the keys in force, by a clock that the test sets. */
#include "api/keyring.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "api/token.h"
#include "tests/suite.h"

static double seconds;
static int64_t date;

static double clock_of_test(void)
{
    return seconds;
}

static int64_t date_of_test(void)
{
    return date + (int64_t)(1e3 * seconds);
}

static Keyring *keyring;

static void setup(void)
{
    const KeyringOptions options = {.rate = 60, .now_ms = date_of_test, .seconds = clock_of_test};
    seconds = 100;
    date = 1000000;
    keyring = keyring_new(&options);
    ck_assert_ptr_nonnull(keyring);
}

static void teardown(void)
{
    keyring_free(keyring);
}

/* A token of bytes that begin with this one. */
static const char *token_of(unsigned char byte)
{
    static char token[TOKEN_MAX];
    const unsigned char bytes[32] = {byte, 1, 2, 3};
    token_format(bytes, token);
    return token;
}

static void add(unsigned char byte, const char *scopes, int64_t expires_ms)
{
    Error err;
    KeyRecord key = {.scopes = scopes, .expires_ms = expires_ms};
    const Hash hash = token_hash(token_of(byte));
    hash_format(&hash, key.hash);
    snprintf(key.id, sizeof key.id, "key %u", byte);
    ck_assert_int_eq(keyring_add(keyring, &key, &err), OK);
}

START_TEST(a_token_has_the_digits_that_are_due)
{
    /* 2^256 - 1 in base 62 and zlib's CRC-32, by Python */
    unsigned char ones[32];
    char token[TOKEN_MAX];
    memset(ones, 0xff, sizeof ones);
    token_format(ones, token);
    ck_assert_str_eq(token, "dlmb_yhjskwdA6OZ1AL1YmHWZWm8LLG7HjnuCA2j5rOw8Xp10Gdp2c");
    token_format((const unsigned char[32]){0}, token);
    ck_assert_str_eq(token, "dlmb_000000000000000000000000000000000000000000031W4rm");
}
END_TEST

START_TEST(every_typing_error_is_told)
{
    Error err;
    char token[TOKEN_MAX];
    ck_assert_int_eq(token_make(token, &err), OK);
    ck_assert(token_well_formed(token));
    for (size_t k = 0; k < TOKEN_LENGTH; k++) {
        const char old = token[k];
        token[k] = old == 'a' ? 'b' : 'a';
        ck_assert(!token_well_formed(token));
        token[k] = old;
    }
    token[TOKEN_LENGTH - 1] = '\0';
    ck_assert(!token_well_formed(token));
    ck_assert(!token_well_formed(""));
}
END_TEST

START_TEST(a_key_is_found_among_others)
{
    Caller caller;
    for (unsigned char byte = 1; byte < 200; byte++)
        add((unsigned char)(byte * 37), "read", 0);
    ck_assert(keyring_admit(keyring, token_of(74), &caller));
    ck_assert_str_eq(caller.key, "key 74");
    ck_assert_uint_eq(caller.scopes, SCOPE_READ);
    ck_assert(isinf(caller.ends));
    ck_assert(!keyring_admit(keyring, token_of((unsigned char)(200 * 37)), &caller));
    ck_assert(!keyring_admit(keyring, "Bearer", &caller));
}
END_TEST

START_TEST(a_removed_key_holds_no_longer)
{
    Caller caller, other;
    add(1, "read write", 0);
    add(2, "admin", 0);
    ck_assert(keyring_admit(keyring, token_of(1), &caller));
    ck_assert(keyring_admit(keyring, token_of(2), &other));
    ck_assert(keyring_holds(keyring, &caller));
    keyring_remove(keyring, "key 1");
    keyring_remove(keyring, "key 1");
    ck_assert(!keyring_holds(keyring, &caller));
    ck_assert(!keyring_admit(keyring, token_of(1), &caller));
    ck_assert(keyring_holds(keyring, &other));
    ck_assert_uint_eq(keyring_count(keyring), 1);
}
END_TEST

START_TEST(a_key_expires_at_its_instant)
{
    Caller caller;
    add(1, "read", date_of_test() + 5000);
    ck_assert(keyring_admit(keyring, token_of(1), &caller));
    ck_assert_double_eq_tol(caller.ends, seconds + 5, 1e-9);
    seconds += 4.999;
    ck_assert(keyring_holds(keyring, &caller));
    seconds += 0.002;
    ck_assert(!keyring_holds(keyring, &caller));
    ck_assert(!keyring_admit(keyring, token_of(1), &caller));
}
END_TEST

START_TEST(a_key_has_a_rate)
{
    Caller caller;
    add(1, "read", 0);
    for (unsigned k = 0; k < 60; k++) {
        ck_assert(keyring_admit(keyring, token_of(1), &caller));
        ck_assert_double_eq(caller.rate.wait, 0);
        ck_assert_uint_eq(caller.rate.limit, 60);
        ck_assert_uint_eq(caller.rate.left, 59 - k);
    }
    /* the burst is used up: one request a second */
    ck_assert(keyring_admit(keyring, token_of(1), &caller));
    ck_assert_double_eq_tol(caller.rate.wait, 1, 1e-9);
    ck_assert_double_eq_tol(caller.rate.full, 60, 1e-9);
    seconds += 1.5;
    ck_assert(keyring_admit(keyring, token_of(1), &caller));
    ck_assert_double_eq(caller.rate.wait, 0);
    ck_assert(keyring_admit(keyring, token_of(1), &caller));
    ck_assert_double_eq_tol(caller.rate.wait, 0.5, 1e-9);
    /* the whole burst after a minute without requests */
    seconds += 60;
    ck_assert(keyring_admit(keyring, token_of(1), &caller));
    ck_assert_uint_eq(caller.rate.left, 59);
}
END_TEST

START_TEST(failures_of_one_client_are_limited)
{
    for (int k = 0; k < 10; k++)
        ck_assert_double_eq(keyring_failure(keyring, "192.0.2.1"), 0);
    ck_assert_double_eq_tol(keyring_failure(keyring, "192.0.2.1"), 6, 1e-9);
    ck_assert_double_eq(keyring_failure(keyring, "192.0.2.2"), 0);
}
END_TEST

START_TEST(uses_are_told_once)
{
    KeyUse uses[4];
    Caller caller;
    add(1, "read", 0);
    add(2, "read", 0);
    ck_assert(keyring_admit(keyring, token_of(2), &caller));
    ck_assert_uint_eq(keyring_take_uses(keyring, uses, 4), 1);
    ck_assert_str_eq(uses[0].id, "key 2");
    ck_assert_int_eq(uses[0].last_used_ms, date_of_test());
    ck_assert_uint_eq(keyring_take_uses(keyring, uses, 4), 0);
}
END_TEST

START_TEST(scopes_have_names)
{
    char text[SCOPES_TEXT_MAX];
    unsigned scopes;
    ck_assert(scopes_parse("admin read", &scopes));
    scopes_format(scopes, text);
    ck_assert_str_eq(text, "read admin");
    scopes_format(SCOPES_ALL, text);
    ck_assert_str_eq(text, "read write metrics admin");
    ck_assert(!scopes_parse("", &scopes));
    ck_assert(!scopes_parse("read writes", &scopes));
    ck_assert(!scopes_parse("rea", &scopes));
}
END_TEST

SUITE(keyring)
{
    TCase *tc = suite_case(suite, "keyring");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, a_token_has_the_digits_that_are_due);
    tcase_add_test(tc, every_typing_error_is_told);
    tcase_add_test(tc, a_key_is_found_among_others);
    tcase_add_test(tc, a_removed_key_holds_no_longer);
    tcase_add_test(tc, a_key_expires_at_its_instant);
    tcase_add_test(tc, a_key_has_a_rate);
    tcase_add_test(tc, failures_of_one_client_are_limited);
    tcase_add_test(tc, uses_are_told_once);
    tcase_add_test(tc, scopes_have_names);
}
