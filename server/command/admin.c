/* Requests of administrators, answered in a data directory that no daemon uses or over HTTP. Either
 * way the same handlers do it, and the answer of the interface is printed. */
#include "server/command/admin.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/net/curl.h"
#include "server/command/args.h"
#include "server/data_directory.h"

enum { ANSWER_SECONDS = 30, BODY_MAX = 16 << 20 };

int admin_complain(const char *command, const char *what)
{
    fprintf(stderr, "dalembert %s: %s\n", command, what);
    return EXIT_JOB_FAILED;
}

static void nobody_waits(void *self)
{
    (void)self;
}

static void print_mistakes(const char *command, const Diagnostics *diag)
{
    for (size_t k = 0; diag && k < diag->count; k++)
        fprintf(stderr, "dalembert %s: %s: %s\n", command, diag->items[k].pointer,
                diag->items[k].message);
}

static void print_answer(const AdminRequest *request, const Text *body)
{
    if (body->length)
        printf("%s%s", text_string(body), body->data[body->length - 1] == '\n' ? "" : "\n");
    else
        printf("%s\n", request->done);
}

/* The handler, on a store that is opened for it. */
static int run_here(const AdminRequest *request, Store *store, Arena *arena)
{
    const KeyringOptions options = {0};
    const ApiContext context = {.store = default_tenant(store),
                                .keyring = keyring_new(&options),
                                .host = {.keys_changed = nobody_waits}};
    const ApiParameter limit = {"limit", "500", "500"};
    ApiRequest req = {.method = request->method,
                      .target = request->path,
                      .body = request->body.data,
                      .body_size = request->body.length,
                      .arena = arena,
                      .params = {request->name},
                      .query = {limit},
                      .n_query = 1};
    ApiResponse res;
    Error err = {0};
    api_response_init(&res);
    /* run the handler, and print its answer or its mistakes */
    const Status status = context.keyring ? request->handler(&context, &req, &res, &err)
                                          : error_set(&err, ERR_NO_MEMORY, "out of memory");
    if (status == OK)
        print_answer(request, &res.body);
    else if (res.diag && res.diag->count)
        print_mistakes(request->command, res.diag);
    else
        (void)admin_complain(request->command, err.message);
    api_response_done(&res);
    keyring_free(context.keyring);
    return status == OK ? EXIT_SUCCESS : EXIT_JOB_FAILED;
}

/* Added to the reason why a store cannot be opened. */
static const char *mend_of(Status status)
{
    return status == ERR_CONFLICT    ? "; give its --url and a --key-file"
           : status == ERR_NOT_FOUND ? "; give the directory of `dalembert serve` by --data"
                                     : "";
}

static int run_in_directory(const AdminPlace *place, const AdminRequest *request, Arena *arena)
{
    Config config = {0};
    Store *store = NULL;
    Error err = {0};
    int code = EXIT_JOB_FAILED;
    Status status = data_directory_find(place->data, &config, &err);
    /* open the store */
    if (status == OK) {
        StoreOptions options = data_directory_options(&config);
        options.existing = !request->makes_store;
        options.purpose = STORE_ADMINISTER;
        status = store_open(&options, &store, &err);
    }
    if (status == OK && store_opening(store)->created)
        fprintf(stderr, "dalembert %s: made a new store in '%s'\n", request->command,
                config.store.data);
    if (status == OK)
        code = run_here(request, store, arena);
    else
        fprintf(stderr, "dalembert %s: %s%s\n", request->command, err.message, mend_of(status));
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
static long send_request(const Curl *curl, const AdminRequest *request, const char *url,
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

static int run_at_url(const AdminPlace *place, const AdminRequest *request, Arena *arena)
{
    const Curl *curl = NULL;
    struct curl_slist *headers = NULL;
    Text answer = TEXT_INIT;
    Error err = {0};
    long status = 0;
    const size_t length = strlen(place->url);
    const bool slash = length && place->url[length - 1] == '/';
    const char *url =
        arena_printf(arena, "%.*s%s", (int)(length - slash), place->url, request->path);
    /* send the request, if the key can be read */
    const char *key = read_authorization(place->key_file, arena, &err);
    if (key && url && curl_load(&curl, &err) == OK) {
        headers = curl->slist_append(NULL, key);
        headers = curl->slist_append(headers, "Content-Type: application/json");
        status = send_request(curl, request, url, headers, &answer, &err);
        curl->slist_free_all(headers);
    }
    /* print the answer, or the reason why there is none */
    const bool good = status >= 200 && status < 300;
    if (good)
        print_answer(request, &answer);
    else if (answer.length)
        fputs(text_string(&answer), stderr);
    else
        (void)admin_complain(request->command, err.message);
    text_done(&answer);
    return good ? EXIT_SUCCESS : EXIT_JOB_FAILED;
}

int admin_run(const AdminPlace *place, const AdminRequest *request, Arena *arena)
{
    if (!place->url != !place->key_file || (place->url && place->data)) {
        fprintf(stderr, "dalembert %s: give --data, or --url together with --key-file\n",
                request->command);
        return EXIT_USAGE;
    }
    return place->url ? run_at_url(place, request, arena) : run_in_directory(place, request, arena);
}
