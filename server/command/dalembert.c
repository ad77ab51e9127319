/* The program: finds the subcommand in one table and hands the other arguments to it. */
#include <stdio.h>
#include <string.h>

#include "core/base/diagnostics.h"
#include "server/command/commands.h"

typedef struct Command {
    const char *name;
    int (*run)(int argc, char **argv); /* gets the arguments after the name */
    const char *help;
} Command;

static const Command COMMANDS[] = {
    {"serve", command_serve, "run the daemon"},
    {"simulate", command_simulate, "run a job file in this process"},
    {"check", command_check, "find the mistakes of a model or job file"},
    {"equations", command_equations, "print the equations of motion of a model file"},
    {"catalog", command_catalog, "list the built-in systems, or print one as a job"},
    {"selftest", command_selftest, "check that this machine computes the expected numbers"},
    {"doctor", command_doctor, "look for what can stop a service on this machine"},
    {"verify", command_verify, "read a whole data directory and report damage"},
    {"backup", command_backup, "copy a data directory, also while a daemon uses it"},
    {"restore", command_restore, "make a data directory from a backup"},
    {"export", command_export, "write all data as lines of JSON, also beside a daemon"},
    {"import", command_import, "make a data directory from an export"},
    {"keys", command_keys, "make, list and revoke the keys of clients"},
    {"tenants", command_tenants, "make and list tenants, and set their quotas"},
    {"healthcheck", command_healthcheck, "ask a running daemon whether it is ready"},
};

enum { N_COMMANDS = sizeof COMMANDS / sizeof COMMANDS[0] };

static void print_usage(FILE *out)
{
    fputs("usage: dalembert COMMAND [ARGUMENTS]\n\ncommands:\n", out);
    for (size_t i = 0; i < N_COMMANDS; i++)
        fprintf(out, "  %-12s %s\n", COMMANDS[i].name, COMMANDS[i].help);
    fputs("\n`dalembert COMMAND --help` tells more; `dalembert --version` prints the version.\n",
          out);
}

static int unknown_command(const char *name)
{
    const char *names[N_COMMANDS];
    for (size_t i = 0; i < N_COMMANDS; i++)
        names[i] = COMMANDS[i].name;
    const char *near = nearest_name(name, strlen(name), names, N_COMMANDS);
    fprintf(stderr, "dalembert: unknown command \"%s\"", name);
    if (near)
        fprintf(stderr, "; did you mean \"%s\"?", near);
    fputs("\nTry `dalembert --help`.\n", stderr);
    return 2;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        print_usage(stderr);
        return 2;
    }
    /* help and version */
    const char *name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0) {
        print_usage(stdout);
        return 0;
    }
    if (strcmp(name, "--version") == 0 || strcmp(name, "version") == 0) {
        puts("dalembert " DALEMBERT_VERSION);
        return 0;
    }
    /* run the subcommand */
    for (size_t i = 0; i < N_COMMANDS; i++)
        if (strcmp(COMMANDS[i].name, name) == 0)
            return COMMANDS[i].run(argc - 2, argv + 2);
    return unknown_command(name);
}
