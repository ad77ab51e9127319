/* dalembert keys: makes, lists and revokes keys, in a data directory that no daemon uses or over
 * HTTP. Either way the same handlers do it, and the answer of the interface is printed. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/curl.h"
#include "api/json/writer.h"
#include "api/routes/routes.h"
#include "server/command/args.h"
#include "server/command/commands.h"
#include "server/config.h"
#include "server/keys.h"

enum { ANSWER_SECONDS = 30, BODY_MAX = 16 << 20 };

static const char USAGE[] =
    "usage: dalembert keys token\n"
    "       dalembert keys create NAME [--scopes LIST] [--expires TIME] [WHERE]\n"
    "       dalembert keys list [WHERE]\n"
    "       dalembert keys revoke ID [WHERE]\n"
    "\n"
    "Keys say who may use a service that runs with --auth keys. `create` prints the key with its\n"
    "token, which a client sends as `Authorization: Bearer TOKEN`; nobody can read it again. "
    "`list`\n"
    "prints up to 500 keys, newest first. `revoke` ends a key at once. `token` prints a new token\n"
    "for serve --first-key-file.\n"
    "\n"
    "--scopes LIST   what the key allows, comma separated: read, write, metrics, admin\n"
    "                (default read,write)\n"
    "--expires TIME  when it ends, such as 2027-01-31T12:00:00Z (default: never)\n"
    "\n"
    "WHERE is a data directory that no daemon uses, or a running service:\n"
    "--data DIR      the directory; without it that of `dalembert serve` with the same "
    "environment\n"
    "                (DALEMBERT_DATA, DALEMBERT_CONFIG)\n"
    "--url URL --key-file FILE\n"
    "                the service, and a file with the token of a key with the scope admin\n"
    "\n"
    "Exit status 0, or 1 with the reason on standard error.\n";

typedef struct KeysCommand {
    const char *data, *url, *key_file, *scopes, *expires; /* NULL: not given */
    const char *verb, *name;
} KeysCommand;

/* The same request for the handler here and for the service at a URL. */
typedef struct KeysRequest {
    const char *method, *path;
    ApiHandler handler;
    Text body; /* empty: none */
} KeysRequest;

static int complain(const char *what)
{
    fprintf(stderr, "dalembert keys: %s\n", what);
    return EXIT_JOB_FAILED;
}

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
    if (command->scopes)
        write_scopes(&writer, command->scopes);
    if (command->expires)
        json_member_string(&writer, "expires", command->expires);
    json_close_object(&writer);
}

/* What the verb asks of the interface; false: there is no such verb, or NAME or ID is missing. */
static bool make_request(const KeysCommand *command, Arena *arena, KeysRequest *ret_request)
{
    const bool create = strcmp(command->verb, "create") == 0;
    *ret_request = (KeysRequest){.body = TEXT_INIT};
    if (create && command->name) {
        *ret_request = (KeysRequest){"POST", "/v1/keys", keys_create, TEXT_INIT};
        write_body(command, &ret_request->body);
    } else if (strcmp(command->verb, "list") == 0 && !command->name) {
        *ret_request = (KeysRequest){"GET", "/v1/keys?limit=500", keys_list, TEXT_INIT};
    } else if (strcmp(command->verb, "revoke") == 0 && command->name) {
        const char *path = arena_printf(arena, "/v1/keys/%s", command->name);
        *ret_request = (KeysRequest){"DELETE", path, keys_revoke, TEXT_INIT};
    }
    return ret_request->path != NULL;
}

static int print_token(void)
{
    char token[TOKEN_MAX];
    Error err = {0};
    if (token_make(token, &err) != OK)
        return complain(err.message);
    puts(token);
    return EXIT_SUCCESS;
}

static void nobody_waits(void *self)
{
    (void)self;
}

static void print_mistakes(const Diagnostics *diag)
{
    for (size_t k = 0; diag && k < diag->count; k++)
        fprintf(stderr, "dalembert keys: %s: %s\n", diag->items[k].pointer, diag->items[k].message);
}

