/* Host headers: their grammar after RFC 3986, section 3.2.2, and whether they name this service. */
#include "api/host.h"

#include <arpa/inet.h>
#include <string.h>
#include <strings.h>

enum { HOST_MAX = 255, ADDRESS_BYTES = 16 };

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define DIGITS "0123456789"

/* An address in any spelling as 16 bytes, IPv4 ones mapped. */
static bool parse_address(const char *name, size_t length, unsigned char ret_bytes[ADDRESS_BYTES])
{
    char text[INET6_ADDRSTRLEN];
    const bool brackets = length >= 2 && name[0] == '[';
    if (brackets) {
        name++;
        length -= 2;
    }
    if (length == 0 || length >= sizeof text)
        return false;
    memcpy(text, name, length);
    text[length] = '\0';
    memcpy(ret_bytes, "\0\0\0\0\0\0\0\0\0\0\xff\xff", 12);
    return inet_pton(brackets ? AF_INET6 : AF_INET, text, ret_bytes + (brackets ? 0 : 12)) == 1;
}

bool host_parse(const char *host, size_t *ret_length)
{
    unsigned char bytes[ADDRESS_BYTES];
    size_t length;
    if (host[0] == '[') {
        length = strcspn(host, "]") + 1;
        if (length > strlen(host) || !parse_address(host, length, bytes))
            return false;
    } else { /* a registered name, with what may stand in one */
        length = strspn(host, LETTERS DIGITS "-._~%!$&'()*+,;=");
    }
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

/* The root of the domain names may be written. */
static size_t without_dot(const char *name, size_t length)
{
    return length > 1 && name[length - 1] == '.' ? length - 1 : length;
}

bool host_allowed(const HostRules *rules, const char *host)
{
    unsigned char own[ADDRESS_BYTES], listed[ADDRESS_BYTES];
    size_t length;
    if (rules->anything)
        return true;
    if (!host_parse(host, &length))
        return false;
    length = without_dot(host, length);
    const bool numeric = parse_address(host, length, own);
    if (numeric && rules->any_address)
        return true;
    for (size_t i = 0; i < rules->n_names; i++) {
        const char *name = rules->names[i];
        const size_t name_length = without_dot(name, strlen(name));
        if (name_length == length && strncasecmp(name, host, length) == 0)
            return true;
        if (numeric && parse_address(name, name_length, listed) &&
            memcmp(own, listed, sizeof own) == 0)
            return true;
    }
    return false;
}
