/* Loads libcurl, once in a process. */
#include "api/net/curl.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

#define LIBRARY "libcurl.so.4" /* the soname of the interface in curl.h */

static Status find_all(void *library, Curl *ret_curl, Error *err)
{
    void *found;
#define CURL_FIND(name)                                                     \
    found = dlsym(library, "curl_" #name);                                  \
    if (!found)                                                             \
        return error_set(err, ERR_INTERNAL, LIBRARY " has no curl_" #name); \
    memcpy(&ret_curl->name, &found, sizeof found);
    CURL_LIST(CURL_FIND)
#undef CURL_FIND
    return OK;
}

static Status load(Curl *ret_curl, Error *err)
{
    errno = 0;
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (library)
        return find_all(library, ret_curl, err);
    const bool memory = errno == ENOMEM;
    return error_set(err, memory ? ERR_NO_MEMORY : ERR_INTERNAL, "cannot load %s", dlerror());
}

Status curl_load(const Curl **ret_curl, Error *err)
{
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    static Curl curl;
    static bool loaded;
    Status status = OK;

    pthread_mutex_lock(&mutex);
    if (!loaded)
        status = load(&curl, err);
    loaded = status == OK;
    pthread_mutex_unlock(&mutex);
    *ret_curl = &curl;
    return status;
}
