/* The subcommands that need no daemon: exit status, what they print, what they write. */

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server/command/commands.h"
#include "server/command/progress_bar.h"
#include "tests/suite.h"

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

static char folder[40]; /* of one test */

static void setup(void)
{
    strcpy(folder, "/tmp/dalembert-commands-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert_int_eq(chdir(folder), 0);
}

static void teardown(void)
{
    static const char *const FILES[] = {"in.json",  "out",   "err",    "r.json", "r.csv",
                                        "r.ndjson", "r.npy", "d.json", "r2.json"};
    for (size_t i = 0; i < LENGTH(FILES); i++)
        unlink(FILES[i]);
    ck_assert_int_eq(chdir("/"), 0);
    rmdir(folder);
}

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(name, "wb");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    fclose(file);
}

/* Heap. */
static char *file_text(const char *name)
{
    FILE *file = fopen(name, "rb");
    ck_assert_msg(file != NULL, "%s was not written", name);
    char *text = calloc(1, 1 << 20);
    text[fread(text, 1, (1 << 20) - 1, file)] = '\0';
    fclose(file);
    return text;
}

/* Runs a command with its output in the files "out" and "err". arguments ends with NULL. */
static int run(int (*command)(int, char **), const char *const *arguments)
{
    char *argv[8];
    int argc = 0;

    for (; arguments[argc]; argc++)
        argv[argc] = strdup(arguments[argc]);
    fflush(NULL);
    int old_out = dup(STDOUT_FILENO), old_err = dup(STDERR_FILENO);
    FILE *out = fopen("out", "wb"), *err = fopen("err", "wb");
    dup2(fileno(out), STDOUT_FILENO);
    dup2(fileno(err), STDERR_FILENO);
    int status = command(argc, argv);
    fflush(NULL);
    dup2(old_out, STDOUT_FILENO);
    dup2(old_err, STDERR_FILENO);
    close(old_out);
    close(old_err);
    fclose(out);
    fclose(err);
    while (argc > 0)
        free(argv[--argc]);
    return status;
}

static void expect_text(const char *file, const char *fragment)
{
    char *text = file_text(file);
    ck_assert_msg(strstr(text, fragment) != NULL, "no \"%s\" in\n%s", fragment, text);
    free(text);
}

/* x'' = -x from x = 1: x(t) = cos(t) */
static const char OSCILLATOR[] =
    "{\"model\":{\"name\":\"oscillator\",\"coordinates\":[\"x\"],"
    "\"lagrangian\":\"dot(x)^2/2-x^2/2\"},\"initial\":{\"q\":{\"x\":1}},"
    "\"time\":{\"end\":3,\"samples\":4},\"observe\":{\"a,b\":\"2*x\"},"
    "\"events\":[{\"name\":\"zero\",\"when\":\"x\"}]}";

static const struct {
    int (*command)(int, char **);
    const char *arguments[5];
    int status;
    const char *file, *fragment;
} CASES[] = {
    {command_simulate, {NULL}, 2, "err", "usage: dalembert simulate"},
    {command_simulate, {"--help"}, 0, "out", "usage: dalembert simulate"},
    {command_simulate, {"in.json", "extra"}, 2, "err", "one argument too many: extra"},
    {command_simulate, {"in.json", "--outptu", "r.csv"}, 2, "err", "unknown option: --outptu"},
    {command_simulate, {"in.json", "-o"}, 2, "err", "without its value"},
    {command_simulate, {"in.json", "-o"}, 2, "err", "Try `dalembert simulate --help`."},
    {command_simulate, {"in.json", "-o", "r.xls"}, 2, "err", "must end in"},
    {command_simulate, {"missing.json"}, 2, "err", "missing.json: No such file"},
    {command_simulate, {"in.json", "-o", "no/folder/r.csv"}, 1, "err", "No such file"},
    {command_simulate, {"in.json", "--output=r.csv"}, 0, "err", "succeeded: 4 samples"},
    {command_simulate, {"in.json", "--threads", "0"}, 2, "err", "a number from 1 to 1024"},
    {command_simulate, {"in.json", "--threads", "2x"}, 2, "err", "--threads 2x"},
    {command_check, {NULL}, 2, "err", "usage: dalembert check"},
    {command_check, {"-h"}, 0, "out", "usage: dalembert check"},
    {command_check, {"in.json"}, 0, "out", "1 coordinate, 1 degree of freedom"},
    {command_check, {"in.json", "--json"}, 0, "out", "\"degrees_of_freedom\":1"},
    {command_equations, {"in.json", "--format", "yaml"}, 2, "err", "unknown format \"yaml\""},
    {command_equations, {"in.json", "--formulation", "x"}, 2, "err", "lagrange-dalembert"},
    {command_equations, {"in.json"}, 0, "out", "ddot(x)"},
    {command_equations, {"in.json", "--format=latex"}, 0, "out", "\\ddot{x}"},
    {command_equations, {"in.json", "-f", "c"}, 0, "out", "#include <math.h>"},
    {command_catalog, {"no-such-system"}, 2, "err", "no system \"no-such-system\""},
    {command_catalog, {"--help"}, 0, "out", "usage: dalembert catalog"},
};

