/* Reading "notify": the receiver of a notification at the end of a job, and the kinds of end.
 * prepared_job.c checks later whether the service may call the URL. */
#include <string.h>

#include "api/documents/documents.h"
#include "api/documents/read.h"

/* The first one stands for all others. */
static const char *const EVENTS[] = {"done", "succeeded", "failed", "cancelled"};
enum { N_EVENTS = sizeof EVENTS / sizeof *EVENTS };

static void read_on(JsonReader *reader, JsonValue on, NotifyInput *ret_notify)
{
    static const char EXPECTED[] = "a list of one or more of \"done\", \"succeeded\", \"failed\", "
                                   "\"cancelled\"";
    bool known[N_EVENTS] = {false};
    size_t index;

    ret_notify->on = "[\"done\"]";
    if (!json_present(on) || !json_is_array(reader, on, EXPECTED) ||
        !json_at_most(reader, on, N_EVENTS))
        return;
    if (json_count(on) == 0)
        json_expected(reader, on, EXPECTED);
    /* each end once, as a JSON list */
    Text text = TEXT_INIT;
    for (JsonValue v = json_first(reader, on); json_present(v); v = json_following(reader, on, v)) {
        if (!json_choice(reader, v, EVENTS, N_EVENTS, &index))
            continue;
        if (known[index])
            json_wrong(reader, v, NULL, "\"%s\" is listed twice", EVENTS[index]);
        known[index] = true;
        text_printf(&text, "%c\"%s\"", text.length ? ',' : '[', EVENTS[index]);
    }
    text_putc(&text, ']');
    ret_notify->on = text_keep(&text, reader->arena);
    reader->no_memory = reader->no_memory || !ret_notify->on;
}

void read_notify(JsonReader *reader, JsonValue notify, NotifyInput *ret_notify)
{
    static const char *const MEMBERS[] = {"url", "on"};
    const char *text;
    Error err = {0};

    *ret_notify = (NotifyInput){.given = json_present(notify)};
    if (!ret_notify->given)
        return;
    json_object_of(reader, notify, "an object such as {\"url\": \"https://example.org/hook\"}",
                   MEMBERS, 2);
    if (!cJSON_IsObject(notify.item))
        return;
    read_on(reader, json_member(reader, notify, "on"), ret_notify);
    JsonValue url = read_required(reader, notify, "url");
    if (!json_present(url) || !json_string(reader, url, "a URL", &text))
        return;
    const Status status = webhook_url_read(text, reader->arena, &ret_notify->url, &err);
    if (status == ERR_INVALID)
        json_wrong(reader, url, NULL, "\"notify.url\" %s", err.message);
    else if (status == ERR_INTERNAL)
        json_wrong(reader, url, NULL, "\"notify.url\" cannot be read: %s", err.message);
    else if (status != OK)
        reader->no_memory = true;
}
