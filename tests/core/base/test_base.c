/* Unit tests of core/base. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/arena.h"
#include "core/base/clock.h"
#include "core/base/decimal.h"
#include "core/base/diagnostics.h"
#include "core/base/finite.h"
#include "core/base/fraction.h"
#include "core/base/hash.h"
#include "core/base/memory.h"
#include "core/base/number.h"
#include "core/base/numbers.h"
#include "core/base/random.h"
#include "core/base/text.h"
#include "tests/suite.h"

START_TEST(numbers_read_back_bit_for_bit)
{
    Random random;
    random_init(&random, 1);
    for (int i = 0; i < 200000; i++) {
        uint64_t bits = random_bits(&random);
        double value, back;
        char text[NUMBER_TEXT_MAX];
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value))
            continue;
        size_t length = number_print(value, text);
        ck_assert_uint_eq(number_parse(text, length, &back), length);
        ck_assert_mem_eq(&back, &value, sizeof value);
    }
}
END_TEST

START_TEST(numbers_out_of_range_round_to_infinity_and_zero)
{
    double value;
    ck_assert_uint_eq(number_parse("1e999", 5, &value), 5);
    ck_assert(isinf(value) && value > 0);
    ck_assert_uint_eq(number_parse("-1e999", 6, &value), 6);
    ck_assert(isinf(value) && value < 0);
    ck_assert_uint_eq(number_parse("1e-999", 6, &value), 6);
    ck_assert(value == 0);
    ck_assert_uint_eq(number_parse("inf", 3, &value), 0);
    ck_assert_uint_eq(number_parse("-nan", 4, &value), 0);
}
END_TEST

START_TEST(arena_keeps_its_limit)
{
    Arena *arena = arena_new(1000);
    ck_assert_ptr_nonnull(arena_alloc(arena, 10, 64));
    ck_assert_ptr_null(arena_alloc(arena, 10, 64));
    ck_assert_ptr_null(arena_alloc(arena, (size_t)-1, 64));
    arena_reset(arena);
    ck_assert_str_eq(arena_printf(arena, "%d-%s", 7, "x"), "7-x");
    arena_free(arena);
}
END_TEST

START_TEST(printed_texts_are_whole_at_every_length)
{
    char long_text[600];
    for (size_t length = 0; length < sizeof long_text; length++) {
        memset(long_text, 'x', length);
        long_text[length] = '\0';
        Arena scratch = {0};
        Text text = TEXT_INIT;
        const char *printed = arena_printf(&scratch, "<%s>", long_text);
        text_puts(&text, "before");
        text_printf(&text, "<%s>", long_text);
        ck_assert_str_eq(printed, arena_join(&scratch, "<", long_text, ">"));
        ck_assert_uint_eq(strlen(printed), length + 2);
        ck_assert_uint_eq(text.length, length + 8);
        ck_assert_str_eq(text_string(&text) + 6, printed);
        text_done(&text);
        arena_done(&scratch);
    }
}
END_TEST

START_TEST(an_arena_on_the_stack_fails_once_and_for_all)
{
    Arena scratch = {0};
    ck_assert_int_eq(arena_status(&scratch, NULL), OK);
    ck_assert_ptr_nonnull(arena_doubles(&scratch, 0));
    ck_assert_ptr_null(arena_doubles(&scratch, SIZE_MAX / 4));
    ck_assert_ptr_nonnull(arena_doubles(&scratch, 4));
    Error err = {0};
    ck_assert_int_eq(arena_status(&scratch, &err), ERR_NO_MEMORY);
    ck_assert_str_eq(err.message, "out of memory");
    arena_done(&scratch);
    ck_assert(!arena_failed(&scratch));
    ck_assert_ptr_null(arena_alloc(NULL, 1, 1));
    ck_assert_int_eq(arena_status(NULL, NULL), ERR_NO_MEMORY);
}
END_TEST

/* In one block, zeroed again. */
START_TEST(a_cleared_arena_keeps_its_memory)
{
    enum { PARTS = 50, PART = 100 };
    Arena scratch = {0};
    const struct ArenaBlock *block = NULL;

    for (int turn = 0; turn < 3; turn++) {
        for (int k = 0; k < PARTS; k++) {
            double *part = arena_doubles(&scratch, PART);
            ck_assert(part[0] == 0 && part[PART - 1] == 0);
            part[0] = part[PART - 1] = 1;
            ck_assert(turn == 0 || k == 0 || scratch.blocks == block);
            block = scratch.blocks;
        }
        ck_assert_uint_ge(scratch.total, PARTS * PART * sizeof(double));
        arena_clear(&scratch);
        ck_assert_uint_eq(scratch.total, 0);
    }
    arena_done(&scratch);
    arena_clear(&scratch);
    ck_assert_ptr_null(scratch.blocks);
}
END_TEST