START_TEST(exit_status_and_words_fit_the_arguments)
{
    write_file("in.json", OSCILLATOR);
    int status = run(CASES[_i].command, CASES[_i].arguments);
    char *err = file_text("err");
    ck_assert_msg(status == CASES[_i].status, "status %d: %s", status, err);
    free(err);
    expect_text(CASES[_i].file, CASES[_i].fragment);
}
END_TEST

static double number_at(const cJSON *tree, const char *a, const char *b, const char *c, int index)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(tree, a);
    item = b ? cJSON_GetObjectItemCaseSensitive(item, b) : item;
    item = c ? cJSON_GetObjectItemCaseSensitive(item, c) : item;
    item = index >= 0 ? cJSON_GetArrayItem(item, index) : item;
    ck_assert_msg(cJSON_IsNumber(item), "no number at %s/%s/%s", a, b, c);
    return item->valuedouble;
}

/* As the files in models/ are. */
START_TEST(the_job_of_a_catalog_entry_is_meant)
{
    static int (*const COMMANDS[])(int, char **) = {command_simulate, command_check,
                                                    command_equations};
    static const char *const ARGUMENTS[] = {"entry.json", NULL};
    char entry[4096];

    snprintf(
        entry, sizeof entry,
        "{\"name\": \"x\", \"source\": \"a \\\"job\\\": {} of {\", \"job\" : %s, \"title\": \"y\"}",
        OSCILLATOR);
    write_file("entry.json", entry);
    ck_assert_int_eq(run(COMMANDS[_i], ARGUMENTS), 0);
}
END_TEST

START_TEST(simulate_prints_motion_events_and_evidence)
{
    static const char *const ARGUMENTS[] = {"in.json", NULL};

    write_file("in.json", OSCILLATOR);
    ck_assert_int_eq(run(command_simulate, ARGUMENTS), 0);
    char *text = file_text("out");
    cJSON *tree = cJSON_Parse(text);
    ck_assert_ptr_nonnull(tree);
    for (int k = 0; k < 4; k++) {
        ck_assert(number_at(tree, "result", "series", "t", k) == k);
        ck_assert_double_eq_tol(number_at(tree, "result", "series", "x", k), cos(k), 1e-8);
        ck_assert_double_eq_tol(number_at(tree, "result", "series", "a,b", k), 2 * cos(k), 1e-8);
    }
    const cJSON *events = cJSON_GetObjectItemCaseSensitive(tree, "events");
    ck_assert_double_eq_tol(number_at(events, "zero", "series", "t", 0), acos(0), 1e-8);
    ck_assert(fabs(number_at(tree, "diagnostics", "energy", "balance_max", -1)) < 1e-8);
    ck_assert_str_eq(
        cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(tree, "job"), "state")
            ->valuestring,
        "succeeded");
    cJSON_Delete(tree);
    free(text);
}
END_TEST

START_TEST(simulate_writes_the_format_of_the_name)
{
    static const char *const CSV[] = {"in.json", "-o", "r.csv", "--diagnostics=d.json", NULL};
    static const char *const NDJSON[] = {"in.json", "-o", "r.ndjson", NULL};

    write_file("in.json", OSCILLATOR);
    ck_assert_int_eq(run(command_simulate, CSV), 0);
    char *text = file_text("r.csv");
    ck_assert_ptr_eq(strstr(text, "t,x,dot(x),\"a,b\"\r\n0,1,0,2\r\n1,0.54030"), text);
    free(text);
    expect_text("d.json", "\"invariants\":[{\"name\":\"energy\"");
    ck_assert_int_eq(run(command_simulate, NDJSON), 0);
    text = file_text("r.ndjson");
    ck_assert_ptr_eq(strstr(text, "{\"t\":0,\"x\":1,\"dot(x)\":0,\"a,b\":2}\n{\"t\":1,"), text);
    free(text);
}
END_TEST

