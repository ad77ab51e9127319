/* Keys: added once, revoked for good, listed page by page, left out if damaged. */
#include "db/keys.h"

#include <stdio.h>
#include <string.h>

#include "db/sqlite/sqlite_store.h"
#include "tests/db/fixture.h"
#include "tests/suite.h"

static Fixture f;

static void setup(void)
{
    fixture_init(&f);
}

static void teardown(void)
{
    fixture_done(&f);
}

/* A key whose token is the text. */
static KeyRecord key_of(const char *token, int64_t expires_ms)
{
    KeyRecord key = {.name = "a key", .scopes = "read write", .expires_ms = expires_ms};
    const Hash hash = hash_bytes(token, strlen(token));
    hash_format(&hash, key.hash);
    return key;
}

static KeyRecord add_key(const char *token, int64_t expires_ms)
{
    KeyRecord key = key_of(token, expires_ms);
    ck_ok(store_key_add(f.store, &key, false, err));
    return key;
}

static KeyRecord *in_force(int64_t now_ms, size_t *ret_n, size_t *ret_damaged)
{
    KeyRecord *keys;
    ck_ok(store_keys_in_force(f.store, now_ms, f.arena, &keys, ret_n, ret_damaged, err));
    return keys;
}

static void reopen(void)
{
    store_close(f.store);
    ck_ok(store_open(&f.options, &f.store, err));
}

START_TEST(a_key_is_there_after_a_restart)
{
    size_t n, damaged;
    const KeyRecord added = add_key("one", 5000);
    reopen();
    const KeyRecord *keys = in_force(4999, &n, &damaged);
    ck_assert_uint_eq(n, 1);
    ck_assert_uint_eq(damaged, 0);
    ck_assert_str_eq(keys[0].id, added.id);
    ck_assert_str_eq(keys[0].hash, added.hash);
    ck_assert_str_eq(keys[0].name, "a key");
    ck_assert_str_eq(keys[0].scopes, "read write");
    ck_assert_int_eq(keys[0].created_ms, added.created_ms);
    ck_assert_int_eq(keys[0].expires_ms, 5000);
    ck_assert_int_eq(keys[0].last_used_ms, 0);
}
END_TEST

START_TEST(revoked_and_expired_keys_are_not_in_force_but_listed)
{
    KeyRecord *keys;
    size_t n, damaged;
    const KeyRecord revoked = add_key("one", 0);
    add_key("two", 5000);
    const KeyRecord kept = add_key("three", 0);
    ck_ok(store_key_revoke(f.store, revoked.id, err));
    ck_ok(store_key_revoke(f.store, revoked.id, err));
    const KeyRecord *now = in_force(5000, &n, &damaged);
    ck_assert_uint_eq(n, 1);
    ck_assert_str_eq(now[0].id, kept.id);
    ck_ok(store_key_list(f.store, NULL, 2, f.arena, &keys, &n, err));
    ck_assert_uint_eq(n, 2);
    ck_assert_str_eq(keys[0].id, kept.id);
    ck_ok(store_key_list(f.store, keys[1].id, 2, f.arena, &keys, &n, err));
    ck_assert_uint_eq(n, 1);
    ck_assert_str_eq(keys[0].id, revoked.id);
    ck_assert_int_gt(keys[0].revoked_ms, 0);
}
END_TEST

START_TEST(a_first_key_is_added_only_while_there_is_none)
{
    KeyRecord first = key_of("one", 0), second = key_of("two", 0);
    ck_ok(store_key_add(f.store, &first, true, err));
    ck_fails(store_key_add(f.store, &second, true, err), ERR_CONFLICT);
    ck_ok(store_key_revoke(f.store, first.id, err));
    ck_fails(store_key_add(f.store, &second, true, err), ERR_CONFLICT);
}
END_TEST

START_TEST(a_token_belongs_to_one_key)
{
    KeyRecord again = key_of("one", 0);
    add_key("one", 0);
    ck_fails(store_key_add(f.store, &again, false, err), ERR_CONFLICT);
}
END_TEST

START_TEST(unknown_ids_are_not_found)
{
    static const char ID[] = "01234567-89ab-7def-8123-456789abcdef";
    KeyRecord *keys;
    size_t n;
    ck_fails(store_key_revoke(f.store, ID, err), ERR_NOT_FOUND);
    ck_fails(store_key_list(f.store, ID, 2, f.arena, &keys, &n, err), ERR_NOT_FOUND);
}
END_TEST

START_TEST(the_last_use_is_noted)
{
    size_t n, damaged;
    KeyUse use = {.last_used_ms = 1234};
    const KeyRecord key = add_key("one", 0);
    snprintf(use.id, sizeof use.id, "%s", key.id);
    ck_ok(store_keys_used(f.store, &use, 1, err));
    ck_assert_int_eq(in_force(0, &n, &damaged)[0].last_used_ms, 1234);
    ck_assert_uint_eq(damaged, 0);
}
END_TEST

static const char *const DAMAGES[] = {
    "UPDATE keys SET hash = replace(hash, substr(hash, 1, 1), 'x')",
    "UPDATE keys SET scopes = 'admin'",
    "UPDATE keys SET revoked_ms = NULL",
    "UPDATE keys SET expires_ms = NULL",
    "UPDATE keys SET checksum = NULL, scopes = 'admin'",
};

/* As a flipped bit would: without the trigger that gives a changed row its checksum. */
START_TEST(a_damaged_key_lets_nobody_in)
{
    Connection connection;
    KeyRecord *keys;
    size_t n, damaged;
    const KeyRecord key = add_key("one", 5000);
    ck_ok(store_key_revoke(f.store, key.id, err));
    store_close(f.store);
    f.store = NULL;
    char path[200];
    snprintf(path, sizeof path, "%s/dalembert.db", f.directory);
    ck_ok(connection_open(&connection, path, true, err));
    ck_ok(connection_script(&connection, "DROP TRIGGER keys_changed", err));
    ck_ok(connection_script(&connection, DAMAGES[_i], err));
    connection_close(&connection);
    ck_ok(store_open(&f.options, &f.store, err));
    in_force(0, &n, &damaged);
    ck_assert_uint_eq(n, 0);
    ck_assert_uint_eq(damaged, 1);
    ck_fails(store_key_list(f.store, NULL, 2, f.arena, &keys, &n, err), ERR_DAMAGED);
}
END_TEST

SUITE(keys)
{
    TCase *tc = suite_case(suite, "keys");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, a_key_is_there_after_a_restart);
    tcase_add_test(tc, revoked_and_expired_keys_are_not_in_force_but_listed);
    tcase_add_test(tc, a_first_key_is_added_only_while_there_is_none);
    tcase_add_test(tc, a_token_belongs_to_one_key);
    tcase_add_test(tc, unknown_ids_are_not_found);
    tcase_add_test(tc, the_last_use_is_noted);
    tcase_add_loop_test(tc, a_damaged_key_lets_nobody_in, 0, sizeof DAMAGES / sizeof *DAMAGES);
}