/* Marks nest; what is allocated after a release is zeroed again, whatever was written there. */
START_TEST(an_arena_goes_back_to_its_marks)
{
    Arena scratch = {0};
    double *kept = arena_doubles(&scratch, 3);
    kept[2] = 7;
    const size_t total = scratch.total;
    for (size_t n = 1; n < 20000; n *= 3) {
        const ArenaMark outer = arena_mark(&scratch);
        double *a = arena_doubles(&scratch, n);
        const ArenaMark inner = arena_mark(&scratch);
        double *b = arena_doubles(&scratch, 2 * n);
        for (size_t i = 0; i < n; i++) {
            ck_assert(a[i] == 0 && b[2 * i + 1] == 0);
            a[i] = b[2 * i + 1] = 1;
        }
        arena_release(&scratch, inner);
        ck_assert_double_eq(a[n - 1], 1);
        arena_release(&scratch, outer);
        ck_assert_uint_eq(scratch.total, total);
    }
    ck_assert_double_eq(kept[2], 7);
    arena_done(&scratch);
}
END_TEST

START_TEST(fractions_have_the_smallest_denominator)
{
    Fraction f;
    for (int q = 1; q <= 64; q++)
        for (int p = -200; p <= 200; p++) {
            const double divisor = p ? fraction_divisor(p, q) : q;
            ck_assert(fraction_near((double)p / q * (1 + 3e-10), &f));
            ck_assert_double_eq(f.numerator, p / divisor);
            ck_assert_double_eq(f.denominator, q / divisor);
        }
    ck_assert(!fraction_near(1 / 65.0, &f));
    ck_assert(!fraction_near(10001, &f));
    ck_assert(!fraction_near(1e-12, &f));
    ck_assert(!fraction_near(0.5 + 1e-8, &f));
    ck_assert(!fraction_near(NAN, &f) && !fraction_near(INFINITY, &f));
    ck_assert_double_eq(fraction_round(sqrt(2)), sqrt(2));
    ck_assert(fraction_exact(5.0 / 999, &f) && f.numerator == 5 && f.denominator == 999);
    ck_assert(!fraction_exact(nextafter(1.0 / 3, 1), &f));
}
END_TEST

static const struct {
    double value;
    uint64_t digits;
    int exponent;
} READ[] = {{0, 0, 0},
            {-0.0, 0, 0},
            {0.1, 1, -1},
            {-12.50, 125, -1},
            {1e300, 1, 300},
            {4.28e-300, 428, -302},
            {1e16, 1, 16},
            {1200, 12, 2},
            {0.30000000000000004, 30000000000000004, -17},
            {0x1p-1074, 5, -324},
            {0x1.fffffffffffffp1023, 17976931348623157, 292}};

START_TEST(decimals_are_read_without_zeros_at_the_ends)
{
    uint64_t digits = 1;
    int exponent = 1;

    decimal_read(READ[_i].value, &digits, &exponent);
    ck_assert_uint_eq(digits, READ[_i].digits);
    ck_assert_int_eq(exponent, READ[_i].exponent);
}
END_TEST

START_TEST(exact_sums_and_products_are_seen)
{
    double x;

    ck_assert(decimal_add(0.5, 3.25, &x) && x == 3.75);
    ck_assert(decimal_add(1e15, -1, &x) && x == 999999999999999);
    ck_assert(decimal_multiply(699, 4.125, &x) && x == 2883.375);
    ck_assert(decimal_multiply(3e8, -7, &x) && x == -2.1e9);
    ck_assert(!decimal_add(0.1, 0.2, &x) && !decimal_multiply(4.28, 4.28, &x));
    ck_assert(decimal_divide(3, -8, &x) && x == -0.375);
    /* what no double means */
    ck_assert(!decimal_add(1e16, 1, &x) && !decimal_add(1.0 / 3, 0.1, &x));
    ck_assert(!decimal_add(1e16, 1e-16, &x) && !decimal_add(1e300, -1e-300, &x));
    ck_assert(!decimal_multiply(0.123456789, 0.987654321, &x) && !decimal_divide(1, 3, &x));
    ck_assert(!decimal_multiply(1.0009765625, 1.0009765625, &x));
    ck_assert(!decimal_multiply(1e300, 1e300, &x) && !decimal_multiply(1e-300, 1e-300, &x));
    ck_assert(decimal_is_short(0.1) && decimal_is_short(-1e300) && !decimal_is_short(1.0 / 3));
}
END_TEST