START_TEST(a_motion_that_leaves_the_numbers_is_a_failure_with_what_was_computed)
{
    static const char *const ARGUMENTS[] = {"in.json", "-o", "r.json", NULL};

    /* x'' = 2 x x' from x = x' = 1 is x' = x^2: x(t) = 1 / (1 - t) ends at t = 1 */
    write_file("in.json", "{\"model\":{\"coordinates\":[\"x\"],\"lagrangian\":\"dot(x)^2/2\","
                          "\"forces\":{\"x\":\"2*x*dot(x)\"}},"
                          "\"initial\":{\"q\":{\"x\":1},\"v\":{\"x\":1}},"
                          "\"time\":{\"end\":2,\"samples\":201}}");
    ck_assert_int_eq(run(command_simulate, ARGUMENTS), 1);
    expect_text("err", "the job failed");
    char *text = file_text("r.json");
    cJSON *tree = cJSON_Parse(text);
    ck_assert_ptr_nonnull(tree);
    ck_assert_double_eq_tol(number_at(tree, "result", "series", "x", 50), 2, 1e-6);
    ck_assert(cJSON_IsFalse(cJSON_GetObjectItemCaseSensitive(
        cJSON_GetObjectItemCaseSensitive(tree, "result"), "complete")));
    cJSON_Delete(tree);
    free(text);
}
END_TEST

/* x'' = -k x from x = a: x(t) = a cos(sqrt(k) t). */
#define OSCILLATORS(ensemble)                                                                  \
    "{\"model\":{\"coordinates\":[\"x\"],\"parameters\":{\"k\":1},"                            \
    "\"lagrangian\":\"dot(x)^2/2-k*x^2/2\"},\"initial\":{\"q\":{\"x\":1}},"                    \
    "\"time\":{\"end\":3,\"samples\":4},\"events\":[{\"name\":\"zero\",\"when\":\"x\"}],"      \
    "\"vary\":{\"parameters.k\":{\"from\":1,\"to\":25,\"count\":25},\"initial.q.x\":[1,2,3]}," \
    "\"ensemble\":{" ensemble "}}"

START_TEST(simulate_runs_an_ensemble_alike_on_any_number_of_threads)
{
    static const char *const ONE[] = {"in.json", "--threads=1", "-o", "r.json", NULL};
    static const char *const MANY[] = {"in.json", "--threads=5", "-o", "r2.json", NULL};

    write_file("in.json", OSCILLATORS("\"keep\":\"trajectories\""));
    ck_assert_int_eq(run(command_simulate, ONE), 0);
    expect_text("err", "succeeded: 75 of 75 members, 0 failed");
    ck_assert_int_eq(run(command_simulate, MANY), 0);
    char *text = file_text("r.json"), *other = file_text("r2.json");
    ck_assert_str_eq(text, other);
    cJSON *tree = cJSON_Parse(text);
    ck_assert_ptr_nonnull(tree);
    const cJSON *tables = cJSON_GetObjectItemCaseSensitive(tree, "tables");
    for (int k = 0; k < 75; k++) {
        const double a = 1 + k % 3, omega = sqrt(1 + k / 3); // NOLINT(bugprone-integer-division)
        ck_assert(number_at(tree, "result", "series", "member", k) == k);
        ck_assert(number_at(tree, "result", "series", "initial.q.x", k) == a);
        ck_assert_double_eq_tol(number_at(tree, "result", "series", "final.q.x", k),
                                a * cos(omega * 3), 1e-8);
        ck_assert(number_at(tables, "trajectory", "series", "member", 4 * k + 3) == k);
        ck_assert(number_at(tables, "trajectory", "series", "t", 4 * k + 2) == 2);
    }
    ck_assert_double_eq_tol(number_at(tables, "zero", "series", "t", 0), acos(0), 1e-8);
    cJSON_Delete(tree);
    free(text);
    free(other);
}
END_TEST

START_TEST(simulate_writes_the_summary_in_the_format_of_the_name)
{
    static const char *const CSV[] = {"in.json", "-o", "r.csv", "--diagnostics=d.json", NULL};
    static const char *const NPY[] = {"in.json", "-o", "r.npy", NULL};

    write_file("in.json", OSCILLATORS(""));
    ck_assert_int_eq(run(command_simulate, CSV), 0);
    char *text = file_text("r.csv");
    ck_assert_ptr_eq(strstr(text, "member,parameters.k,initial.q.x,final.t,final.q.x,final.v.x,"),
                     text);
    ck_assert_ptr_nonnull(strstr(text, "\r\n74,25,3,3,"));
    ck_assert_ptr_nonnull(strstr(text, ",succeeded,\r\n"));
    free(text);
    expect_text("d.json", "\"members\":{\"total\":75,\"done\":75,\"succeeded\":75,\"failed\":0}");
    static const char *const CHECK[] = {"in.json", NULL};
    ck_assert_int_eq(run(command_check, CHECK), 0);
    expect_text("out", "  an ensemble: 75 members (grid) by parameters.k, initial.q.x\n");
    ck_assert_int_eq(run(command_simulate, NPY), 0);
    text = file_text("r.npy");
    ck_assert_mem_eq(text, "\x93NUMPY", 6);
    free(text);
}
END_TEST

