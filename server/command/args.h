/* Arguments of the subcommands: options with a value, and files. */
#ifndef SERVER_COMMAND_ARGS_H
#define SERVER_COMMAND_ARGS_H

#include <stdbool.h>
#include <stddef.h>

enum { EXIT_JOB_FAILED = 1, EXIT_USAGE = 2, COMMAND_GOES_ON = -1 };

/* Written --name VALUE, --name=VALUE or -l VALUE; a switch is --name alone. */
typedef struct CommandOption {
    const char *name;   /* "--format" */
    const char *letter; /* "-o", or NULL */
    const char **value; /* written if the option is given; NULL: a switch */
    bool *is_on;        /* of a switch */
} CommandOption;

typedef struct CommandUsage {
    const char *name; /* of the subcommand */
    const char *text; /* printed by --help; complaints contain its first paragraph */
    const CommandOption *options;
    size_t n_options;
    size_t least, most; /* plain arguments; "-" is one */
} CommandUsage;

/* COMMAND_GOES_ON with *ret_plain[most] written (NULL: not given), or the exit status: 0 after
 * --help, EXIT_USAGE after a complaint. Arguments are those after the command's name. */
int command_args(int argc, char **argv, const CommandUsage *usage, const char **ret_plain);

#endif
