/* One call of a receiver: a POST by libcurl that is bounded in time and size, follows no redirect,
 * uses no proxy, and connects to no address but those that the rules allow.
 *
 * The rules are asked with the very address that the socket will be connected to, after a name was
 * looked up: what a name stands for a moment before or after does not matter (DNS rebinding). */
#ifndef SERVER_NOTIFY_CALL_H
#define SERVER_NOTIFY_CALL_H

#include <stdbool.h>
#include <stdint.h>

#include "api/curl.h"
#include "api/ip.h"
#include "db/store.h"
#include "server/notify/signature.h"

typedef struct CallOptions {
    const Curl *lib;
    const IpRules *ips;
    const Secrets *secrets;
    double seconds; /* from its beginning to its end */
} CallOptions;

enum { CALL_ERROR_MAX = 200, CALL_ORIGIN_MAX = 2100 };

/* From call_begin() to call_done() it must not move. */
typedef struct Call {
    CURL *curl;
    struct curl_slist *headers;
    Text body;
    const CallOptions *options;
    size_t received;
    bool failed;          /* out of memory, sticky */
    bool refused, opened; /* addresses: by the rules; a socket for one */
    /* of what it is about */
    char job_id[JOB_ID_MAX];
    char origin[CALL_ORIGIN_MAX];
    int64_t finished_ms; /* the job's end */
    unsigned attempts;   /* with this one */
} Call;

/* Hands the call to libcurl; call_done() in any case but a failure. Options are borrowed. */
Status call_begin(Call *call, CURLM *multi, const CallOptions *options, const DueCall *due,
                  Error *err) MUST_CHECK;

typedef struct CallEnd {
    int status;                 /* of HTTP; 0: no answer */
    char error[CALL_ERROR_MAX]; /* "": delivered */
    double retry_after;         /* seconds that the receiver asks for, or 0 */
} CallEnd;
/* What came of it, as libcurl has it. */
CallEnd call_end(const Call *call, CURLcode code);

void call_done(Call *call, CURLM *multi); /* also in the middle; {0} is fine */

#endif
