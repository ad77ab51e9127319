/* dalembert tenants: makes and lists tenants, and sets their quotas and retention. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/json/writer.h"
#include "core/base/number.h"
#include "server/command/admin.h"
#include "server/command/args.h"
#include "server/command/commands.h"
#include "server/notify/signature.h"

static const char USAGE[] =
    "usage: dalembert tenants create NAME [QUOTAS] [RETENTION] [WHERE]\n"
    "       dalembert tenants set NAME [QUOTAS] [RETENTION] [WHERE]\n"
    "       dalembert tenants list [WHERE]\n"
    "       dalembert tenants secret NAME --webhook-secret-file FILE\n"
    "\n"
    "Tenants share a service without seeing each other's jobs and models. A key opens those of "
    "one\n"
    "tenant: `dalembert keys create --tenant NAME`. The tenant `default` exists from the start.\n"
    "\n"
    "QUOTAS, each a number from 1 on or `none`; those that are not given stay as they are:\n"
    "--queued N      jobs that wait; more are refused\n"
    "--running N     jobs and ranges of ensembles that run at once; others wait\n"
    "--bytes N       bytes of stored rows; from then on jobs are refused\n"
    "\n"
    "RETENTION, each a number or `none`; those that are not given stay as they are:\n"
    "--keep SECONDS  jobs that succeeded or were cancelled are deleted so long after their end; "
    "0:\n"
    "                for ever; none: as `serve --keep` says\n"
    "--keep-failed SECONDS\n"
    "                the same for failed jobs; none: as `serve --keep-failed` says\n"
    "--keep-bytes N  bytes of stored rows; beyond them the oldest finished jobs are deleted; "
    "none:\n"
    "                any number. `serve --keep-bytes` bounds the data of all tenants\n"
    "\n"
    "`secret` prints the secret that signs the webhooks of this tenant, made of that of the "
    "service.\n"
    "\n" ADMIN_USAGE;

enum { QUOTAS = 3, KEEPS = 3 };
static const char *const QUOTA_NAMES[QUOTAS] = {"queued", "running", "bytes"};
static const char *const KEEP_NAMES[KEEPS] = {"keep", "keep_failed", "keep_bytes"};

typedef struct TenantsCommand {
    const char *quotas[QUOTAS], *keeps[KEEPS]; /* NULL: not given */
    const char *secret_file;
    const char *verb, *name;
    AdminPlace place;
} TenantsCommand;

/* A number is written as it is; the handler refuses other texts. */
static void write_number(JsonWriter *writer, const char *name, const char *text)
{
    const size_t length = strlen(text);
    double number;
    if (strcmp(text, "none") == 0)
        json_member_raw(writer, name, NULL);
    else if (length > 0 && number_parse(text, length, &number) == length)
        json_member_number(writer, name, number);
    else
        json_member_string(writer, name, text);
}

/* An object of the numbers that are given. */
static void write_numbers(JsonWriter *writer, const char *name, const char *const *names,
                          const char *const *texts, size_t n)
{
    json_member_object(writer, name);
    for (size_t k = 0; k < n; k++)
        if (texts[k])
            write_number(writer, names[k], texts[k]);
    json_close_object(writer);
}

static void write_body(const TenantsCommand *command, bool with_name, Text *out)
{
    JsonWriter writer;
    json_writer_init(&writer, out);
    json_open_object(&writer);
    if (with_name)
        json_member_string(&writer, "name", command->name);
    write_numbers(&writer, "quotas", QUOTA_NAMES, command->quotas, QUOTAS);
    write_numbers(&writer, "retention", KEEP_NAMES, command->keeps, KEEPS);
    json_close_object(&writer);
}

/* The request of the verb; false: there is no such verb, or NAME is missing. */
static bool make_request(const TenantsCommand *command, Arena *arena, AdminRequest *ret_request)
{
    *ret_request = (AdminRequest){.command = "tenants", .name = command->name, .body = TEXT_INIT};
    if (strcmp(command->verb, "create") == 0 && command->name) {
        ret_request->method = "POST";
        ret_request->path = "/v1/tenants";
        ret_request->handler = tenants_create;
        ret_request->makes_store = true;
        write_body(command, true, &ret_request->body);
    } else if (strcmp(command->verb, "set") == 0 && command->name) {
        ret_request->method = "PATCH";
        ret_request->path = arena_printf(arena, "/v1/tenants/%s", command->name);
        ret_request->handler = tenants_change;
        write_body(command, false, &ret_request->body);
    } else if (strcmp(command->verb, "list") == 0 && !command->name) {
        ret_request->method = "GET";
        ret_request->path = "/v1/tenants";
        ret_request->handler = tenants_list;
    }
    return ret_request->path != NULL;
}

static int print_secret(const TenantsCommand *command)
{
    Secrets secrets;
    Error err = {0};
    Text text = TEXT_INIT;
    if (secrets_read(command->secret_file, &secrets, &err) != OK)
        return admin_complain("tenants", err.message);
    secrets_of_tenant(&secrets, command->name, &secrets);
    secrets_write(&secrets, &text);
    fputs(text_string(&text), stdout);
    text_done(&text);
    return EXIT_SUCCESS;
}

int command_tenants(int argc, char **argv)
{
    TenantsCommand command = {0};
    const char *plain[2];
    const CommandOption options[] = {ADMIN_OPTIONS(command.place),
                                     {"--queued", NULL, &command.quotas[0], NULL},
                                     {"--running", NULL, &command.quotas[1], NULL},
                                     {"--bytes", NULL, &command.quotas[2], NULL},
                                     {"--keep", NULL, &command.keeps[0], NULL},
                                     {"--keep-failed", NULL, &command.keeps[1], NULL},
                                     {"--keep-bytes", NULL, &command.keeps[2], NULL},
                                     {"--webhook-secret-file", NULL, &command.secret_file, NULL}};
    const CommandUsage usage = {"tenants", USAGE, options, sizeof options / sizeof *options, 1, 2};
    AdminRequest request;
    Arena arena = {0};
    /* read the arguments; a secret needs no store */
    int code = command_args(argc, argv, &usage, plain);
    if (code != COMMAND_GOES_ON)
        return code;
    command.verb = plain[0];
    command.name = plain[1];
    if (strcmp(command.verb, "secret") == 0 && command.name && command.secret_file)
        return print_secret(&command);
    /* the same request goes to a directory or to a service */
    if (make_request(&command, &arena, &request)) {
        code = admin_run(&command.place, &request, &arena);
    } else {
        fprintf(stderr, "dalembert tenants: say create NAME, set NAME, list, or secret NAME with "
                        "--webhook-secret-file\n"
                        "Try `dalembert tenants --help`.\n");
        code = EXIT_USAGE;
    }
    text_done(&request.body);
    arena_done(&arena);
    return code;
}
