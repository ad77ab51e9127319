/* Keys: which Authorization headers open a service.
 *
 * An input is the values of Authorization headers, one a line; {token} stands for the token of the
 * only key. The request is admitted if and only if there is one header, of the scheme Bearer, with
 * exactly this token. Every refusal is one answer: a problem document that tells nothing. */
#include <string.h>
#include <strings.h>

#include "api/api.h"
#include "tests/fuzz/fuzz.h"

enum { HEADERS_MOST = 8, VALUE_MOST = 400, ARENA_BYTES = 1 << 20 };

static ApiContext context;
static char token[TOKEN_MAX];
static double now = 1e6;

static int64_t now_ms(void)
{
    return 1000;
}

static double seconds(void)
{
    return now;
}

static void ignore_refusal(void *self, const char *client, bool with_token)
{
    (void)self;
    (void)client;
    (void)with_token;
}

static ApiHostState serving(void *self)
{
    (void)self;
    return API_HOST_SERVING;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    static const char *const NAMES[] = {"localhost"};
    const unsigned char bytes[32] = {1, 2, 3};
    const KeyringOptions options = {.now_ms = now_ms, .seconds = seconds};
    KeyRecord key = {.id = "01234567-89ab-7def-8123-456789abcdef", .scopes = "read", .tenant = 1};
    token_format(bytes, token);
    const Hash hash = token_hash(token);
    hash_format(&hash, key.hash);
    context = (ApiContext){.keyring = keyring_new(&options),
                           .host = {.state = serving, .unauthorized = ignore_refusal},
                           .hosts = {.names = NAMES, .n_names = 1}};
    REQUIRE(context.keyring && keyring_add(context.keyring, &key, NULL) == OK, "no keyring");
    return 0;
}

/* The line with {token} replaced. */
static void read_value(const char *line, size_t length, char *ret_value)
{
    const char *place = strstr(line, "{token}");
    if (place && (size_t)(place - line) + 7 <= length)
        snprintf(ret_value, VALUE_MOST, "%.*s%s%.*s", (int)(place - line), line, token,
                 (int)(length - 7 - (size_t)(place - line)), place + 7);
    else
        snprintf(ret_value, VALUE_MOST, "%.*s", (int)length, line);
}

static bool opens(const char *value)
{
    return strncasecmp(value, "bearer ", 7) == 0 &&
           strcmp(value + 7 + strspn(value + 7, " "), token) == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char values[HEADERS_MOST][VALUE_MOST];
    ApiPair headers[HEADERS_MOST + 1] = {{"Host", "localhost"}};
    size_t n = 0;
    char *text = fuzz_string(data, size);
    for (const char *line = text; *line && n < HEADERS_MOST;) {
        const size_t length = strcspn(line, "\n");
        read_value(line, length, values[n]);
        headers[n + 1] = (ApiPair){"Authorization", values[n]};
        n++;
        line += length;
        line += *line == '\n';
    }
    ApiRequest req = {.method = "GET",
                      .target = "/v1/jobs",
                      .client = "192.0.2.1",
                      .headers = headers,
                      .n_headers = n + 1,
                      .arena = arena_new(ARENA_BYTES)};
    ApiResponse res;
    api_response_init(&res);
    now += 60; /* no refusal counts against the next input */
    const bool admitted = api_admit(&context, &req, 0, &res);
    REQUIRE(admitted == (n == 1 && opens(values[0])), "%zu headers, the first '%s'", n,
            n ? values[0] : "");
    if (!admitted) {
        REQUIRE(res.status == 401, "status %d", res.status);
        require_json(text_string(&res.body), res.body.length, "the refusal");
        REQUIRE(!strstr(text_string(&res.body), "dlmb_"), "a refusal tells a token");
    }
    api_response_done(&res);
    arena_free(req.arena);
    free(text);
    return 0;
}