static const struct {
    double value;
    uint64_t digits, denominator;
    int exponent;
    bool rounded;
} MEANT[] = {
    {0.1, 1, 1, -1, false},
    {-1.0 / 3, 10, 3, -1, false},
    {2.0 / 3, 20, 3, -1, false},
    {1.0 / 7e17, 10, 7, -18, false},
    {355.0 / 113, 355, 113, 0, false},
    {1234567.0 / 3e6, 1234567, 300000, -1, false},
    {9007199254740991, 9007199254740991, 1, 0, false},
    {1.0000000000000002, 10000000000000002, 1, -16, true}, /* next to 1 is not 1 */
    {20.0 / 267, 2000, 267, -2, false},                    /* which 0.0749063670411985 is, too */
    {0.123456789012345, 123456789012345, 1, -15, false},
    {0.30000000000000004, 30000000000000004, 1, -17, true},
    {3.14159265358979323846, 3141592653589793, 1, -15, true},
};

START_TEST(a_double_means_the_fraction_that_it_is_nearest_to)
{
    uint64_t digits, denominator;
    int exponent;

    ck_assert(decimal_meaning(MEANT[_i].value, &digits, &denominator, &exponent) !=
              MEANT[_i].rounded);
    ck_assert(decimal_is_rounded(MEANT[_i].value) == MEANT[_i].rounded);
    ck_assert_uint_eq(digits, MEANT[_i].digits);
    ck_assert_uint_eq(denominator, MEANT[_i].denominator);
    ck_assert_int_eq(exponent, MEANT[_i].exponent);
    const Rational meant = rational_of(MEANT[_i].value < 0, digits, exponent, denominator);
    ck_assert_double_eq(rational_nearest(&meant), MEANT[_i].value);
}
END_TEST

static const struct {
    double values[4];
    size_t n, left;
    double sums[3];
} COLLECTED[] = {
    {{0.1, 0.2, -0.3}, 3, 0, {0}},
    {{1e16, 1, -1e16}, 3, 1, {1}},
    {{1e30, -1e30, 1e-14}, 3, 1, {1e-14}},
    {{1e14, 1e-14}, 2, 2, {1e14, 1e-14}},
    {{1e-14, 0.5, 1e14, 0.5}, 4, 2, {100000000000001, 1e-14}},
    {{1e60, 1e-60, 2e-60}, 3, 2, {1e60, 3e-60}},
    {{1.0 / 3, 1.0 / 6, -0.5, 1e-17}, 4, 1, {1e-17}},
    {{1.0 / 3, 1.0 / 7, -10.0 / 21}, 3, 0, {0}},
    {{1.0 / 3, 1e-20}, 2, 2, {1.0 / 3, 1e-20}},
    {{-0.5, 0.25}, 2, 1, {-0.25}},
};

START_TEST(sums_of_numbers_are_exact)
{
    double parts[DECIMAL_PARTS];
    size_t left = 9;
    Rational sum = rational_of(false, 0, 0, 1), next;

    for (size_t k = 0; k < COLLECTED[_i].n; k++)
        ck_assert(decimal_rational(COLLECTED[_i].values[k], &next) && rational_add(&sum, &next));
    ck_assert(decimal_write(&sum, parts, &left));
    ck_assert_uint_eq(left, COLLECTED[_i].left);
    for (size_t k = 0; k < left; k++)
        ck_assert_double_eq(parts[k], COLLECTED[_i].sums[k]);
}
END_TEST

START_TEST(convergents_find_fractions_of_larger_numbers)
{
    Fraction f;
    ck_assert(fraction_convergent(-39.0 / 1741, 1e-15, &f));
    ck_assert(f.numerator == -39 && f.denominator == 1741);
    ck_assert(fraction_convergent(0, 1e-15, &f) && f.numerator == 0);
    ck_assert(fraction_convergent(0.3333333333, 1e-9, &f) && f.denominator == 3);
    ck_assert(!fraction_convergent(sqrt(2), 1e-15, &f));
    ck_assert(!fraction_convergent(NAN, 1e-15, &f) && !fraction_convergent(INFINITY, 1, &f));
}
END_TEST

