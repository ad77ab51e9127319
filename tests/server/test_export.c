/* dalembert export and import: a kill at any step leaves a whole copy or none. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "core/base/hash.h"
#include "server/command/commands.h"
#include "tests/server/copies.h"
#include "tests/suite.h"

static char exported[PATH_SIZE], imported[PATH_SIZE];

static void setup(void)
{
    copies_init();
    snprintf(exported, sizeof exported, "%s-exported", f.directory);
    snprintf(imported, sizeof imported, "%s-imported", f.directory);
}

static void teardown(void)
{
    copies_done();
    unlink(exported);
    unlink(below(exported, ".part"));
    remove_directory(imported);
    remove_directory(below(imported, ".part"));
}

static Run export_run(void)
{
    return (Run){command_export, {"--data", f.directory, exported}};
}

static Run import_run(void)
{
    return (Run){command_import, {exported, imported}};
}

/* Of the bytes of a file. */
static void hash_file(const char *path, char *ret_text)
{
    static char bytes[8 << 20];
    FILE *file = fopen(path, "rb");
    ck_assert_ptr_nonnull(file);
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    ck_assert_uint_lt(size, sizeof bytes);
    fclose(file);
    const Hash hash = hash_bytes(bytes, size);
    hash_format(&hash, ret_text);
}

/* The store of an export has all jobs. Removes it. */
static void look_at_imported(void *self)
{
    (void)self;
    if (!exists(imported))
        ck_assert_int_eq(run(import_run()), 0); /* a second run works */
    ck_assert(!exists(below(imported, ".part")));
    check_store(imported);
    remove_directory(imported);
}

static void look_at_exported(void *self)
{
    int *whole = self;
    if (exists(exported)) {
        (*whole)++;
    } else {
        ck_assert_int_eq(run(import_run()), 1);
        ck_says("cannot read '");
        ck_assert_int_eq(run(export_run()), 0);
    }
    ck_assert(!exists(below(exported, ".part")));
    look_at_imported(NULL);
    unlink(exported);
}

START_TEST(an_export_killed_at_any_step_is_whole_or_not_there)
{
    char before[HASH_TEXT_MAX], after[HASH_TEXT_MAX];
    int whole = 0;
    hash_file(below(f.directory, "/dalembert.db"), before);
    const int killed = kill_at_steps(export_run(), look_at_exported, &whole);
    hash_file(below(f.directory, "/dalembert.db"), after);
    ck_assert_str_eq(after, before); /* the source is as it was */
    check_store(f.directory);
    printf("export: killed at %d steps, %d exports whole\n", killed, whole - 1);
    ck_assert_int_ge(killed, 6);
    ck_assert_int_gt(whole, 1);
}
END_TEST

START_TEST(an_import_killed_at_any_step_is_whole_or_not_there)
{
    char before[HASH_TEXT_MAX], after[HASH_TEXT_MAX];
    ck_assert_int_eq(run(export_run()), 0);
    hash_file(exported, before);
    const int killed = kill_at_steps(import_run(), look_at_imported, NULL);
    hash_file(exported, after);
    ck_assert_str_eq(after, before);
    printf("import: killed at %d steps\n", killed);
    ck_assert_int_ge(killed, 6);
}
END_TEST

/* What a killed export has written so far is half an export, and no import takes it. */
START_TEST(the_part_of_a_killed_export_is_refused)
{
    ck_assert_int_eq(run(export_run()), 0);
    const off_t size = (off_t)strlen(text_of(exported)); /* the first 4 kB */
    ck_assert_int_eq(truncate(exported, size), 0);
    ck_assert_int_eq(run(import_run()), 1);
    ck_says("exported'");
    ck_assert(!exists(imported) && !exists(below(imported, ".part")));
}
END_TEST

SUITE(export)
{
    TCase *tc = suite_case(suite, "export");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, an_export_killed_at_any_step_is_whole_or_not_there);
    tcase_add_test(tc, an_import_killed_at_any_step_is_whole_or_not_there);
    tcase_add_test(tc, the_part_of_a_killed_export_is_refused);
}