/* Only `revoke` has an answer without a body. */
static void print_answer(const KeysCommand *command, const Text *body)
{
    if (body->length)
        printf("%s%s", text_string(body), body->data[body->length - 1] == '\n' ? "" : "\n");
    else
        printf("the key %s is revoked\n", command->name);
}

/* The handler, on a store that is opened for it. */
static int run_here(const KeysCommand *command, const KeysRequest *request, Store *store,
                    Arena *arena)
{
    const KeyringOptions options = {0};
    const ApiContext context = {
        .store = store, .keyring = keyring_new(&options), .host = {.keys_changed = nobody_waits}};
    const ApiParameter limit = {"limit", "500", "500"};
    ApiRequest req = {.method = request->method,
                      .target = request->path,
                      .body = request->body.data,
                      .body_size = request->body.length,
                      .arena = arena,
                      .params = {command->name},
                      .query = {limit},
                      .n_query = 1};
    ApiResponse res;
    Error err = {0};
    api_response_init(&res);
    /* run the handler, and print its answer or its mistakes */
    const Status status = context.keyring ? request->handler(&context, &req, &res, &err)
                                          : error_set(&err, ERR_NO_MEMORY, "out of memory");
    if (status == OK)
        print_answer(command, &res.body);
    else if (res.diag && res.diag->count)
        print_mistakes(res.diag);
    else
        (void)complain(err.message);
    api_response_done(&res);
    keyring_free(context.keyring);
    return status == OK ? EXIT_SUCCESS : EXIT_JOB_FAILED;
}

static int run_in_directory(const KeysCommand *command, const KeysRequest *request, Arena *arena)
{
    Config config = {0};
    ConfigAction action;
    Store *store = NULL;
    Error err = {0};
    int code = EXIT_JOB_FAILED;
    Status status = config_init(&config, &err);
    if (status == OK)
        status = config_load(&config, 0, NULL, &action, &err);
    if (status == OK && command->data)
        status = config_set(&config, "data", command->data, "--data", &err);
    /* open the store */
    if (status == OK) {
        const StoreOptions options = {.directory = config.store.data,
                                      .disk_reserve = config.store.disk_reserve};
        status = store_open(&options, &store, &err);
    }
    if (status == OK)
        code = run_here(command, request, store, arena);
    else
        fprintf(stderr, "dalembert keys: %s%s\n", err.message,
                status == ERR_CONFLICT ? "; give its --url and a --key-file" : "");
    store_close(store);
    config_done(&config);
    return code;
}

/* "Authorization: Bearer " and the token in the file; NULL with *err. */
static const char *read_authorization(const char *path, Arena *arena, Error *err)
{
    char line[200] = "";
    FILE *file = fopen(path, "re");
    if (!file || !fgets(line, sizeof line, file))
        (void)!error_set(err, ERR_IO, "cannot read '%.200s': %s", path,
                         file ? "it is empty" : strerror(errno));
    if (file)
        fclose(file);
    line[strcspn(line, "\r\n")] = '\0';
    return *line ? arena_printf(arena, "Authorization: Bearer %s", line) : NULL;
}

static size_t take_answer(const char *bytes, size_t size, size_t n, void *self)
{
    Text *answer = self;
    text_append(answer, bytes, size * n);
    return text_ok(answer) && answer->length <= BODY_MAX ? size * n : 0;
}

