/* The content of a notification, its libcurl options, and the outcome of its call. */
#include "server/notify/call.h"

#include <netinet/in.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "api/json/writer.h"
#include "core/base/clock.h"

/* Limit of an answer with its headers, which nobody reads. */
enum { RECEIVED_MAX = 64 * 1024 };

/* The address in the form of the rules; false: another family. */
static bool ip_of(const struct curl_sockaddr *address, Ip *ret_ip)
{
    /* libcurl reserves room for every family, more than the struct declares */
    const char *bytes = (const char *)address + offsetof(struct curl_sockaddr, addr);
    struct sockaddr_in in;
    struct sockaddr_in6 in6;
    if (address->family == AF_INET) {
        memcpy(&in, bytes, sizeof in);
        *ret_ip = ip_of_4(&in.sin_addr);
        return true;
    }
    if (address->family != AF_INET6)
        return false;
    memcpy(&in6, bytes, sizeof in6);
    *ret_ip = ip_of_16(&in6.sin6_addr);
    return true;
}

/* Called for every address that libcurl is about to try. */
static curl_socket_t open_socket(void *self, curlsocktype purpose, struct curl_sockaddr *address)
{
    Call *call = self;
    Ip ip;
    if (purpose != CURLSOCKTYPE_IPCXN || !ip_of(address, &ip) ||
        !ip_allowed(call->options->ips, &ip)) {
        call->refused = true;
        return CURL_SOCKET_BAD;
    }
    call->opened = true;
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

/* Headers and bodies are read up to a bound, so that connections end well. */
/* NOLINTNEXTLINE(readability-non-const-parameter): the type is libcurl's */
static size_t discard(char *bytes, size_t size, size_t n, void *self)
{
    Call *call = self;
    (void)bytes;
    call->received += size * n;
    return call->received <= RECEIVED_MAX ? size * n : 0;
}

static void write_body(const DueCall *due, Text *out)
{
    char time[CLOCK_TEXT_MAX];
    JsonWriter writer;
    clock_format(due->finished_ms, time);
    json_writer_init(&writer, out);
    json_open_object(&writer);
    json_member_string(&writer, "event", "done");
    json_member_string(&writer, "id", due->job_id);
    json_member_string(&writer, "state", job_state_name(due->state));
    json_member_signed(&writer, "revision", due->revision);
    json_key(&writer, "href");
    text_printf(out, "\"/v1/jobs/%s\"", due->job_id);
    writer.comma = true;
    json_member_string(&writer, "time", time);
    json_close_object(&writer);
}

static void add_header(Call *call, const char *name, const char *value)
{
    Text line = TEXT_INIT;
    text_printf(&line, "%s: %s", name, value);
    struct curl_slist *longer =
        text_ok(&line) ? call->options->lib->slist_append(call->headers, line.data) : NULL;
    text_done(&line);
    if (longer)
        call->headers = longer;
    else
        call->failed = true;
}

static void add_headers(Call *call, const char *tenant)
{
    char id[JOB_ID_MAX + sizeof "-done"], timestamp[24];
    Secrets secrets;
    Text signature = TEXT_INIT;
    /* the same at every attempt */
    snprintf(id, sizeof id, "%s-done", call->job_id);
    snprintf(timestamp, sizeof timestamp, "%lld", (long long)(clock_unix_ms() / 1000));
    add_header(call, "Content-Type", "application/json");
    add_header(call, "webhook-id", id);
    add_header(call, "webhook-timestamp", timestamp);
    secrets_of_tenant(call->options->secrets, tenant, &secrets);
    secrets_sign(&secrets, id, timestamp, call->body.data, call->body.length, &signature);
    if (signature.length > 0)
        add_header(call, "webhook-signature", text_string(&signature));
    call->failed = call->failed || signature.failed;
    text_done(&signature);
    /* the request that submitted the job */
    if (*call->request_id)
        add_header(call, "X-Request-Id", call->request_id);
    if (*call->traceparent)
        add_header(call, "traceparent", call->traceparent);
}

static bool set_up(Call *call, const char *url)
{
    const Curl *lib = call->options->lib;
    CURL *curl = call->curl;
    const long milliseconds = (long)(call->options->seconds * 1e3);
    CURLcode code = lib->easy_setopt(curl, CURLOPT_URL, url);
#define SET(option, value) code = code == CURLE_OK ? lib->easy_setopt(curl, option, value) : code
    /* the URL in the form that was checked when the job was accepted (api/net/webhook_url.c) */
    SET(CURLOPT_PATH_AS_IS, 1L);
    SET(CURLOPT_PROTOCOLS_STR, "http,https");
    SET(CURLOPT_POST, 1L);
    SET(CURLOPT_POSTFIELDS, call->body.data);
    SET(CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)call->body.length);
    SET(CURLOPT_HTTPHEADER, call->headers);
    SET(CURLOPT_USERAGENT, "dalembert/" DALEMBERT_VERSION);
    SET(CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    /* connect only to the checked address */
    SET(CURLOPT_FOLLOWLOCATION, 0L);
    SET(CURLOPT_PROXY, "");
    SET(CURLOPT_OPENSOCKETFUNCTION, open_socket);
    SET(CURLOPT_OPENSOCKETDATA, call);
    SET(CURLOPT_FRESH_CONNECT, 1L);
    SET(CURLOPT_FORBID_REUSE, 1L);
    /* limits; a slow look-up of the name is abandoned */
    SET(CURLOPT_NOSIGNAL, 1L);
    SET(CURLOPT_QUICK_EXIT, 1L);
    SET(CURLOPT_TIMEOUT_MS, milliseconds);
    SET(CURLOPT_CONNECTTIMEOUT_MS, milliseconds);
    SET(CURLOPT_WRITEFUNCTION, discard);
    SET(CURLOPT_WRITEDATA, call);
    SET(CURLOPT_HEADERFUNCTION, discard);
    SET(CURLOPT_HEADERDATA, call);
    SET(CURLOPT_PRIVATE, call);
#undef SET
    return code == CURLE_OK;
}

Status call_begin(Call *call, CURLM *multi, const CallOptions *options, const DueCall *due,
                  Error *err)
{
    *call = (Call){.options = options,
                   .curl = options->lib->easy_init(),
                   .finished_ms = due->finished_ms,
                   .attempts = due->attempts + 1};
    snprintf(call->job_id, sizeof call->job_id, "%s", due->job_id);
    snprintf(call->origin, sizeof call->origin, "%s", due->origin);
    if (due->trace.request_id)
        snprintf(call->request_id, sizeof call->request_id, "%s", due->trace.request_id);
    trace_child(due->trace.traceparent, call->traceparent);
    write_body(due, &call->body);
    if (text_ok(&call->body))
        add_headers(call, due->tenant);
    if (call->curl && text_ok(&call->body) && !call->failed && set_up(call, due->url) &&
        options->lib->multi_add_handle(multi, call->curl) == CURLM_OK)
        return OK;
    call_done(call, NULL);
    return error_set(err, ERR_NO_MEMORY, "out of memory for a notification");
}

/* Describes the failure without details of the internal network. */
static void describe(const Call *call, CURLcode code, int status, char ret[CALL_ERROR_MAX])
{
    if (call->refused && !call->opened)
        snprintf(ret, CALL_ERROR_MAX, "the service does not call the address of this host");
    else if (code == CURLE_OPERATION_TIMEDOUT)
        snprintf(ret, CALL_ERROR_MAX, "no answer within %g s", call->options->seconds);
    else if (code != CURLE_OK)
        snprintf(ret, CALL_ERROR_MAX, "%s", call->options->lib->easy_strerror(code));
    else if (status / 100 == 3)
        snprintf(ret, CALL_ERROR_MAX, "answered %d: redirects are not followed", status);
    else
        snprintf(ret, CALL_ERROR_MAX, "answered %d", status);
}

CallEnd call_end(const Call *call, CURLcode code)
{
    CallEnd end = {0};
    curl_off_t wait = 0;
    long status = 0;
    call->options->lib->easy_getinfo(call->curl, CURLINFO_RESPONSE_CODE, &status);
    call->options->lib->easy_getinfo(call->curl, CURLINFO_RETRY_AFTER, &wait);
    /* the status counts even if the answer is longer than the part that is read */
    if (code == CURLE_WRITE_ERROR && status != 0)
        code = CURLE_OK;
    end.status = code == CURLE_OK ? (int)status : 0;
    end.retry_after = (double)wait;
    if (code != CURLE_OK || status / 100 != 2)
        describe(call, code, end.status, end.error);
    return end;
}

void call_done(Call *call, CURLM *multi)
{
    if (!call->options)
        return;
    const Curl *lib = call->options->lib;
    if (call->curl && multi)
        lib->multi_remove_handle(multi, call->curl);
    lib->easy_cleanup(call->curl);
    lib->slist_free_all(call->headers);
    text_done(&call->body);
    *call = (Call){0};
}
