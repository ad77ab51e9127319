/* Network addresses as users write them (host and port, IPv6 in brackets): read into a socket
 * address, and printed back. */
#include "server/http/address.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_loopback(const struct sockaddr *address)
{
    if (address->sa_family == AF_INET) {
        struct sockaddr_in in;
        memcpy(&in, address, sizeof in);
        return ntohl(in.sin_addr.s_addr) >> 24 == 127;
    }
    struct sockaddr_in6 in6;
    memcpy(&in6, address, sizeof in6);
    return IN6_IS_ADDR_LOOPBACK(&in6.sin6_addr);
}

static bool is_everywhere(const struct sockaddr *address)
{
    if (address->sa_family == AF_INET) {
        struct sockaddr_in in;
        memcpy(&in, address, sizeof in);
        return in.sin_addr.s_addr == htonl(INADDR_ANY);
    }
    struct sockaddr_in6 in6;
    memcpy(&in6, address, sizeof in6);
    return IN6_IS_ADDR_UNSPECIFIED(&in6.sin6_addr);
}

Status address_parse(const char *text, Address *ret_address, Error *err)
{
    const char *colon = strrchr(text, ':');
    const char *port = colon ? colon + 1 : "";
    size_t digits = strspn(port, "0123456789");
    if (digits == 0 || digits > 5 || port[digits] || strtol(port, NULL, 10) > 65535)
        return error_set(err, ERR_INVALID,
                         "\"%.80s\" is not ADDRESS:PORT, such as 127.0.0.1:8080 or [::1]:0", text);
    /* the host, without the brackets of IPv6 */
    char host[256];
    size_t length = (size_t)(colon - text);
    if (length >= 2 && text[0] == '[' && text[length - 1] == ']') {
        text++;
        length -= 2;
    } else if (memchr(text, ':', length)) {
        return error_set(err, ERR_INVALID, "write an IPv6 address in brackets: [%.*s]:%s",
                         (int)length, text, port);
    }
    if (length >= sizeof host)
        return error_set(err, ERR_INVALID, "the address is too long");
    memcpy(host, text, length);
    host[length] = '\0';

    /* no host: every address of this machine */
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE}, *list = NULL;
    int code = getaddrinfo(length ? host : NULL, port, &hints, &list);
    if (code != 0)
        return error_set(err, ERR_INVALID, "cannot resolve \"%s\": %s", host, gai_strerror(code));
    *ret_address = (Address){.length = list->ai_addrlen,
                             .loopback = is_loopback(list->ai_addr),
                             .everywhere = is_everywhere(list->ai_addr)};
    memcpy(&ret_address->storage, list->ai_addr, list->ai_addrlen);
    freeaddrinfo(list);
    return OK;
}

void address_format(const Address *address, char ret_text[ADDRESS_TEXT_MAX])
{
    char host[64], port[8];
    const struct sockaddr *generic = (const struct sockaddr *)&address->storage;
    if (getnameinfo(generic, address->length, host, sizeof host, port, sizeof port,
                    NI_NUMERICHOST | NI_NUMERICSERV) != 0) {
        snprintf(ret_text, ADDRESS_TEXT_MAX, "?");
        return;
    }
    bool v6 = generic->sa_family == AF_INET6;
    snprintf(ret_text, ADDRESS_TEXT_MAX, "%s%s%s:%s", v6 ? "[" : "", host, v6 ? "]" : "", port);
}
