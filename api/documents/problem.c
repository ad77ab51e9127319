/* Problem documents (RFC 9457) with the list of mistakes of a document. */
#include "api/documents/documents.h"

#include "api/json/writer.h"

/* The detail of a problem without one: its first mistake in words. */
static void put_first_mistake(JsonWriter *writer, const Diagnostics *diag)
{
    Text text = TEXT_INIT;
    const Diagnostic *first = &diag->items[0];

    if (*first->pointer)
        text_printf(&text, "%s: ", first->pointer);
    text_puts(&text, first->message);
    if (first->hint)
        text_printf(&text, "; %s", first->hint);
    if (diag->total > 1)
        text_printf(&text, " (and %zu more)", diag->total - 1);
    json_put_string(writer, text_string(&text));
    if (!text_ok(&text))
        writer->out->failed = true; /* as if it had been written there */
    text_done(&text);
}

static void put_mistake(JsonWriter *writer, const Diagnostic *mistake)
{
    json_open_object(writer);
    json_member_string(writer, "pointer", mistake->pointer);
    if (mistake->offset >= 0)
        json_member_signed(writer, "offset", mistake->offset);
    json_member_string(writer, "message", mistake->message);
    if (mistake->hint)
        json_member_string(writer, "hint", mistake->hint);
    json_close_object(writer);
}

void problem_write(Text *out, int status, const char *code, const char *title, const char *detail,
                   const char *instance, const Diagnostics *diag)
{
    JsonWriter writer;

    json_writer_init(&writer, out);
    json_open_object(&writer);
    json_key(&writer, "type");
    text_printf(out, "\"/problems/%s\"", code);
    writer.comma = true;
    /* for people; the first mistake replaces a missing detail */
    json_member_string(&writer, "title", title);
    json_member_signed(&writer, "status", status);
    if (detail) {
        json_member_string(&writer, "detail", detail);
    } else if (diag && diag->count > 0) {
        json_key(&writer, "detail");
        put_first_mistake(&writer, diag);
    }
    if (instance)
        json_member_string(&writer, "instance", instance);
    /* for programs: the code, and every mistake with its place */
    json_member_string(&writer, "code", code);
    if (diag && diag->total > 0) {
        json_member_array(&writer, "errors");
        for (size_t i = 0; i < diag->count; i++)
            put_mistake(&writer, &diag->items[i]);
        json_close_array(&writer);
        if (diag->total > diag->count)
            json_member_unsigned(&writer, "more_errors", diag->total - diag->count);
    }
    json_close_object(&writer);
}
