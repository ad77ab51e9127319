/* The gate in front of libmicrohttpd: finds the begin and the end of each request (RFC 9112,
 * sections 6 and 7.1), line by line and byte by byte as they come in. */
#include "server/http/gate.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/text.h"

enum {
    REQUEST_LINE_MAX = HEAD_TARGET_MAX + 64,
    CHUNK_DIGITS_MAX = 15,
    TRAILERS_MAX = 4096,
    KEPT_MAX = 4096,      /* bytes of memory that an idle connection keeps */
    TLS_HANDSHAKE = 0x16, /* the first byte of a client that speaks TLS (RFC 8446, section 5.1) */
};

typedef enum GateStage {
    GATE_HEAD,
    GATE_BODY,
    GATE_CHUNK_SIZE,
    GATE_CHUNK,
    GATE_CHUNK_END,
    GATE_TRAILERS,
} GateStage;

struct Gate {
    GateStage stage;
    Text line;      /* the incomplete one */
    Text heads;     /* complete ones, then the lines of the incomplete one */
    size_t taken;   /* bytes of `heads` that were taken */
    size_t whole;   /* bytes of `heads` up to the last complete one */
    size_t before;  /* bytes of `heads` before the current request */
    size_t section; /* bytes of the lines of the current head or trailers */
    uint64_t left;  /* remaining bytes of the body or the chunk */
    Refusal refusal;
};

Gate *gate_new(void)
{
    return calloc(1, sizeof(Gate));
}

void gate_free(Gate *gate)
{
    if (!gate)
        return;
    text_done(&gate->line);
    text_done(&gate->heads);
    free(gate);
}

const Refusal *gate_refusal(const Gate *gate)
{
    return gate->refusal.reason ? &gate->refusal : NULL;
}

static void gate_refuse(Gate *gate, Problem problem, const char *reason)
{
    gate->refusal = (Refusal){problem, reason};
}

static void enter(Gate *gate, GateStage stage)
{
    gate->stage = stage;
    gate->section = 0;
    if (stage == GATE_HEAD)
        gate->before = gate->heads.length;
}

static bool first_line(const Gate *gate)
{
    return gate->heads.length == gate->whole;
}

static void end_head(Gate *gate)
{
    int64_t length = 0;
    gate->refusal = head_check(gate->heads.data + gate->whole, &length);
    if (gate->refusal.reason)
        return;
    gate->whole = gate->heads.length;
    gate->left = length > 0 ? (uint64_t)length : 0;
    enter(gate, length < 0 ? GATE_CHUNK_SIZE : length > 0 ? GATE_BODY : GATE_HEAD);
}

/* Empty lines in front of a request are skipped (RFC 9112, section 2.2). */
static void take_head_line(Gate *gate, const char *line, size_t length)
{
    if (length == 0 && first_line(gate))
        return;
    if (length > 0)
        gate->refusal = first_line(gate) ? head_check_request_line(line, length)
                                         : head_check_field(line, length);
    if (gate->refusal.reason)
        return;
    text_append(&gate->heads, line, length);
    text_puts(&gate->heads, "\r\n");
    if (!text_ok(&gate->heads))
        gate_refuse(gate, PROBLEM_NO_MEMORY, "out of memory");
    else if (length == 0)
        end_head(gate);
}

static int hex_value(char c)
{
    static const char DIGITS[] = "0123456789abcdef";
    const char *digit = c ? strchr(DIGITS, c >= 'A' && c <= 'F' ? c + ('a' - 'A') : c) : NULL;
    return digit ? (int)(digit - DIGITS) : -1;
}

/* Reads the size of a chunk. Extensions are refused, because readers disagree about their end:
 * libmicrohttpd 1.0.1 takes the LF of the line for the first byte of the chunk. Incomplete lines
 * are checked too, because libmicrohttpd reads them. */
static Refusal check_chunk_size(const char *line, size_t length, uint64_t *ret_size)
{
    uint64_t size = 0;
    size_t n = 0;
    for (; n < length && hex_value(line[n]) >= 0; n++)
        size = n < CHUNK_DIGITS_MAX ? 16 * size + (uint64_t)hex_value(line[n]) : size;
    *ret_size = size;
    if (n == 0)
        return (Refusal){PROBLEM_MALFORMED, "a chunk without a size"};
    if (n > CHUNK_DIGITS_MAX)
        return (Refusal){PROBLEM_TOO_LARGE, "a chunk is too large"};
    if (n < length)
        return (Refusal){PROBLEM_MALFORMED, "a chunk with more than its size in its first line"};
    return (Refusal){0};
}

static Refusal check_chunk_end(size_t length)
{
    return length > 0 ? (Refusal){PROBLEM_MALFORMED, "a chunk is longer than its size"}
                      : (Refusal){0};
}

/* Before the line is complete, because a handshake may have line feeds, or none for long. */
static void check_protocol(Gate *gate)
{
    if (gate->stage == GATE_HEAD && first_line(gate) && gate->line.data[0] == TLS_HANDSHAKE)
        gate_refuse(gate, PROBLEM_MALFORMED,
                    "this port speaks HTTP, not TLS: use http://, or the port of the TLS proxy");
}

static void check_part_of_line(Gate *gate)
{
    const char *line = gate->line.data;
    const bool ending = line[gate->line.length - 1] == '\r';
    const size_t length = gate->line.length - ending;
    uint64_t size;
    if (gate->stage == GATE_HEAD && first_line(gate) && !head_may_begin(line[0]))
        gate_refuse(gate, PROBLEM_MALFORMED, "this is no HTTP request");
    else if (gate->stage == GATE_CHUNK_END)
        gate->refusal = check_chunk_end(length);
    else if (gate->stage == GATE_CHUNK_SIZE)
        gate->refusal = check_chunk_size(line, length, &size);
}

