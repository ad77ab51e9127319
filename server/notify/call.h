/* One call of a receiver: a POST by libcurl, bounded in time and size. It follows no redirect, uses
 * no proxy, and connects only to addresses that the rules allow.
 *
 * The rules check the very address of the socket, after the name was looked up. So it does no harm
 * if the name stands for another address a moment later (DNS rebinding). */
#ifndef SERVER_NOTIFY_CALL_H
#define SERVER_NOTIFY_CALL_H

#include <stdbool.h>
#include <stdint.h>

#include "api/net/curl.h"
#include "api/net/ip.h"
#include "db/store.h"
#include "server/notify/signature.h"
#include "server/trace.h"

typedef struct CallOptions {
    const Curl *lib;
    const IpRules *ips;
    const Secrets *secrets;
    double seconds; /* from begin to end */
} CallOptions;

enum { CALL_ERROR_MAX = 200, CALL_ORIGIN_MAX = 2100 };

/* Must not move between call_begin() and call_done(). */
typedef struct Call {
    CURL *curl;
    struct curl_slist *headers;
    Text body;
    const CallOptions *options;
    size_t received;
    bool failed;          /* out of memory, sticky */
    bool refused, opened; /* an address: by the rules; a socket for one */
    /* of its job */
    char job_id[JOB_ID_MAX];
    char origin[CALL_ORIGIN_MAX];
    char request_id[REQUEST_ID_MAX], traceparent[TRACEPARENT_MAX]; /* as sent; "": unknown */
    int64_t finished_ms;                                           /* the job's end */
    unsigned attempts;                                             /* with this one */
} Call;

/* Hands the call to libcurl; if it succeeds, call_done() must follow. Options are borrowed. */
Status call_begin(Call *call, CURLM *multi, const CallOptions *options, const DueCall *due,
                  Error *err) MUST_CHECK;

typedef struct CallEnd {
    int status;                 /* of HTTP; 0: no answer */
    char error[CALL_ERROR_MAX]; /* "": delivered */
    double retry_after;         /* seconds that the receiver asks for, or 0 */
} CallEnd;
/* The outcome, as libcurl reports it. */
CallEnd call_end(const Call *call, CURLcode code);

void call_done(Call *call, CURLM *multi); /* also in the middle; {0} is fine */

#endif
