/* Traces: the parent of a call, and the fields of the log. */
#include <string.h>

#include "server/trace.h"
#include "tests/suite.h"

#define TRACE "4bf92f3577b34da6a3ce929d0e0e4736"
static const char PARENT[] = "00-" TRACE "-00f067aa0ba902b7-01";

START_TEST(a_child_has_the_trace_and_flags_and_another_parent)
{
    char one[TRACEPARENT_MAX], other[TRACEPARENT_MAX];
    trace_child(PARENT, one);
    trace_child(PARENT, other);
    ck_assert(trace_is_valid(one) && trace_is_valid(other));
    ck_assert(strncmp(one, PARENT, strlen("00-" TRACE "-")) == 0);
    ck_assert_str_eq(one + strlen(one) - 3, "-01");
    ck_assert_str_ne(one, PARENT);
    ck_assert_str_ne(one, other);
}
END_TEST

START_TEST(without_a_valid_parent_there_is_no_child)
{
    char child[TRACEPARENT_MAX] = "x";
    trace_child(NULL, child);
    ck_assert_str_eq(child, "");
    trace_child("00-" TRACE, child);
    ck_assert_str_eq(child, "");
}
END_TEST

START_TEST(a_line_of_the_log_names_the_request_if_it_is_known)
{
    char fields[TRACE_FIELDS_MAX], longest[REQUEST_ID_MAX];
    const TenantStore none = {NULL, TENANT_ALL};
    memset(longest, 'a', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    ck_assert_str_eq(trace_fields(none, &(JobTrace){"r.1", PARENT}, fields),
                     " request=\"r.1\" trace=" TRACE);
    ck_assert_ptr_nonnull(
        strstr(trace_fields(none, &(JobTrace){longest, PARENT}, fields), "a\" trace=" TRACE));
    ck_assert_str_eq(trace_fields(none, &(JobTrace){NULL, NULL}, fields), "");
}
END_TEST

SUITE(trace)
{
    TCase *tc = suite_case(suite, "trace");
    tcase_add_test(tc, a_child_has_the_trace_and_flags_and_another_parent);
    tcase_add_test(tc, without_a_valid_parent_there_is_no_child);
    tcase_add_test(tc, a_line_of_the_log_names_the_request_if_it_is_known);
}
