/* A store that commands copy: jobs with known rows, and the commands, each in a child. */
#ifndef TESTS_SERVER_COPIES_H
#define TESTS_SERVER_COPIES_H

#include <stdbool.h>

#include "tests/db/fixture.h"

enum { PATH_SIZE = 120, ARGUMENTS_MAX = 8, JOBS = 6, ROWS = 4000, COLUMNS = 8 };

/* Between copies_init() and copies_done(). */
extern Fixture f;            /* its store is closed while a command runs */
extern char said[PATH_SIZE]; /* the file with the words of the last command */
extern JobRecord jobs[JOBS]; /* with ROWS rows each, but the last, which waits */

void copies_init(void); /* the store is closed */
void copies_done(void); /* removes the directory and the file */
void close_store(void);

double value_of(int job, int row, int column);
/* Every job is there with the bytes that it had. */
void check_store(const char *directory);

/* The two texts joined; overwritten by the fourth call after this one. */
const char *below(const char *directory, const char *name);
bool exists(const char *path);
const char *text_of(const char *path); /* of a file; overwritten by the next call */
#define ck_says(text) \
    ck_assert_msg(strstr(text_of(said), text) != NULL, "no \"%s\" in: %s", text, text_of(said))

/* A command with its arguments, ended by NULL. */
typedef struct Run {
    int (*command)(int argc, char **argv);
    const char *arguments[ARGUMENTS_MAX];
} Run;

int run_body(void *argument); /* of a Run, in this process; the exit status */
int run(Run run);             /* in a child; the exit status */

/* Kills the command at about 12 steps, evenly over all of them but for the last ones, when the copy
 * gets its name; at each step with POINTS=all. After each kill look(self) is called, which may run
 * the command again and removes the copy. Returns the number of kills; the command then came to its
 * end. */
int kill_at_steps(Run run, void (*look)(void *self), void *self);

#endif
