/* Signatures as Standard Webhooks has them: its specification's own example, and what a secret
 * is. */
#include "server/notify/signature.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/suite.h"

static Status read_text(const char *text, Secrets *ret_secrets, Error *err)
{
    char path[] = "/tmp/dalembert-secret-XXXXXX";
    const int file = mkstemp(path);
    ck_assert_int_ge(file, 0);
    ck_assert_int_eq(write(file, text, strlen(text)), (int)strlen(text));
    close(file);
    const Status status = secrets_read(path, ret_secrets, err);
    unlink(path);
    return status;
}

START_TEST(the_example_of_the_specification_is_reproduced)
{
    static const char BODY[] = "{\"test\": 2432232314}";
    static const char DUE[] = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";
    Text text = TEXT_INIT;
    Error err = {0};
    Secrets secrets = {0};
    ck_assert_int_eq(read_text("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n", &secrets, &err), OK);
    secrets_sign(&secrets, "msg_p5jXN8AQM9LWM0D4loKWxJek", "1614265330", BODY, sizeof BODY - 1,
                 &text);
    ck_assert_str_eq(text_string(&text), DUE);
    /* two secrets, two signatures */
    text_reset(&text);
    ck_assert_int_eq(read_text("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\r\n\n"
                               "whsec_b2xkLW9sZC1vbGQtb2xkLW9sZC1vbGQtb2xk",
                               &secrets, &err),
                     OK);
    secrets_sign(&secrets, "msg_p5jXN8AQM9LWM0D4loKWxJek", "1614265330", BODY, sizeof BODY - 1,
                 &text);
    ck_assert_int_eq(strncmp(text_string(&text), DUE, sizeof DUE - 1), 0);
    ck_assert_uint_eq(text.length, 2 * (sizeof DUE - 1) + 1);
    text_done(&text);
}
END_TEST

/* Expected: Python's hmac.digest(secret, b"tenant:acme", "sha256"). */
START_TEST(a_tenant_has_a_secret_of_its_own)
{
    Text text = TEXT_INIT;
    Error err = {0};
    Secrets secrets, own;
    ck_assert_int_eq(read_text("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n", &secrets, &err), OK);
    secrets_of_tenant(&secrets, "acme", &own);
    secrets_write(&own, &text);
    ck_assert_str_eq(text_string(&text), "whsec_DRAHdqq1r9N5yZ5WRlZutEdFdyCmTvYJcq/rjGe34vo=\n");
    text_reset(&text);
    secrets_of_tenant(&secrets, "default", &own);
    secrets_write(&own, &text);
    ck_assert_str_eq(text_string(&text), "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n");
    text_done(&text);
}
END_TEST

START_TEST(what_is_no_secret_is_refused_and_not_told)
{
    static const char *const FILES[] = {
        "",
        "\n\n",
        "hushhush",
        "whsec_",
        "whsec_aHVzaGh1c2g=",
        "whsec_!!!!",
        "whsec_hushhushhushhushhushhushhus",
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw hushhush",
    };
    for (size_t i = 0; i < sizeof FILES / sizeof *FILES; i++) {
        Error err = {0};
        Secrets secrets;
        ck_assert_msg(read_text(FILES[i], &secrets, &err) == ERR_INVALID, "\"%s\"", FILES[i]);
        ck_assert_ptr_null(strstr(err.message, "hushhush"));
    }
    char longest[400] = "whsec_";
    memset(longest + 6, 'A', 300);
    Error err = {0};
    Secrets secrets;
    ck_assert_int_eq(read_text(longest, &secrets, &err), ERR_INVALID);
}
END_TEST

SUITE(signature)
{
    TCase *tc = suite_case(suite, "signatures");
    tcase_add_test(tc, the_example_of_the_specification_is_reproduced);
    tcase_add_test(tc, a_tenant_has_a_secret_of_its_own);
    tcase_add_test(tc, what_is_no_secret_is_refused_and_not_told);
}