START_TEST(diagnostics_keep_fifty_and_count_on)
{
    static Diagnostics diag;
    Arena *arena = arena_new(1 << 20);
    diagnostics_init(&diag, arena);
    for (int i = 0; i < 60; i++)
        diagnostics_add(&diag, "/model", i, NULL, "mistake %d", i);
    ck_assert_uint_eq(diag.count, DIAGNOSTICS_MAX);
    ck_assert_uint_eq(diag.total, 60);
    ck_assert_str_eq(diag.items[49].message, "mistake 49");
    arena_free(arena);
}
END_TEST

START_TEST(nearest_name_suggests_slips_only)
{
    const char *names[] = {"theta", "psi1", "psi2", "x"};
    ck_assert_str_eq(nearest_name("thta", 4, names, 4), "theta");
    ck_assert_str_eq(nearest_name("psi3", 4, names, 4), "psi1");
    ck_assert_str_eq(nearest_name("hteta", 5, names, 4), "theta");
    ck_assert_ptr_null(nearest_name("omega", 5, names, 4));
    ck_assert_ptr_null(nearest_name("y", 1, names, 4));
    ck_assert_str_eq(nearest_name("THETA", 5, names, 4), "theta");
    ck_assert_str_eq(nearest_name("G", 1, (const char *const[]){"l", "g"}, 2), "g");
    ck_assert_ptr_null(nearest_name("G", 1, (const char *const[]){"l", "gm"}, 2));
}
END_TEST

START_TEST(hash_is_sha256)
{
    Hash hash = hash_bytes("abc", 3);
    char text[HASH_TEXT_MAX];
    hash_format(&hash, text);
    ck_assert_str_eq(text, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}
END_TEST

START_TEST(clock_writes_rfc3339)
{
    char text[CLOCK_TEXT_MAX];
    clock_format(951782400123, text);
    ck_assert_str_eq(text, "2000-02-29T00:00:00.123Z");
}
END_TEST

/* The C library's calendar is the oracle; from 1970 on, where clock_format() writes them. */
START_TEST(clock_reads_what_it_writes)
{
    const uint64_t seed = 15;
    char text[CLOCK_TEXT_MAX];
    Random random;
    random_init(&random, seed);
    for (int i = 0; i < 20000; i++) {
        const int64_t ms = (int64_t)(random_bits(&random) % 253402300800000); /* to year 9999 */
        int64_t read = -1;
        clock_format(ms, text);
        ck_assert_msg(clock_parse(text, &read) && read == ms, "%s", text);
    }
}
END_TEST

START_TEST(clock_reads_rfc3339)
{
    static const struct {
        const char *text;
        int64_t ms;
    } GOOD[] = {{"1970-01-01T00:00:00Z", 0},
                {"2000-02-29t00:00:00.123456z", 951782400123},
                {"2000-02-29T01:00:00.1+01:00", 951782400100},
                {"2000-02-28T18:30:00-05:30", 951782400000},
                {"1969-12-31T23:59:59.999Z", -1},
                {"2016-12-31T23:59:60Z", 1483228800000},
                {"0000-01-01T00:00:00Z", -62167219200000},
                {"0001-01-01T00:00:00Z", -62135596800000}};
    static const char *const BAD[] = {"",
                                      "2000",
                                      "2000-02-29",
                                      "2000-02-29T00:00:00",
                                      "2000-02-29 00:00:00Z",
                                      "2000-02-30T00:00:00Z",
                                      "1900-02-29T00:00:00Z",
                                      "2000-00-01T00:00:00Z",
                                      "2000-13-01T00:00:00Z",
                                      "2000-01-00T00:00:00Z",
                                      "2000-01-01T24:00:00Z",
                                      "2000-01-01T00:60:00Z",
                                      "2000-01-01T00:00:61Z",
                                      "2000-01-01T00:00:00.Z",
                                      "2000-01-01T00:00:00+24:00",
                                      "2000-01-01T00:00:00+0100",
                                      "2000-01-01T00:00:00Zx",
                                      " 2000-01-01T00:00:00Z",
                                      "+2000-01-01T00:00:00Z"};
    int64_t ms;
    for (size_t i = 0; i < sizeof GOOD / sizeof *GOOD; i++)
        ck_assert_msg(clock_parse(GOOD[i].text, &ms) && ms == GOOD[i].ms, "%s", GOOD[i].text);
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++)
        ck_assert_msg(!clock_parse(BAD[i], &ms), "%s", BAD[i]);
}
END_TEST