static void take_line(Gate *gate, const char *line, size_t length)
{
    switch (gate->stage) {
    case GATE_HEAD:
        take_head_line(gate, line, length);
        return;
    case GATE_CHUNK_SIZE:
        gate->refusal = check_chunk_size(line, length, &gate->left);
        enter(gate, gate->left > 0 ? GATE_CHUNK : GATE_TRAILERS);
        return;
    case GATE_CHUNK_END:
        gate->refusal = check_chunk_end(length);
        enter(gate, GATE_CHUNK_SIZE);
        return;
    case GATE_TRAILERS:
        if (length == 0)
            enter(gate, GATE_HEAD);
        else
            gate->refusal = head_check_field(line, length);
        return;
    case GATE_BODY:
    case GATE_CHUNK:
        break; /* these have no lines */
    }
}

/* Checks the incomplete line, and the section it belongs to. */
static void check_length(Gate *gate)
{
    const size_t line = gate->line.length, section = gate->section + line;
    if (gate->stage == GATE_HEAD && first_line(gate) && line > REQUEST_LINE_MAX)
        gate_refuse(gate, PROBLEM_TARGET_TOO_LONG, "a request target has at most 8192 bytes");
    else if (gate->stage == GATE_HEAD && section > HEAD_BYTES_MAX)
        gate_refuse(gate, PROBLEM_HEAD_TOO_LARGE,
                    "a request line and its fields have at most 24576 bytes");
    else if (gate->stage == GATE_TRAILERS && section > TRAILERS_MAX)
        gate_refuse(gate, PROBLEM_HEAD_TOO_LARGE, "trailers have at most 4096 bytes");
}

/* Renames a cookie field if the last letter of its name is among the n new bytes. */
static void hide_cookie(const Gate *gate, char *bytes, size_t n)
{
    static const char NAME[] = "cookie";
    const size_t length = sizeof NAME - 1, before = gate->line.length - n;
    if (gate->stage == GATE_HEAD && !first_line(gate) && before < length &&
        gate->line.length >= length && strncasecmp(gate->line.data, NAME, length) == 0)
        bytes[length - 1 - before] = 'x';
}

/* Takes bytes up to the end of a line; returns their number. */
static size_t read_line(Gate *gate, char *bytes, size_t size)
{
    Text *line = &gate->line;
    const char *end = memchr(bytes, '\n', size);
    const size_t n = end ? (size_t)(end - bytes) + 1 : size;
    /* append to the line */
    text_append(line, bytes, n);
    if (!text_ok(line)) {
        gate_refuse(gate, PROBLEM_NO_MEMORY, "out of memory");
        return n;
    }
    /* check the part so far */
    hide_cookie(gate, bytes, n);
    check_length(gate);
    check_protocol(gate);
    if (!end && !gate->refusal.reason)
        check_part_of_line(gate);
    if (!end || gate->refusal.reason)
        return n;
    /* take the complete line */
    gate->section += line->length;
    if (line->length < 2 || line->data[line->length - 2] != '\r')
        gate_refuse(gate, PROBLEM_MALFORMED, "a line that does not end with CR LF");
    else
        take_line(gate, line->data, line->length - 2);
    text_reset(line);
    return n;
}

static size_t skip_body(Gate *gate, size_t size)
{
    const size_t n = gate->left < size ? (size_t)gate->left : size;
    gate->left -= n;
    if (gate->left == 0)
        enter(gate, gate->stage == GATE_CHUNK ? GATE_CHUNK_END : GATE_HEAD);
    return n;
}

/* No byte of another request has come, not even an empty line. */
bool gate_between_requests(const Gate *gate)
{
    return !gate->refusal.reason && gate->stage == GATE_HEAD && gate->section == 0 &&
           gate->line.length == 0;
}

size_t gate_pass(Gate *gate, char *bytes, size_t size)
{
    size_t at = 0, begin = 0; /* of the current request: here, or in earlier bytes */
    while (at < size && !gate->refusal.reason) {
        at += gate->stage == GATE_BODY || gate->stage == GATE_CHUNK
                  ? skip_body(gate, size - at)
                  : read_line(gate, bytes + at, size - at);
        if (gate_between_requests(gate))
            begin = at;
    }
    if (!gate->refusal.reason)
        return size;
    if (gate->whole > gate->before)
        gate->whole = gate->before; /* nobody asks for the head of a refused request */
    return begin;
}

bool gate_has_head(const Gate *gate)
{
    return gate->taken < gate->whole;
}

/* Removes the heads that were taken, now and then, so that moving the others costs little. */
static void forget_taken(Gate *gate)
{
    Text *heads = &gate->heads;
    const size_t rest = heads->length - gate->taken;
    if (gate->taken < rest)
        return;
    if (rest == 0 && heads->capacity > KEPT_MAX)
        text_done(heads);
    else
        memmove(heads->data, heads->data + gate->taken, rest + 1);
    heads->length = rest;
    gate->whole -= gate->taken;
    gate->before -= gate->before < gate->taken ? gate->before : gate->taken;
    gate->taken = 0;
}

bool gate_take_head(Gate *gate, Arena *arena, Head *ret)
{
    if (!gate_has_head(gate))
        return false;
    const char *lines = gate->heads.data + gate->taken;
    bool read = head_read(arena, lines, ret);
    gate->taken = (size_t)(head_end(lines) - gate->heads.data);
    forget_taken(gate);
    return read;
}
