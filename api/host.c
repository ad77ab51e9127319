/* Host headers: their grammar after RFC 3986, section 3.2.2, and whether they name this service. */
#include "api/host.h"

#include <string.h>
#include <strings.h>

#include "api/net/ip.h"

enum { HOST_MAX = 255 };

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define DIGITS "0123456789"

/* An address in any spelling; IPv6 in brackets. */
static bool parse_address(const char *name, size_t length, Ip *ret_ip)
{
    const bool brackets = length >= 2 && name[0] == '[';
    const size_t inside = brackets ? length - 2 : length;
    return (memchr(name, ':', length) != NULL) == brackets &&
           ip_parse(name + brackets, inside, ret_ip);
}

bool host_parse(const char *host, size_t *ret_length)
{
    Ip ignored;
    size_t length;
    if (host[0] == '[') {
        length = strcspn(host, "]") + 1;
        if (length > strlen(host) || !parse_address(host, length, &ignored))
            return false;
    } else { /* a registered name with its allowed characters */
        length = strspn(host, LETTERS DIGITS "-._~%!$&'()*+,;=");
    }
    /* the port */
    const char *rest = host + length;
    if (*rest == ':') {
        const size_t digits = strspn(rest + 1, DIGITS);
        rest += 1 + digits;
        if (digits > 5)
            return false;
    }
    if (*rest || length > HOST_MAX)
        return false;
    *ret_length = length;
    return true;
}

/* The length without the final dot, which stands for the root of the domain names. */
static size_t without_dot(const char *name, size_t length)
{
    return length > 1 && name[length - 1] == '.' ? length - 1 : length;
}

bool host_allowed(const HostRules *rules, const char *host)
{
    Ip own, listed;
    size_t length;
    if (rules->anything)
        return true;
    if (!host_parse(host, &length))
        return false;
    length = without_dot(host, length);
    const bool numeric = parse_address(host, length, &own);
    if (numeric && rules->any_address)
        return true;
    /* the listed names and addresses */
    for (size_t i = 0; i < rules->n_names; i++) {
        const char *name = rules->names[i];
        const size_t name_length = without_dot(name, strlen(name));
        if (name_length == length && strncasecmp(name, host, length) == 0)
            return true;
        if (numeric && parse_address(name, name_length, &listed) &&
            memcmp(&own, &listed, sizeof own) == 0)
            return true;
    }
    return false;
}