/* x'' = 2 x x' ends at t = 1/a from x = a, x' = a^2. */
#define ENDS(values, ensemble)                                                              \
    "{\"model\":{\"coordinates\":[\"x\"],\"lagrangian\":\"dot(x)^2/2\","                    \
    "\"forces\":{\"x\":\"2*x*dot(x)\"}},\"initial\":{},\"time\":{\"end\":2,\"samples\":3}," \
    "\"vary\":{\"initial.q.x\":[" values "],\"initial.v.x\":[" values "]},"                 \
    "\"ensemble\":{\"combine\":\"zip\"" ensemble "}}"

static const struct {
    const char *job;
    int status;
    const char *said;
} FAILURES[] = {
    {ENDS("0,1,0", ""), 0, "succeeded: 3 of 3 members, 1 failed\n  member 1 (numeric): "},
    {ENDS("1,1", ""), 1, "failed, numeric: 2 of 2 members, 2 failed"},
    {ENDS("0,1,0,0", ",\"on_error\":\"stop\""), 1, "failed, numeric: "},
    {ENDS("0,0", ",\"timeout\":1e-9"), 1, "failed, timeout: 0 of 2 members, 0 failed"},
};

START_TEST(members_fail_alone_unless_they_are_to_stop_all)
{
    static const char *const ARGUMENTS[] = {"in.json", "--threads=1", "-o", "r.csv", NULL};

    write_file("in.json", FAILURES[_i].job);
    const int status = run(command_simulate, ARGUMENTS);
    expect_text("err", FAILURES[_i].said);
    ck_assert_int_eq(status, FAILURES[_i].status);
}
END_TEST

START_TEST(a_bar_shows_how_far_and_how_long)
{
    static const struct {
        uint64_t done, total;
        double seconds;
        const char *text;
    } BARS[] = {
        {0, 10, 1, "[>                             ] 0 of 10, 0 a second"},
        {5, 10, 2, "[===============>              ] 5 of 10, 2.5 a second, 2 s left"},
        {1000, 1000000, 1,
         "[>                             ] 1000 of 1000000, 1000 a second, 16 min 39 s left"},
        {1, 7201, 1, "[>                             ] 1 of 7201, 1 a second, 2 h 00 min left"},
        {10, 10, 4, "[==============================] 10 of 10, 2.5 a second, 0 s left"},
    };

    for (size_t i = 0; i < LENGTH(BARS); i++) {
        char text[200];
        progress_bar_text(BARS[i].done, BARS[i].total, BARS[i].seconds, text, sizeof text);
        ck_assert_str_eq(text, BARS[i].text);
    }
}
END_TEST

static const struct {
    const char *text, *expected;
} MISTAKES[] = {
    {"{\"coordinates\":[\"theta\"],\"lagrangian\":\"dot(theta)^2/2 + cos(thta)\"}",
     "in.json: /lagrangian: unknown name \"thta\" at column 22\n"
     "    dot(theta)^2/2 + cos(thta)\n"
     "                         ^\n"
     "    did you mean \"theta\"?\n"},
    {"{\"coordinates\":[\"x\"],\"lagrangian\":\"dot(x)^2 \xc3\x97 thta\"}",
     "in.json: /lagrangian: unexpected character \"\xc3\x97\" at column 10\n"
     "    dot(x)^2 \xc3\x97 thta\n"
     "             ^\n"
     "    write *\n"
     "in.json: /lagrangian: unknown name \"thta\" at column 12\n"
     "    dot(x)^2 \xc3\x97 thta\n"
     "               ^\n"
     "    coordinates: x; add it to parameters\n"},
    {"{\"coordinates\":[\"x\"],\n  \"lagrangian\":\"\xc3\xa9\", x}",
     "in.json: line 2, column 21: expected a member name in quotes, found 'x'\n"
     "      \"lagrangian\":\"\xc3\xa9\", x}\n"
     "                        ^\n"},
    {"{\"coordinates\":[\"x\"],\n\n \n",
     "in.json: line 1, column 22: expected a member name in quotes, found the end of the text\n"
     "    {\"coordinates\":[\"x\"],\n"
     "                         ^\n"},
    {" \n", "in.json: line 1, column 1: the document is empty\n"},
    {"{\"model\":{\"catalog\":\"nothing-like-it\"},\"initial\":{},\"time\":{\"end\":1}}",
     "in.json: /model/catalog: the catalog has no system \"nothing-like-it\"\n"},
};

