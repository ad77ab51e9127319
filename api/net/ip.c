/* Internet addresses: parsing, comparison of their first bits, and a table of those outside the
 * public internet (IANA IPv4 and IPv6 Special-Purpose Address Registries, RFC 6890; multicast: RFC
 * 5771). */
#include "api/net/ip.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

enum { V4_BEFORE = IP_BYTES - 4, V4_BITS = 8 * V4_BEFORE };
enum { RANGES_MAX = 64 };

static const unsigned char MAPPED[V4_BEFORE] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};

Ip ip_of_4(const void *bytes)
{
    Ip ip;
    memcpy(ip.bytes, MAPPED, V4_BEFORE);
    memcpy(ip.bytes + V4_BEFORE, bytes, IP_BYTES - V4_BEFORE);
    return ip;
}

Ip ip_of_16(const void *bytes)
{
    Ip ip;
    memcpy(ip.bytes, bytes, IP_BYTES);
    return ip;
}

bool ip_parse(const char *text, size_t length, Ip *ret_ip)
{
    char copy[IP_TEXT_MAX];
    unsigned char bytes[IP_BYTES];
    if (length == 0 || length >= sizeof copy)
        return false;
    memcpy(copy, text, length);
    copy[length] = '\0';
    if (inet_pton(AF_INET, copy, bytes) == 1)
        *ret_ip = ip_of_4(bytes);
    else if (inet_pton(AF_INET6, copy, bytes) == 1)
        *ret_ip = ip_of_16(bytes);
    else
        return false;
    return true;
}

static bool is_mapped(const Ip *ip)
{
    return memcmp(ip->bytes, MAPPED, V4_BEFORE) == 0;
}

void ip_format(const Ip *ip, char ret_text[IP_TEXT_MAX])
{
    if (is_mapped(ip))
        inet_ntop(AF_INET, ip->bytes + V4_BEFORE, ret_text, IP_TEXT_MAX);
    else
        inet_ntop(AF_INET6, ip->bytes, ret_text, IP_TEXT_MAX);
}

static bool in_range(const Ip *ip, const Ip *first, unsigned bits)
{
    const unsigned whole = bits / 8, rest = bits % 8;
    const unsigned mask = 0xffu << (8 - rest) & 0xffu;
    return memcmp(ip->bytes, first->bytes, whole) == 0 &&
           (rest == 0 || ((ip->bytes[whole] ^ first->bytes[whole]) & mask) == 0);
}

#define V4(a, b, c, d, n) {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, a, b, c, d}, V4_BITS + (n)

static const struct {
    unsigned char first[IP_BYTES];
    unsigned bits;
    const char *what;
} RESERVED[] = {
    {V4(0, 0, 0, 0, 8), "an address of this host"},
    {V4(10, 0, 0, 0, 8), "a private address"},
    {V4(100, 64, 0, 0, 10), "an address behind a carrier's NAT"},
    {V4(127, 0, 0, 0, 8), "a loopback address"},
    {V4(168, 63, 129, 16, 32), "an address of the cloud's own services"},
    {V4(169, 254, 0, 0, 16), "a link-local address"},
    {V4(172, 16, 0, 0, 12), "a private address"},
    {V4(192, 0, 0, 0, 24), "an address for protocols"},
    {V4(192, 0, 2, 0, 24), "an address for documentation"},
    {V4(192, 88, 99, 0, 24), "an address of 6to4 relays"},
    {V4(192, 168, 0, 0, 16), "a private address"},
    {V4(198, 18, 0, 0, 15), "an address for benchmarks"},
    {V4(198, 51, 100, 0, 24), "an address for documentation"},
    {V4(203, 0, 113, 0, 24), "an address for documentation"},
    {V4(224, 0, 0, 0, 4), "a multicast address"},
    {V4(240, 0, 0, 0, 4), "a reserved address"},
    {{0x20, 0x01}, 23, "an address for protocols, such as Teredo"},
    {{0x20, 0x01, 0x0d, 0xb8}, 32, "an address for documentation"},
    {{0x20, 0x02}, 16, "a 6to4 address"},
    {{0x3f, 0xff}, 20, "an address for documentation"},
    /* the entries below only supply the words: the end of ip_reserved() refuses them anyway */
    {{[15] = 1}, 128, "a loopback address"},
    {{0}, 128, "an address of this host"},
    {{0x00, 0x64, 0xff, 0x9b}, 32, "an address of NAT64"},
    {{0xfc}, 7, "a private address"},
    {{0xfe, 0x80}, 10, "a link-local address"},
    {{0xff}, 8, "a multicast address"},
};

const char *ip_reserved(const Ip *ip)
{
    static const Ip GLOBAL = {{0x20}};
    for (size_t i = 0; i < sizeof RESERVED / sizeof *RESERVED; i++) {
        const Ip first = ip_of_16(RESERVED[i].first);
        if (in_range(ip, &first, RESERVED[i].bits))
            return RESERVED[i].what;
    }
    /* beyond this table, only 2000::/3 of IPv6 is the public internet (RFC 4291, section 2.5.4) */
    if (is_mapped(ip) || in_range(ip, &GLOBAL, 3))
        return NULL;
    return "a reserved address";
}

bool ip_listed(const IpRules *rules, const Ip *ip)
{
    for (size_t i = 0; i < rules->n_allowed; i++)
        if (in_range(ip, &rules->allowed[i].first, rules->allowed[i].bits))
            return true;
    return false;
}

bool ip_allowed(const IpRules *rules, const Ip *ip)
{
    return ip_listed(rules, ip) || ip_reserved(ip) == NULL;
}

/* "ADDRESS" or "ADDRESS/BITS". False: malformed, or a bit behind the first BITS is set. */
static bool parse_range(const char *text, IpRange *ret_range)
{
    const size_t length = strcspn(text, "/");
    const char *number = text[length] ? text + length + 1 : NULL;
    const size_t digits = number ? strspn(number, "0123456789") : 0;
    IpRange range;
    if (!ip_parse(text, length, &range.first) ||
        (number && (digits == 0 || digits > 3 || number[digits])))
        return false;
    /* IPv4 counts its bits behind the prefix of mapped addresses */
    const unsigned before = memchr(text, ':', length) ? 0 : V4_BITS;
    range.bits = number ? before + (unsigned)strtoul(number, NULL, 10) : 8 * IP_BYTES;
    if (range.bits > 8 * IP_BYTES)
        return false;
    for (unsigned bit = range.bits; bit < 8 * IP_BYTES; bit++)
        if (range.first.bytes[bit / 8] & 0x80u >> bit % 8)
            return false;
    *ret_range = range;
    return true;
}

Status ip_rules_read(const char *list, Arena *arena, IpRules *ret_rules, Error *err)
{
    char *copy = arena_strdup(arena, list), *rest = NULL;
    IpRange *ranges = ARENA_NEW(arena, RANGES_MAX, IpRange);
    size_t n = 0;
    if (!copy || !ranges)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    for (char *item = strtok_r(copy, ", ", &rest); item; item = strtok_r(NULL, ", ", &rest)) {
        if (n == RANGES_MAX)
            return error_set(err, ERR_INVALID, "more than %d addresses", RANGES_MAX);
        if (!parse_range(item, &ranges[n++]))
            return error_set(err, ERR_INVALID,
                             "\"%.80s\" is neither an address nor a range of addresses, such as "
                             "127.0.0.1, 10.0.0.0/8 or fd00::/8",
                             item);
    }
    *ret_rules = (IpRules){ranges, n};
    return OK;
}
