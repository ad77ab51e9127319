/* libcurl, loaded on first use. It depends on twenty libraries that take longer to load than most
 * commands run, and most commands never call it. */
#ifndef API_NET_CURL_H
#define API_NET_CURL_H

#include <curl/curl.h>

#include "core/base/status.h"

/* The functions in use, without the prefix curl_. */
#define CURL_LIST(X)       \
    X(easy_cleanup)        \
    X(easy_getinfo)        \
    X(easy_init)           \
    X(easy_perform)        \
    X(easy_setopt)         \
    X(easy_strerror)       \
    X(global_cleanup)      \
    X(global_init)         \
    X(multi_add_handle)    \
    X(multi_cleanup)       \
    X(multi_info_read)     \
    X(multi_init)          \
    X(multi_perform)       \
    X(multi_poll)          \
    X(multi_remove_handle) \
    X(multi_wakeup)        \
    X(slist_append)        \
    X(slist_free_all)      \
    X(free)                \
    X(url)                 \
    X(url_cleanup)         \
    X(url_get)             \
    X(url_set)             \
    X(url_strerror)

typedef struct Curl {
#define CURL_MEMBER(name) __typeof__(&curl_##name) name;
    CURL_LIST(CURL_MEMBER)
#undef CURL_MEMBER
} Curl;

/* The same table for all threads, until the process ends. ERR_INTERNAL: the library is missing. */
Status curl_load(const Curl **ret_curl, Error *err) MUST_CHECK;

#endif
