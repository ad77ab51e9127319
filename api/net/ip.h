/* Internet addresses, lists of them, and the rules for those that the service may call.
 *
 * A posted URL must not make the service reach hosts that only the service can reach. Therefore the
 * service calls an address outside the public internet (IANA's registries of special-purpose
 * addresses, RFC 6890) only if it is listed as allowed. The same holds for addresses that stand for
 * an IPv4 address (6to4, NAT64, Teredo). */
#ifndef API_NET_IP_H
#define API_NET_IP_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/arena.h"
#include "core/base/status.h"

enum { IP_BYTES = 16, IP_TEXT_MAX = 46 };

/* An IPv6 address. An IPv4 address is mapped (::ffff:a.b.c.d), so that both spellings are the same
 * address. */
typedef struct Ip {
    unsigned char bytes[IP_BYTES];
} Ip;

/* Parses "192.0.2.1" or "2001:db8::1", without brackets and zones; text[0..length). */
bool ip_parse(const char *text, size_t length, Ip *ret_ip);
/* From the 4 or 16 bytes in network order. */
Ip ip_of_4(const void *bytes);
Ip ip_of_16(const void *bytes);

void ip_format(const Ip *ip, char ret_text[IP_TEXT_MAX]); /* IPv4 with dots */

/* The kind of an address outside the public internet ("a loopback address"); NULL: a public one. */
const char *ip_reserved(const Ip *ip);

/* All addresses that begin with the same bits. */
typedef struct IpRange {
    Ip first;
    unsigned bits;
} IpRange;

typedef struct IpRules {
    const IpRange *allowed; /* n_allowed: the list */
    size_t n_allowed;
} IpRules;

/* Parses "127.0.0.1, 10.0.0.0/8, fd00::/8" into the arena. ERR_INVALID. */
Status ip_rules_read(const char *list, Arena *arena, IpRules *ret_rules, Error *err) MUST_CHECK;
bool ip_listed(const IpRules *rules, const Ip *ip);  /* one of the list */
bool ip_allowed(const IpRules *rules, const Ip *ip); /* one of the list, or a public one */

#endif