START_TEST(text_grows_and_keeps_zero_bytes)
{
    Text text = TEXT_INIT;
    ck_assert_str_eq(text_string(&text), "");
    for (int i = 0; i < 1000; i++)
        text_printf(&text, "%d,", i);
    text_append(&text, "\0x", 2);
    ck_assert(text_ok(&text));
    ck_assert_uint_eq(text.length, 3892);
    text_done(&text);
}
END_TEST

START_TEST(a_number_that_is_not_finite_is_seen_wherever_it_is)
{
    enum { MOST = 11 };
    const double odd[] = {NAN, INFINITY, -INFINITY}, fine[] = {0, -0.0, 1e308, -5e-324, 3};
    double x[MOST] = {0};

    for (size_t n = 0; n <= MOST; n++) {
        for (size_t k = 0; k < n; k++)
            x[k] = fine[k % 5];
        ck_assert(all_finite(x, n));
        for (size_t k = 0; k < n; k++)
            for (size_t which = 0; which < 3; which++) {
                const double before = x[k];
                x[k] = odd[which];
                ck_assert(!all_finite(x, n));
                x[k] = before;
            }
    }
}
END_TEST

/* However many are written out. */
START_TEST(as_many_numbers_are_copied_and_compared_as_are_asked_for)
{
    enum { MOST = 40 };
    double from[MOST], to[MOST];

    for (size_t n = 0; n < MOST; n++) {
        for (size_t k = 0; k < MOST; k++) {
            from[k] = 1 + (double)k;
            to[k] = -1;
        }
        numbers_copy(to, from, n);
        for (size_t k = 0; k < MOST; k++)
            ck_assert(to[k] == (k < n ? from[k] : -1));
        ck_assert(numbers_are_same(to, from, n) && !numbers_are_same(to, from, n + 1));
        for (size_t k = 0; k < n; k++) {
            to[k] = 0;
            ck_assert(!numbers_are_same(to, from, n));
            to[k] = from[k];
        }
    }
}
END_TEST

START_TEST(bits_differ_where_numbers_are_equal)
{
    const double a[] = {1, 0, NAN}, b[] = {1, -0.0, NAN};

    ck_assert(numbers_are_same(a, a, 3));
    ck_assert(numbers_are_same(a, b, 1) && numbers_are_same(a, b, 0));
    ck_assert(!numbers_are_same(a, b, 2));
    ck_assert(!numbers_are_same(a + 1, b, 1));
}
END_TEST

SUITE(base)
{
    TCase *tc = suite_case(suite, "base");
    tcase_add_test(tc, numbers_read_back_bit_for_bit);
    tcase_add_test(tc, a_number_that_is_not_finite_is_seen_wherever_it_is);
    tcase_add_test(tc, as_many_numbers_are_copied_and_compared_as_are_asked_for);
    tcase_add_test(tc, bits_differ_where_numbers_are_equal);
    tcase_add_test(tc, numbers_out_of_range_round_to_infinity_and_zero);
    tcase_add_test(tc, arena_keeps_its_limit);
    tcase_add_test(tc, printed_texts_are_whole_at_every_length);
    tcase_add_test(tc, an_arena_on_the_stack_fails_once_and_for_all);
    tcase_add_test(tc, a_cleared_arena_keeps_its_memory);
    tcase_add_test(tc, an_arena_goes_back_to_its_marks);
    tcase_add_test(tc, fractions_have_the_smallest_denominator);
    tcase_add_test(tc, convergents_find_fractions_of_larger_numbers);
    tcase_add_loop_test(tc, decimals_are_read_without_zeros_at_the_ends, 0,
                        (int)(sizeof READ / sizeof *READ));
    tcase_add_test(tc, exact_sums_and_products_are_seen);
    tcase_add_loop_test(tc, a_double_means_the_fraction_that_it_is_nearest_to, 0,
                        (int)(sizeof MEANT / sizeof *MEANT));
    tcase_add_loop_test(tc, sums_of_numbers_are_exact, 0, sizeof COLLECTED / sizeof *COLLECTED);
    tcase_add_test(tc, diagnostics_keep_fifty_and_count_on);
    tcase_add_test(tc, nearest_name_suggests_slips_only);
    tcase_add_test(tc, hash_is_sha256);
    tcase_add_test(tc, clock_writes_rfc3339);
    tcase_add_test(tc, clock_reads_what_it_writes);
    tcase_add_test(tc, clock_reads_rfc3339);
    tcase_add_test(tc, text_grows_and_keeps_zero_bytes);
}
