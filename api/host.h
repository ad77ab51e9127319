/* The accepted names of the service. A foreign page whose domain was pointed at the service (DNS
 * rebinding) still sends its own name in the Host header. A numeric address cannot be pointed
 * anywhere else. */
#ifndef API_HOST_H
#define API_HOST_H

#include <stdbool.h>
#include <stddef.h>

typedef struct HostRules {
    const char *const *names; /* n_names: such as "example.org", "127.0.0.1", "[::1]" */
    size_t n_names;
    bool any_address; /* every numeric address is accepted */
    bool anything;    /* everything is accepted */
} HostRules;

/* Is a Host header (RFC 9110, section 7.2) well-formed: a name or an address, and optionally a
 * port? An empty one is. The name is its first *ret_length bytes. */
bool host_parse(const char *host, size_t *ret_length);

/* Is this header well-formed and its name accepted? */
bool host_allowed(const HostRules *rules, const char *host);

#endif
