/* Content negotiation (RFC 9110, section 12.5.1): the choice among the offered media types by an
 * Accept header. */
#include "api/accept.h"

#include <string.h>
#include <strings.h>

#include "core/base/number.h"

const char *accept_offer(const char *offers, size_t index, size_t *ret_length)
{
    for (; index > 0; index--) {
        offers = strchr(offers, ',');
        if (!offers)
            return NULL;
        offers++;
    }
    *ret_length = strcspn(offers, ",");
    return offers;
}

const char *accept_list(Arena *arena, const char *offers)
{
    const char *list = "", *offer;
    size_t length;
    for (size_t i = 0; (offer = accept_offer(offers, i, &length)) && list; i++)
        list = arena_printf(arena, "%s%s%.*s", list, i > 0 ? ", " : "", (int)length, offer);
    return list ? list : "";
}

/* One media range of an Accept header, e.g. "text/" "*" ";q=0.5". */
typedef struct Range {
    const char *text;
    size_t length; /* of type/subtype */
    double q;
} Range;

static const char *accept_skip_space(const char *p)
{
    return p + strspn(p, " \t");
}

/* Reads the range at p; returns the start of the next range, NULL at the end. Parameters other than
 * q are ignored. */
static const char *accept_read_range(const char *p, Range *ret)
{
    p = accept_skip_space(p);
    ret->text = p;
    ret->length = strcspn(p, ",; \t");
    ret->q = 1.0;
    p += ret->length;
    /* the parameters of the range */
    for (;;) {
        p = accept_skip_space(p);
        if (*p != ';')
            break;
        p = accept_skip_space(p + 1);
        if ((p[0] == 'q' || p[0] == 'Q') && p[1] == '=') {
            double q;
            if (number_parse(p + 2, strspn(p + 2, "0123456789."), &q) > 0)
                ret->q = q;
        }
        p += strcspn(p, ",;");
    }
    p += strcspn(p, ",");
    return *p == ',' ? p + 1 : NULL;
}

/* The specificity of the range for the type: 0 no match, 1 any type, 2 by its first half, 3
 * exact. */
static int closeness(const Range *range, const char *offer, size_t length)
{
    if (range->length == length && strncasecmp(range->text, offer, length) == 0)
        return 3;
    if (range->length == 3 && strncmp(range->text, "*/*", 3) == 0)
        return 1;
    if (range->length >= 3 && strncmp(range->text + range->length - 2, "/*", 2) == 0 &&
        length >= range->length && strncasecmp(range->text, offer, range->length - 1) == 0)
        return 2;
    return 0;
}

/* The quality of an offer is the q of the most specific range that matches it. */
static double quality(const char *accept, const char *offer, size_t length, int *ret_closeness)
{
    double q = 0.0;
    *ret_closeness = 0;
    for (const char *p = accept; p;) {
        Range range;
        p = accept_read_range(p, &range);
        int near = closeness(&range, offer, length);
        if (near > *ret_closeness) {
            *ret_closeness = near;
            q = range.q;
        }
    }
    return q;
}

bool accept_choose(const char *accept, const char *offers, size_t *ret_index)
{
    /* no header accepts the default */
    if (!accept || *accept_skip_space(accept) == '\0') {
        *ret_index = 0;
        return true;
    }
    double best = 0.0;
    int nearest = 0;
    size_t length;
    const char *offer;
    /* the offer of the highest quality; of equal ones, the one that is named more exactly */
    for (size_t i = 0; (offer = accept_offer(offers, i, &length)); i++) {
        int near;
        double q = quality(accept, offer, length, &near);
        if (q > best || (q > 0.0 && q == best && near > nearest)) {
            best = q;
            nearest = near;
            *ret_index = i;
        }
    }
    return best > 0.0;
}

static bool range_is(const Range *range, const char *name)
{
    return range->length == strlen(name) && strncasecmp(range->text, name, range->length) == 0;
}

bool accept_gzip(const char *accept)
{
    double gzip = -1, any = 0, identity = 0;
    /* the q of each coding */
    for (const char *p = accept; p;) {
        Range range;
        p = accept_read_range(p, &range);
        if (range_is(&range, "gzip") || range_is(&range, "x-gzip"))
            gzip = range.q;
        else if (range_is(&range, "*"))
            any = range.q;
        else if (range_is(&range, "identity"))
            identity = range.q;
    }
    /* "*" stands for gzip if gzip is not named */
    if (gzip < 0)
        gzip = any;
    return gzip > 0 && gzip >= identity;
}