START_TEST(mistakes_are_told_with_a_caret_under_their_place)
{
    static const char *const ARGUMENTS[] = {"in.json", NULL};

    write_file("in.json", MISTAKES[_i].text);
    ck_assert_int_eq(run(command_check, ARGUMENTS), 1);
    expect_text("err", MISTAKES[_i].expected);
}
END_TEST

START_TEST(a_mistake_in_a_long_text_is_shown_with_its_surroundings)
{
    static const char *const ARGUMENTS[] = {"in.json", NULL};
    char text[2000] = "{\"coordinates\":[\"x\"],\"lagrangian\":\"dot(x)^2/2";

    for (int i = 0; i < 100; i++)
        strcat(text, "+sin(x)");
    strcat(text, "+bad");
    for (int i = 0; i < 100; i++)
        strcat(text, "+cos(x)");
    strcat(text, "\"}");
    write_file("in.json", text);
    ck_assert_int_eq(run(command_check, ARGUMENTS), 1);
    char *err = file_text("err");
    const char *line = strstr(err, "    ..."), *caret = strchr(err, '^');
    /* the caret of the last line stands under the name */
    while (caret && caret[1] != '\n')
        caret = strchr(caret + 1, '^');
    ck_assert(line != NULL && caret != NULL);
    const char *caret_line = caret;
    while (caret_line[-1] != '\n')
        caret_line--;
    ck_assert_int_eq(strncmp(line + (caret - caret_line), "bad", 3), 0);
    free(err);
}
END_TEST

START_TEST(a_problem_document_tells_the_mistakes_to_a_program)
{
    static const char *const ARGUMENTS[] = {"--json", "in.json", NULL};

    write_file("in.json", "{\"coordinates\":[\"x\"],\"lagrangan\":\"1\"}");
    ck_assert_int_eq(run(command_check, ARGUMENTS), 1);
    expect_text("out", "\"status\":422");
    expect_text("out", "{\"pointer\":\"/lagrangan\",\"message\":\"unknown member");
}
END_TEST

START_TEST(every_catalog_job_passes_the_check)
{
    static const char *const NONE[] = {NULL}, *const CHECK[] = {"in.json", NULL};

    ck_assert_int_eq(run(command_catalog, NONE), 0);
    char *list = file_text("out"), *rest = list;
    for (char *line = strtok_r(rest, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        line[strcspn(line, " ")] = '\0';
        const char *const name[] = {line, NULL};
        ck_assert_int_eq(run(command_catalog, name), 0);
        rename("out", "in.json");
        int status = run(command_check, CHECK);
        char *err = file_text("err");
        ck_assert_msg(status == 0, "%s: %s", line, err);
        free(err);
    }
    free(list);
}
END_TEST

SUITE(commands)
{
    TCase *tc = suite_case(suite, "commands");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_loop_test(tc, exit_status_and_words_fit_the_arguments, 0, (int)LENGTH(CASES));
    tcase_add_loop_test(tc, the_job_of_a_catalog_entry_is_meant, 0, 3);
    tcase_add_test(tc, simulate_prints_motion_events_and_evidence);
    tcase_add_test(tc, simulate_writes_the_format_of_the_name);
    tcase_add_test(tc, a_motion_that_leaves_the_numbers_is_a_failure_with_what_was_computed);
    tcase_add_test(tc, simulate_runs_an_ensemble_alike_on_any_number_of_threads);
    tcase_add_test(tc, simulate_writes_the_summary_in_the_format_of_the_name);
    tcase_add_loop_test(tc, members_fail_alone_unless_they_are_to_stop_all, 0,
                        (int)LENGTH(FAILURES));
    tcase_add_test(tc, a_bar_shows_how_far_and_how_long);
    tcase_add_loop_test(tc, mistakes_are_told_with_a_caret_under_their_place, 0,
                        (int)LENGTH(MISTAKES));
    tcase_add_test(tc, a_mistake_in_a_long_text_is_shown_with_its_surroundings);
    tcase_add_test(tc, a_problem_document_tells_the_mistakes_to_a_program);
    tcase_add_test(tc, every_catalog_job_passes_the_check);
}
