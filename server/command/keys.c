/* dalembert keys: makes, lists and revokes keys. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/json/writer.h"
#include "server/command/admin.h"
#include "server/command/args.h"
#include "server/command/commands.h"

static const char USAGE[] =
    "usage: dalembert keys token\n"
    "       dalembert keys create NAME [--tenant NAME] [--scopes LIST] [--expires TIME] [WHERE]\n"
    "       dalembert keys list [WHERE]\n"
    "       dalembert keys revoke ID [WHERE]\n"
    "\n"
    "Keys say who may use a service that runs with --auth keys. `create` prints the key with its\n"
    "token, which a client sends as `Authorization: Bearer TOKEN`; nobody can read it again. "
    "`list`\n"
    "prints up to 500 keys, newest first. `revoke` ends a key at once. `token` prints a new token\n"
    "for serve --first-key-file.\n"
    "\n"
    "--tenant NAME   whose jobs and models the key opens (default: default)\n"
    "--scopes LIST   what the key allows, comma separated: read, write, metrics, admin\n"
    "                (default read,write)\n"
    "--expires TIME  when it ends, such as 2027-01-31T12:00:00Z (default: never)\n"
    "\n" ADMIN_USAGE;

typedef struct KeysCommand {
    const char *tenant, *scopes, *expires; /* NULL: not given */
    const char *verb, *name;
    AdminPlace place;
} KeysCommand;

/* The list of --scopes as an array; unknown names are told by whoever reads it. */
static void write_scopes(JsonWriter *writer, const char *list)
{
    char name[SCOPES_TEXT_MAX];
    json_member_array(writer, "scopes");
    while (*list) {
        const size_t length = strcspn(list, ",");
        snprintf(name, sizeof name, "%.*s", (int)length, list);
        json_put_string(writer, name);
        list += length;
        list += *list == ',';
    }
    json_close_array(writer);
}

static void write_body(const KeysCommand *command, Text *out)
{
    JsonWriter writer;
    json_writer_init(&writer, out);
    json_open_object(&writer);
    json_member_string(&writer, "name", command->name);
    if (command->tenant)
        json_member_string(&writer, "tenant", command->tenant);
    if (command->scopes)
        write_scopes(&writer, command->scopes);
    if (command->expires)
        json_member_string(&writer, "expires", command->expires);
    json_close_object(&writer);
}

/* The request of the verb; false: there is no such verb, or NAME or ID is missing. */
static bool make_request(const KeysCommand *command, Arena *arena, AdminRequest *ret_request)
{
    const bool create = strcmp(command->verb, "create") == 0;
    *ret_request = (AdminRequest){.command = "keys", .name = command->name, .body = TEXT_INIT};
    if (create && command->name) {
        ret_request->method = "POST";
        ret_request->path = "/v1/keys";
        ret_request->handler = keys_create;
        ret_request->makes_store = true;
        write_body(command, &ret_request->body);
    } else if (strcmp(command->verb, "list") == 0 && !command->name) {
        ret_request->method = "GET";
        ret_request->path = "/v1/keys?limit=500";
        ret_request->handler = keys_list;
    } else if (strcmp(command->verb, "revoke") == 0 && command->name) {
        ret_request->method = "DELETE";
        ret_request->path = arena_printf(arena, "/v1/keys/%s", command->name);
        ret_request->done = arena_printf(arena, "the key %s is revoked", command->name);
        ret_request->handler = keys_revoke;
    }
    return ret_request->path != NULL;
}

static int print_token(void)
{
    char token[TOKEN_MAX];
    Error err = {0};
    if (token_make(token, &err) != OK)
        return admin_complain("keys", err.message);
    puts(token);
    return EXIT_SUCCESS;
}

int command_keys(int argc, char **argv)
{
    KeysCommand command = {0};
    const char *plain[2];
    const CommandOption options[] = {ADMIN_OPTIONS(command.place),
                                     {"--tenant", NULL, &command.tenant, NULL},
                                     {"--scopes", NULL, &command.scopes, NULL},
                                     {"--expires", NULL, &command.expires, NULL}};
    const CommandUsage usage = {"keys", USAGE, options, sizeof options / sizeof *options, 1, 2};
    AdminRequest request;
    Arena arena = {0};
    /* read the arguments; a token needs no store */
    int code = command_args(argc, argv, &usage, plain);
    if (code != COMMAND_GOES_ON)
        return code;
    command.verb = plain[0];
    command.name = plain[1];
    if (strcmp(command.verb, "token") == 0 && !command.name)
        return print_token();
    /* the same request goes to a directory or to a service */
    if (!make_request(&command, &arena, &request)) {
        fprintf(stderr, "dalembert keys: say token, create NAME, list or revoke ID\n"
                        "Try `dalembert keys --help`.\n");
        code = EXIT_USAGE;
    } else {
        code = admin_run(&command.place, &request, &arena);
    }
    text_done(&request.body);
    arena_done(&arena);
    return code;
}
