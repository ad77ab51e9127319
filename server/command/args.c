/* The arguments of a subcommand: options by long name or letter and plain arguments, checked
 * against a table; help and complaints. */
#include "server/command/args.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Adds only the first paragraph of the help; all of the help would hide the complaint. */
static int args_complain(const CommandUsage *usage, const char *what, const char *argument)
{
    const char *end = strstr(usage->text, "\n\n");
    const size_t shown = end ? (size_t)(end - usage->text) : strlen(usage->text);

    fprintf(stderr, "dalembert %s: %s%s%s\n%.*s\nTry `dalembert %s --help`.\n", usage->name, what,
            argument ? ": " : "", argument ? argument : "", (int)shown, usage->text, usage->name);
    return EXIT_USAGE;
}

/* Whether argument *i is the option. Its value may be the next argument; then *i moves on.
 * *ret_value is NULL if the value is missing. */
static bool is_option(const CommandOption *option, int argc, char **argv, int *i,
                      const char **ret_value)
{
    size_t length = strlen(option->name);

    if (option->value && strncmp(argv[*i], option->name, length) == 0 && argv[*i][length] == '=') {
        *ret_value = argv[*i] + length + 1;
        return true;
    }
    if (strcmp(argv[*i], option->name) != 0 &&
        !(option->letter && strcmp(argv[*i], option->letter) == 0))
        return false;
    if (option->value)
        *ret_value = *i + 1 < argc ? argv[++*i] : NULL;
    return true;
}

static const CommandOption *find_option(const CommandUsage *usage, int argc, char **argv, int *i,
                                        const char **ret_value)
{
    for (size_t k = 0; k < usage->n_options; k++)
        if (is_option(&usage->options[k], argc, argv, i, ret_value))
            return &usage->options[k];
    return NULL;
}

int command_args(int argc, char **argv, const CommandUsage *usage, const char **ret_plain)
{
    size_t n = 0;

    for (size_t k = 0; k < usage->most; k++)
        ret_plain[k] = NULL;
    for (int i = 0; i < argc; i++) {
        const char *argument = argv[i], *value = NULL;
        if (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0) {
            fputs(usage->text, stdout);
            return EXIT_SUCCESS;
        }
        /* an option with its value, or a plain argument */
        const CommandOption *option = find_option(usage, argc, argv, &i, &value);
        if (option && !option->value)
            *option->is_on = true;
        else if (option && !value)
            return args_complain(usage, "an option without its value", argument);
        else if (option)
            *option->value = value;
        else if (argument[0] == '-' && argument[1] != '\0')
            return args_complain(usage, "unknown option", argument);
        else if (n == usage->most)
            return args_complain(usage, "one argument too many", argument);
        else
            ret_plain[n++] = argument;
    }
    return n < usage->least ? args_complain(usage, "a file is missing", NULL) : COMMAND_GOES_ON;
}
