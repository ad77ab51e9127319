/* The names a service answers to. A page elsewhere whose name was made to point at the service (DNS
 * rebinding) still sends its own name in the Host header; a numeric address there cannot be made to
 * point anywhere. */
#ifndef API_HOST_H
#define API_HOST_H

#include <stdbool.h>
#include <stddef.h>

typedef struct HostRules {
    const char *const *names; /* n_names: such as "example.org", "127.0.0.1", "[::1]" */
    size_t n_names;
    bool any_address; /* every numeric address is a name of the service */
    bool anything;    /* nothing is refused */
} HostRules;

/* Whether a Host header (RFC 9110, section 7.2) is well-formed: a name or an address, and perhaps a
 * port. Empty is. The name is then the first *ret_length bytes. */
bool host_parse(const char *host, size_t *ret_length);

/* Of a well-formed Host header. */
bool host_allowed(const HostRules *rules, const char *host);

#endif