/* Adds the likely cause to failures whose words in libcurl name none. */
static void tell_failure(const Curl *curl, CURLcode code, const char *url, Error *err)
{
    static const char NO_TLS[] = "the port does not speak TLS with this client; the service itself "
                                 "speaks http://, only a proxy before it https://";
    static const char UNTRUSTED[] = "this machine does not trust the certificate of the port";
    static const char CUT[] = "the port cut the connection; a proxy with TLS needs https://";
    const char *cause = code == CURLE_SSL_CONNECT_ERROR                         ? NO_TLS
                        : code == CURLE_PEER_FAILED_VERIFICATION                ? UNTRUSTED
                        : code == CURLE_RECV_ERROR || code == CURLE_GOT_NOTHING ? CUT
                                                                                : NULL;
    (void)!error_set(err, ERR_IO, "%s: %s%s%s%s", url, cause ? cause : "", cause ? " (" : "",
                     curl->easy_strerror(code), cause ? ")" : "");
}

/* Sends the request; the answer's status of HTTP, or 0 with *err. */
static long send_request(const Curl *curl, const KeysRequest *request, const char *url,
                         struct curl_slist *headers, Text *ret_answer, Error *err)
{
    CURL *easy = curl->easy_init();
    long status = 0;
    if (!easy) {
        (void)!error_set(err, ERR_NO_MEMORY, "out of memory");
        return 0;
    }
    curl->easy_setopt(easy, CURLOPT_URL, url);
    curl->easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    curl->easy_setopt(easy, CURLOPT_CUSTOMREQUEST, request->method);
    curl->easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
    curl->easy_setopt(easy, CURLOPT_TIMEOUT, (long)ANSWER_SECONDS);
    curl->easy_setopt(easy, CURLOPT_WRITEFUNCTION, take_answer);
    curl->easy_setopt(easy, CURLOPT_WRITEDATA, ret_answer);
    if (request->body.length)
        curl->easy_setopt(easy, CURLOPT_POSTFIELDS, request->body.data);
    const CURLcode code = curl->easy_perform(easy);
    if (code == CURLE_OK)
        curl->easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
    else
        tell_failure(curl, code, url, err);
    curl->easy_cleanup(easy);
    return status;
}

static int run_at_url(const KeysCommand *command, const KeysRequest *request, Arena *arena)
{
    const Curl *curl = NULL;
    struct curl_slist *headers = NULL;
    Text answer = TEXT_INIT;
    Error err = {0};
    long status = 0;
    const size_t length = strlen(command->url);
    const bool slash = length && command->url[length - 1] == '/';
    const char *url =
        arena_printf(arena, "%.*s%s", (int)(length - slash), command->url, request->path);
    const char *key = read_authorization(command->key_file, arena, &err);
    if (key && url && curl_load(&curl, &err) == OK) {
        headers = curl->slist_append(NULL, key);
        headers = curl->slist_append(headers, "Content-Type: application/json");
        status = send_request(curl, request, url, headers, &answer, &err);
        curl->slist_free_all(headers);
    }
    const bool good = status >= 200 && status < 300;
    if (good)
        print_answer(command, &answer);
    else if (answer.length)
        fputs(text_string(&answer), stderr);
    else
        (void)complain(err.message);
    text_done(&answer);
    return good ? EXIT_SUCCESS : EXIT_JOB_FAILED;
}

int command_keys(int argc, char **argv)
{
    KeysCommand command = {0};
    const char *plain[2];
    const CommandOption options[] = {{"--data", NULL, &command.data, NULL},
                                     {"--url", NULL, &command.url, NULL},
                                     {"--key-file", NULL, &command.key_file, NULL},
                                     {"--scopes", NULL, &command.scopes, NULL},
                                     {"--expires", NULL, &command.expires, NULL}};
    const CommandUsage usage = {"keys", USAGE, options, sizeof options / sizeof *options, 1, 2};
    KeysRequest request;
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
    } else if (!command.url != !command.key_file || (command.url && command.data)) {
        fprintf(stderr, "dalembert keys: give --data, or --url together with --key-file\n");
        code = EXIT_USAGE;
    } else if (command.url) {
        code = run_at_url(&command, &request, &arena);
    } else {
        code = run_in_directory(&command, &request, &arena);
    }
    text_done(&request.body);
    arena_done(&arena);
    return code;
}
