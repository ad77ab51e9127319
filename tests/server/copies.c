/* A store that commands copy, and the commands that are killed. */
#include "tests/server/copies.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/db/killing.h"

Fixture f;
char said[PATH_SIZE];
JobRecord jobs[JOBS];

const char *below(const char *directory, const char *name)
{
    static char paths[4][2 * PATH_SIZE];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, 2 * PATH_SIZE, "%s%s", directory, name);
    return path;
}

double value_of(int job, int row, int column)
{
    return column ? 1000.0 * job + row + 0.1 * column : row;
}

static void fill_store(void)
{
    static double rows[ROWS][COLUMNS];
    for (int k = 0; k < JOBS; k++) {
        jobs[k] = add_job(&f, "{\"a\":1}");
        if (k == JOBS - 1)
            break;
        const JobLease lease = claim_job(&f);
        for (int i = 0; i < ROWS; i++)
            for (int c = 0; c < COLUMNS; c++)
                rows[i][c] = value_of(k, i, c);
        ck_ok(store_result_begin(f.store, lease.job.id, lease.token, "[]", NULL, err));
        ck_ok(
            store_result_append(f.store, lease.job.id, lease.token, -1, *rows, ROWS, COLUMNS, err));
        finish_job(&f, &lease, JOB_SUCCEEDED);
    }
}

void close_store(void)
{
    store_close(f.store);
    f.store = NULL;
}

void copies_init(void)
{
    fixture_init(&f);
    snprintf(said, sizeof said, "%s-said", f.directory);
    fill_store();
    close_store();
}

void copies_done(void)
{
    fixture_done(&f);
    unlink(said);
}

int run_body(void *argument)
{
    const Run *run = argument;
    char *argv[ARGUMENTS_MAX];
    int argc = 0;
    for (; run->arguments[argc]; argc++)
        argv[argc] = strdup(run->arguments[argc]);
    const int out = open(said, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(out, STDOUT_FILENO);
    dup2(out, STDERR_FILENO);
    const int code = run->command(argc, argv);
    fflush(NULL);
    while (argc > 0)
        free(argv[--argc]);
    return code;
}

int run(Run run)
{
    int code = -1, steps;
    ck_assert(!killed_at(&(Killing){.body = run_body, .argument = &run}, 0, &code, &steps));
    return code;
}

const char *text_of(const char *path)
{
    static char text[4096];
    FILE *file = fopen(path, "rb");
    ck_assert_msg(file != NULL, "there is no %s", path);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

bool exists(const char *path)
{
    return access(path, F_OK) == 0;
}

void check_store(const char *directory)
{
    const StoreOptions options = {.directory = directory};
    Store *store;
    ck_ok(store_open(&options, &store, err));
    for (int k = 0; k < JOBS; k++) {
        JobRecord job;
        const char *request;
        size_t size;
        ck_ok(store_job_get(default_tenant(store), jobs[k].id, f.arena, &job, err));
        ck_ok(store_job_request(default_tenant(store), jobs[k].id, f.arena, &request, &size, err));
        ck_assert_str_eq(request, "{\"a\":1}");
        ck_assert_int_eq(job.state, k < JOBS - 1 ? JOB_SUCCEEDED : JOB_QUEUED);
        ck_assert_uint_eq(job.rows, k < JOBS - 1 ? ROWS : 0);
        for (uint64_t row = 0; row < job.rows;) {
            ResultBlock block;
            ck_ok(store_result_block(default_tenant(store), job.id, -1, row, f.arena, &block, err));
            for (uint64_t i = 0; i < block.n_rows; i++)
                for (int c = 0; c < COLUMNS; c++)
                    ck_assert_double_eq(block.rows[i * COLUMNS + (size_t)c],
                                        value_of(k, (int)(row + i), c));
            row += block.n_rows;
        }
        arena_reset(f.arena);
    }
    store_close(store);
}

enum { KILLS = 12, LAST_STEPS = 7 };

static int step_after(int n, int steps)
{
    return getenv("POINTS") || steps <= KILLS || n >= steps - LAST_STEPS ? n + 1
           : n + steps / KILLS > steps - LAST_STEPS                      ? steps - LAST_STEPS
                                                                         : n + steps / KILLS;
}

int kill_at_steps(Run run, void (*look)(void *self), void *self)
{
    Killing killing = {.body = run_body, .argument = &run};
    int steps, code, all, killed = 0;
    /* count the steps of a whole run */
    ck_assert(!killed_at(&killing, 0, &code, &all));
    ck_assert_int_eq(code, 0);
    look(self);
    /* kill the command at some of them, every second time within a write */
    for (int n = 1; killed_at(&killing, n, &code, &steps); n = step_after(n, all), killed++) {
        killing.in_the_middle = !killing.in_the_middle;
        look(self);
    }
    ck_assert_int_eq(code, 0);
    return killed;
}
