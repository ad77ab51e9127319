/* Shared by readers of documents: required members, constants, expressions and values by name,
 * choices. */
#include "api/documents/read.h"

#include <string.h>

#include "core/expr/parse/parse.h"

void warn(Warnings *warnings, const char *text)
{
    if (warnings->n < WARNINGS_MAX)
        warnings->items[warnings->n++] = text;
}

JsonValue read_required(JsonReader *reader, JsonValue object, const char *name)
{
    JsonValue member = json_member(reader, object, name);
    if (!json_present(member))
        json_wrong(reader, object, NULL, "the member \"%s\" is missing", name);
    return member;
}

bool read_constant(JsonReader *reader, JsonValue value, double *ret_value)
{
    if (cJSON_IsString(value.item))
        return expr_parse_constant(value.item->valuestring, value.pointer, reader->diag, ret_value);
    return json_number(reader, value, "a number, or a constant expression such as \"pi/3\"",
                       ret_value);
}

void read_named_texts(JsonReader *reader, JsonValue object, const char *expected, size_t most,
                      const NamedText **ret_texts, size_t *ret_n)
{
    if (!json_present(object) || !json_is_object(reader, object, expected) ||
        !json_at_most(reader, object, most))
        return;
    size_t n = json_count(object), k = 0;
    NamedText *texts = json_alloc(reader, n, sizeof *texts);
    if (!texts)
        return;
    for (JsonValue member = json_first(reader, object); json_present(member);
         member = json_following(reader, object, member), k++) {
        texts[k] = (NamedText){.name = json_name(reader, member), .pointer = member.pointer};
        json_string(reader, member, "an expression as text", &texts[k].text);
    }
    *ret_texts = texts;
    *ret_n = n;
}

void read_named_values(JsonReader *reader, JsonValue object, bool constants, size_t most,
                       const NamedValue **ret_values, size_t *ret_n)
{
    if (!json_present(object) || !json_is_object(reader, object, "an object of numbers by name") ||
        !json_at_most(reader, object, most))
        return;
    size_t n = json_count(object), k = 0;
    NamedValue *values = json_alloc(reader, n, sizeof *values);
    if (!values)
        return;
    /* each number, or constant expression */
    for (JsonValue member = json_first(reader, object); json_present(member);
         member = json_following(reader, object, member), k++) {
        values[k] = (NamedValue){.name = json_name(reader, member), .pointer = member.pointer};
        if (constants)
            read_constant(reader, member, &values[k].value);
        else
            json_number(reader, member, "a number", &values[k].value);
    }
    *ret_values = values;
    *ret_n = n;
}

static bool is_among(const char *name, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

bool read_choice(JsonReader *reader, JsonValue value, const NameChoice *choice,
                 const char **ret_name)
{
    const char *given = cJSON_IsString(value.item) ? value.item->valuestring : NULL;
    size_t index;

    if (given && !is_among(given, choice->names, choice->n) &&
        is_among(given, choice->later, choice->n_later))
        return json_wrong(reader, value, NULL, "the %s \"%s\" is not available in this version",
                          choice->noun, given);
    if (!json_choice(reader, value, choice->names, choice->n, &index))
        return false;
    *ret_name = choice->names[index];
    return true;
}
