/* gzip by zlib. An answer being sent takes 48 KiB: a window of 4 KiB and a small table are enough
 * for numbers and names of members. Therefore many slow clients take little memory. */
#include "api/gzip.h"

#include <stdlib.h>
#include <string.h>
#define ZLIB_CONST /* next_in is const */
#include <zlib.h>

#include "api/accept.h"

enum {
    GZIP = 16, /* added to the bits of a window: the format of RFC 1952 */
    WINDOW = 12,
    TABLE = 6,
    LEVEL = 4,
    PIECE = 16 * 1024,
    SHORTEST = 1024,     /* the shortest body worth compressing */
    AT_ONCE = 64 * 1024, /* longer answers are compressed while they are sent */
};

static Status expanded(z_stream *z, int code, Error *err)
{
    if (code == Z_MEM_ERROR)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    return error_set(err, ERR_INVALID, "the body is not gzip: %s",
                     code == Z_BUF_ERROR ? "it is cut off"
                     : z->msg            ? z->msg
                                         : "it is damaged");
}

Status gzip_expand(const char *bytes, size_t size, size_t most,
                   bool (*may_grow)(void *self, size_t total), void *self, Text *out, Error *err)
{
    unsigned char piece[PIECE];
    z_stream z = {.next_in = (const unsigned char *)bytes};
    size_t left = size;
    Status status = OK;
    int code = inflateInit2(&z, MAX_WBITS + GZIP);
    if (code != Z_OK)
        return expanded(&z, code, err);
    do {
        if (code == Z_STREAM_END) /* another member follows */
            inflateReset(&z);
        /* the next piece */
        const size_t now = left < PIECE ? left : PIECE;
        z.avail_in = (unsigned)now;
        z.next_out = piece;
        z.avail_out = PIECE;
        code = inflate(&z, Z_NO_FLUSH);
        left -= now - z.avail_in;
        const size_t n = PIECE - z.avail_out;
        /* append it, within the limits */
        if (code != Z_OK && code != Z_STREAM_END)
            status = expanded(&z, code, err);
        else if (out->length + n > most)
            status = error_set(err, ERR_LIMIT, "a body has at most %zu bytes, expanded", most);
        else if (!may_grow(self, out->length + n))
            status = error_set(err, ERR_BUSY, "other requests with large bodies are being read");
        else
            text_append(out, (const char *)piece, n);
    } while (status == OK && (left > 0 || code != Z_STREAM_END));
    inflateEnd(&z);
    if (status == OK && !text_ok(out))
        status = error_set(err, ERR_NO_MEMORY, "out of memory");
    return status;
}

/* An answer that is compressed while it is read. */
typedef struct Packing {
    ApiStream source; /* read NULL: the body is the text */
    Text text;        /* `at` bytes of it have been read */
    size_t at;
    z_stream z;
    bool source_ended, ended;
    char piece[PIECE];
} Packing;

static void packing_free(void *self)
{
    Packing *packing = self;
    if (!packing)
        return;
    deflateEnd(&packing->z);
    if (packing->source.free)
        packing->source.free(packing->source.self);
    text_done(&packing->text);
    free(packing);
}

static Status packing_fill(Packing *packing, Error *err)
{
    /* from the stream, or from the text */
    size_t n = 0;
    if (packing->source.read) {
        Status status = packing->source.read(packing->source.self, packing->piece, PIECE, &n, err);
        if (status != OK)
            return status;
    } else {
        n = packing->text.length - packing->at < PIECE ? packing->text.length - packing->at : PIECE;
        if (n > 0)
            memcpy(packing->piece, packing->text.data + packing->at, n);
        packing->at += n;
    }
    packing->source_ended = n == 0;
    packing->z.next_in = (const unsigned char *)packing->piece;
    packing->z.avail_in = (unsigned)n;
    return OK;
}

static Status packing_read(void *self, char *buffer, size_t most, size_t *ret_n, Error *err)
{
    Packing *packing = self;
    z_stream *z = &packing->z;
    const size_t room = most < UINT32_MAX ? most : UINT32_MAX;
    z->next_out = (unsigned char *)buffer;
    z->avail_out = (unsigned)room;
    /* at least one byte, unless the body has ended */
    while (!packing->ended && z->avail_out > 0) {
        Status status =
            z->avail_in == 0 && !packing->source_ended ? packing_fill(packing, err) : OK;
        if (status != OK)
            return status;
        packing->ended = deflate(z, packing->source_ended ? Z_FINISH : Z_NO_FLUSH) == Z_STREAM_END;
    }
    *ret_n = room - z->avail_out;
    return OK;
}

static Status pack_at_once(Packing *packing, ApiResponse *res, Error *err)
{
    char buffer[PIECE];
    size_t n = 1;
    Status status = OK;
    while (status == OK && n > 0) {
        status = packing_read(packing, buffer, sizeof buffer, &n, err);
        if (status == OK)
            text_append(&res->body, buffer, n);
    }
    packing_free(packing);
    return status == OK && !text_ok(&res->body) ? error_set(err, ERR_NO_MEMORY, "out of memory")
                                                : status;
}

/* Has the handler set a coding, because the body is gzip already? */
static bool is_packed(const ApiResponse *res)
{
    for (size_t i = 0; i < res->n_headers; i++)
        if (strcmp(res->headers[i].name, "Content-Encoding") == 0)
            return true;
    return false;
}

Status gzip_answer(const ApiRequest *req, ApiResponse *res, Error *err)
{
    const bool streams = res->stream.read != NULL;
    const bool packed = is_packed(res);
    if ((!streams && !packed && res->body.length < SHORTEST) || res->stream.waits)
        return OK; /* an event stream must not be held back */
    api_add_header(res, "Vary", "Accept-Encoding");
    if (packed || !gzip_wanted(req))
        return OK;
    /* the compressor takes the body over */
    Packing *packing = calloc(1, sizeof *packing);
    if (!packing || deflateInit2(&packing->z, LEVEL, Z_DEFLATED, WINDOW + GZIP, TABLE,
                                 Z_DEFAULT_STRATEGY) != Z_OK) {
        free(packing);
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    }
    api_add_header(res, "Content-Encoding", "gzip");
    packing->source = res->stream;
    packing->text = res->body;
    res->stream = (ApiStream){0};
    res->body = (Text)TEXT_INIT;
    /* short answers at once, others as a stream */
    if (!streams && packing->text.length <= AT_ONCE)
        return pack_at_once(packing, res, err);
    res->stream = (ApiStream){.self = packing, .read = packing_read, .free = packing_free};
    return OK;
}

bool gzip_wanted(const ApiRequest *req)
{
    static const char *const TEXTS[] = {"application/json", "application/x-ndjson", "text/"};
    const char *type = api_type(req);
    for (size_t i = 0; type && i < sizeof TEXTS / sizeof TEXTS[0]; i++)
        if (strncmp(type, TEXTS[i], strlen(TEXTS[i])) == 0)
            return accept_gzip(api_header(req, "Accept-Encoding"));
    return false;
}
