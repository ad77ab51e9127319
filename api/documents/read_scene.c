/* Reading a scene and figures: their words, shape by shape, and the texts in them. */
#include <stdlib.h>
#include <string.h>

#include "api/documents/drawing_reader.h"
#include "core/base/number.h"
#include "core/expr/parse/parse.h"

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

/* The ways in which a member is read. */
typedef enum Kind {
    NUMBER,
    POSITIVE, /* a written number must be > 0 */
    SHARE,    /* a written number must be in [0, 1] */
    POINT,    /* as many numbers as the space has coordinates */
    PAIR,     /* two numbers */
    CONDITION,
    WORDS, /* any text */
    CHOICE,
    COLOR,
    TRAIL_COLOR, /* or "time" */
    TURN,
    TRAIL,
    FRAME, /* the name of a frame, or "ground" */
    NAME,
    CORNER,  /* "corner" or a point */
    VIEW,    /* a choice or a point */
    POINTS,  /* at least two points */
    SAMPLED, /* the point of a curve or a surface */
    RANGE,   /* read with the point */
    PATCHES, /* rows of points */
    N_KINDS
} Kind;

typedef struct Member {
    const char *name;
    Kind kind;
    bool required;
    const char *const *choices; /* ends with NULL */
} Member;

static const char *const PATTERNS[] = {"spokes", "sectors", "octants", "checker", "none", NULL};
static const char *const PARTS[] = {"whole", "upper", "lower", NULL};
static const char *const ROLES[] = {"velocity", "force", "reaction", "momentum",
                                    "torque",   "other", NULL};
static const char *const ANCHORS[] = {"tail", "head", NULL};
static const char *const VIEWS[] = {"iso", "top", "front", "side", NULL};
static const char *const PROJECTIONS[] = {"perspective", "orthographic", NULL};
static const char *const AXES[] = {"x", "y", "z", NULL};
static const char CORNER_WORD[] = "corner";
static const char TIME_WORD[] = "time";

static const Member FRAME_MEMBERS[] = {
    {"name", NAME, true, NULL},
    {"in", FRAME, false, NULL},
    {"at", POINT, false, NULL},
    {"turn", TURN, false, NULL},
};

static const Member CAMERA_MEMBERS[] = {
    {"view", VIEW, false, VIEWS},
    {"follow", WORDS, false, NULL},
    {"look_at", POINT, false, NULL},
    {"span", POSITIVE, false, NULL},
    {"projection", CHOICE, false, PROJECTIONS},
};

static const Member TRAIL_MEMBERS[] = {
    {"on", FRAME, false, NULL},
    {"last", POSITIVE, false, NULL},
    {"color", TRAIL_COLOR, false, NULL},
};

/* Of every item, unless its shape has a member of that name. */
static const Member ITEM_MEMBERS[] = {
    {"name", NAME, false, NULL},   {"in", FRAME, false, NULL},
    {"at", POINT, false, NULL},    {"turn", TURN, false, NULL},
    {"color", COLOR, false, NULL}, {"opacity", SHARE, false, NULL},
    {"label", WORDS, false, NULL}, {"visible", CONDITION, false, NULL},
    {"trail", TRAIL, false, NULL}, {"pattern", CHOICE, false, PATTERNS},
};

enum { SHAPE_MEMBERS = 4 };

typedef struct Shape {
    const char *name;
    bool sampled; /* its points have replaced its texts */
    Member members[SHAPE_MEMBERS];
} Shape;

static const Shape SHAPES[] = {
    {"sphere", false, {{"radius", POSITIVE, true, NULL}}},
    {"ellipsoid", false, {{"semiaxes", POINT, true, NULL}, {"part", CHOICE, false, PARTS}}},
    {"box", false, {{"size", POINT, true, NULL}}},
    {"cylinder", false, {{"radius", POSITIVE, true, NULL}, {"length", POSITIVE, true, NULL}}},
    {"cone", false, {{"radius", POSITIVE, true, NULL}, {"length", POSITIVE, true, NULL}}},
    {"disc", false, {{"radius", POSITIVE, true, NULL}, {"thickness", POSITIVE, false, NULL}}},
    {"wheel", false, {{"radius", POSITIVE, true, NULL}, {"thickness", POSITIVE, false, NULL}}},
    {"ring", false, {{"radius", POSITIVE, true, NULL}, {"tube", POSITIVE, false, NULL}}},
    {"blade", false, {{"length", POSITIVE, true, NULL}}},
    {"rod", false, {{"from", POINT, true, NULL}, {"to", POINT, true, NULL}}},
    {"line", false, {{"from", POINT, true, NULL}, {"to", POINT, true, NULL}}},
    {"spring",
     false,
     {{"from", POINT, true, NULL},
      {"to", POINT, true, NULL},
      {"coils", POSITIVE, false, NULL},
      {"radius", POSITIVE, false, NULL}}},
    {"damper",
     false,
     {{"from", POINT, true, NULL}, {"to", POINT, true, NULL}, {"radius", POSITIVE, false, NULL}}},
    {"polyline", false, {{"points", POINTS, true, NULL}}},
    {"curve",
     false,
     {{"point", SAMPLED, true, NULL},
      {"range", RANGE, true, NULL},
      {"samples", RANGE, false, NULL}}},
    {"curve", true, {{"points", POINTS, true, NULL}}},
    {"surface",
     false,
     {{"point", SAMPLED, true, NULL},
      {"range", RANGE, true, NULL},
      {"samples", RANGE, false, NULL}}},
    {"surface", true, {{"points", PATCHES, true, NULL}}},
    {"point", false, {{"at", POINT, true, NULL}}},
    {"axes", false, {{"length", POSITIVE, false, NULL}}},
    {"text", false, {{"text", WORDS, true, NULL}}},
    {"gauge", false, {{"value", NUMBER, true, NULL}, {"at", CORNER, false, NULL}}},
    {"arrow",
     false,
     {{"vector", POINT, true, NULL},
      {"role", CHOICE, false, ROLES},
      {"anchor", CHOICE, false, ANCHORS}}},
    {"trail",
     false,
     {{"at", POINT, true, NULL},
      {"on", FRAME, false, NULL},
      {"last", POSITIVE, false, NULL},
      {"color", TRAIL_COLOR, false, NULL}}},
    {"ground", false, {{"size", POSITIVE, false, NULL}, {"slide", PAIR, false, NULL}}},
};

/* An object that is being read. */
typedef struct Reading {
    JsonValue object;
    const Shape *shape; /* of an item; else NULL */
} Reading;

/* Doubles a list that is full; NULL when out of memory. */
static void *grown(DrawingReader *x, const void *old, size_t n, size_t room, size_t size)
{
    void *list = json_alloc(x->json, room, size);

    if (list && n)
        memcpy(list, old, n * size);
    return list;
}

static void count_text(DrawingReader *x, JsonValue at, size_t n_values, size_t n_bytes)
{
    const bool fitted = x->n_values <= SCENE_MAX_TEXTS && x->n_bytes <= SCENE_MAX_BYTES;

    x->n_values += n_values;
    x->n_bytes += n_bytes;
    if (fitted && x->n_values > SCENE_MAX_TEXTS)
        json_wrong(
            x->json, at, "use fewer samples or items",
            "the drawing has more than %d texts, each sample of a curve or a surface counted",
            SCENE_MAX_TEXTS);
    else if (fitted && x->n_bytes > SCENE_MAX_BYTES)
        json_wrong(x->json, at, "use fewer samples or shorter texts",
                   "the texts of the drawing have more than %d bytes, each sample of a curve or a "
                   "surface counted",
                   SCENE_MAX_BYTES);
}

static void add_text(DrawingReader *x, JsonValue value, const char *text, bool condition)
{
    enum { FIRST_ROOM = 64 };

    if (x->found.n == x->room) {
        const size_t n = x->found.n, room = n ? 2 * n : FIRST_ROOM;
        x->found.texts = grown(x, x->found.texts, n, room, sizeof *x->found.texts);
        x->found.conditions = grown(x, x->found.conditions, n, room, sizeof *x->found.conditions);
        x->places = grown(x, x->places, n, room, sizeof *x->places);
        x->room = room;
    }
    if (x->json->no_memory)
        return;
    x->found.texts[x->found.n] = (NamedText){.text = text, .pointer = value.pointer};
    x->found.conditions[x->found.n] = condition;
    x->places[x->found.n++] = value.item;
}

void drawing_number(DrawingReader *x, JsonValue value, bool condition)
{
    const char *text;

    if (!condition && cJSON_IsNumber(value.item))
        return;
    if (!json_string(x->json, value,
                     condition ? "a condition as text" : "a number, or an expression as text",
                     &text))
        return;
    count_text(x, value, 1, strlen(text));
    add_text(x, value, text, condition);
}

static void read_number(DrawingReader *x, JsonValue value, const Member *member, const Reading *of)
{
    const bool written = cJSON_IsNumber(value.item);
    const double number = written ? value.item->valuedouble : 1.0;
    (void)of;
    if (member->kind == POSITIVE && !(number > 0))
        json_expected(x->json, value, "a positive number, or an expression as text");
    else if (member->kind == SHARE && !(number >= 0 && number <= 1))
        json_expected(x->json, value, "a number from 0 to 1, or an expression as text");
    else
        drawing_number(x, value, member->kind == CONDITION);
}

/* A list of n numbers. */
static void read_numbers(DrawingReader *x, JsonValue list, size_t n)
{
    const char *expected = n == 2   ? "a list of 2 numbers or texts"
                           : n == 3 ? "a list of 3 numbers or texts"
                                    : "a list of 4 numbers or texts";

    if (!json_is_array(x->json, list, expected))
        return;
    if (json_count(list) != n) {
        json_wrong(x->json, list, NULL, "\"%s\" must be %s, not of %zu",
                   json_path(x->json, list.pointer), expected, json_count(list));
        return;
    }
    for (JsonValue v = json_first(x->json, list); json_present(v);
         v = json_following(x->json, list, v))
        drawing_number(x, v, false);
}

static void read_point(DrawingReader *x, JsonValue value, const Member *member, const Reading *of)
{
    (void)of;
    read_numbers(x, value, member->kind == PAIR ? 2 : x->space);
}

static void read_points(DrawingReader *x, JsonValue list, const Member *member, const Reading *of)
{
    if (!json_is_array(x->json, list, "a list of points") ||
        !json_at_most(x->json, list, SCENE_MAX_POINTS))
        return;
    if (json_count(list) < 2)
        json_wrong(x->json, list, NULL, "\"%s\" needs at least 2 points",
                   json_path(x->json, list.pointer));
    for (JsonValue v = json_first(x->json, list); json_present(v);
         v = json_following(x->json, list, v)) {
        if (member->kind == PATCHES)
            read_points(x, v, &(Member){.kind = POINTS}, of);
        else
            read_numbers(x, v, x->space);
    }
}

/* Each text is checked once, and counted as often as it is sampled. */
static void read_sampled(DrawingReader *x, JsonValue point, const Member *member, const Reading *of)
{
    static const size_t LAST[SAMPLE_RANGES] = {1, 1};
    const bool surface = strcmp(of->shape->name, "surface") == 0;
    const size_t n = surface ? 2 : 1;
    SampleRange ranges[SAMPLE_RANGES];
    (void)member;

    if (!sample_ranges_read(x, of->object, ranges, n) ||
        !json_is_array(x->json, point, "a list of numbers or texts"))
        return;
    const size_t samples = ranges[0].samples * (surface ? ranges[1].samples : 1);
    const size_t before = x->n_values, bytes = x->n_bytes, first = x->found.n;
    read_numbers(x, point, x->space);
    x->n_values = before;
    x->n_bytes = bytes;
    for (size_t k = first; k < x->found.n && !x->json->no_memory; k++) {
        NamedText *found = &x->found.texts[k];
        Text text = TEXT_INIT;
        sample_text(found->text, ranges, n, LAST, &text);
        count_text(x, point, samples, samples * text.length);
        text_reset(&text);
        sample_plain(found->text, ranges, n, &text);
        found->text = text_keep(&text, x->json->arena);
        x->json->no_memory = x->json->no_memory || !found->text;
    }
}

static void read_range(DrawingReader *x, JsonValue value, const Member *member, const Reading *of)
{
    (void)x, (void)value, (void)member, (void)of; /* read_sampled() has read it */
}

static void read_words(DrawingReader *x, JsonValue value, const Member *member, const Reading *of)
{
    const char *text;
    (void)member, (void)of;
    json_string(x->json, value, "text", &text);
}

static void read_one_of(DrawingReader *x, JsonValue value, const Member *member, const Reading *of)
{
    size_t n = 0, index;
    (void)of;
    while (member->choices[n])
        n++;
    json_choice(x->json, value, member->choices, n, &index);
}

static bool is_word(JsonValue value, const char *word)
{
    return cJSON_IsString(value.item) && strcmp(value.item->valuestring, word) == 0;
}

static bool is_hex_color(const char *text)
{
    enum { DIGITS = 6 };

    return text[0] == '#' && strspn(text + 1, "0123456789abcdefABCDEF") == DIGITS &&
           text[1 + DIGITS] == '\0';
}

static void read_color(DrawingReader *x, JsonValue value, const Member *member, const Reading *of)
{
    enum { COLORS = 6 }; /* of the page's palette */
    const bool may_be_time = member->kind == TRAIL_COLOR;
    const char *expected = may_be_time ? "a number from 1 to 6, \"#rrggbb\" or \"time\""
                                       : "a number from 1 to 6, or \"#rrggbb\"";
    int64_t number;
    (void)of;

    if (cJSON_IsNumber(value.item))
        json_integer(x->json, value, expected, 1, COLORS, &number);
    else if (!cJSON_IsString(value.item) ||
             !(is_hex_color(value.item->valuestring) || (may_be_time && is_word(value, TIME_WORD))))
        json_expected(x->json, value, expected);
}

static void read_corner(DrawingReader *x, JsonValue value, const Member *member, const Reading *of)
{
    (void)of;
    if (!is_word(value, CORNER_WORD) && !cJSON_IsArray(value.item))
        json_expected(x->json, value, "\"corner\" or a point");
    else if (!is_word(value, CORNER_WORD))
        read_point(x, value, member, of);
}

static void read_view(DrawingReader *x, JsonValue value, const Member *member, const Reading *of)
{
    if (x->space == 2)
        json_wrong(x->json, value, "leave it out", "a plane scene is seen from the front");
    else if (cJSON_IsArray(value.item))
        read_point(x, value, member, of);
    else
        read_one_of(x, value, member, of);
}

static void read_members(DrawingReader *x, const Reading *of, const char *what,
                         const Member *members, size_t n);

static void read_trail(DrawingReader *x, JsonValue value, const Member *member, const Reading *of)
{
    (void)member, (void)of;
    if (!cJSON_IsBool(value.item))
        read_members(x, &(Reading){.object = value},
                     "true, or an object with \"on\", \"last\", \"color\"", TRAIL_MEMBERS,
                     LENGTH(TRAIL_MEMBERS));
}

/* Frames are looked up after all of them are known (check_frame). */
static void read_frame_name(DrawingReader *x, JsonValue value, const Member *member,
                            const Reading *of)
{
    const char *name;
    (void)member, (void)of;
    if (!json_string(x->json, value, "the name of a frame", &name) || strcmp(name, "ground") == 0)
        return;
    const char **known = json_alloc(x->json, x->n_names + 1, sizeof *known);
    size_t n = 0;
    for (size_t k = 0; known && k < x->n_names; k++) {
        if (x->names[k].is_frame)
            known[n++] = x->names[k].name;
        if (x->names[k].is_frame && strcmp(x->names[k].name, name) == 0)
            return;
    }
    if (known)
        json_wrong(x->json, value, names_hint(x->json->diag, name, "frames", known, n),
                   "there is no frame \"%.80s\"", name);
}

static void read_name(DrawingReader *x, JsonValue value, const Member *member, const Reading *of)
{
    (void)x, (void)value, (void)member, (void)of; /* gather_names() has read it */
}

/* turn */

static void read_euler(DrawingReader *x, JsonValue turn)
{
    enum { MOST_ANGLES = 3 };
    static const char *const MEMBERS[] = {"euler", "angles"};
    const char *axes = "";

    json_object_of(x->json, turn, "a turn", MEMBERS, LENGTH(MEMBERS));
    JsonValue angles = read_required(x->json, turn, "angles");
    JsonValue euler = json_member(x->json, turn, "euler");
    if (!json_string(x->json, euler, "axes such as \"zxz\"", &axes))
        return;
    const size_t n = strlen(axes);
    if (n == 0 || n > MOST_ANGLES || strspn(axes, "xyz") != n) {
        json_expected(x->json, euler, "1 to 3 of the letters x, y, z, such as \"zxz\"");
        return;
    }
    if (!json_present(angles) || !json_is_array(x->json, angles, "a list of angles"))
        return;
    if (json_count(angles) != n)
        json_wrong(x->json, angles, NULL, "\"%s\" has %zu angles for the %zu axes of \"%s\"",
                   json_path(x->json, angles.pointer), json_count(angles), n, axes);
    for (JsonValue v = json_first(x->json, angles); json_present(v);
         v = json_following(x->json, angles, v))
        drawing_number(x, v, false);
}

static void read_matrix(DrawingReader *x, JsonValue turn)
{
    enum { ROWS = 3, FIRST_ROOM = 16 };
    static const char *const MEMBERS[] = {"matrix"};

    json_object_of(x->json, turn, "a turn", MEMBERS, LENGTH(MEMBERS));
    JsonValue rows = json_member(x->json, turn, MEMBERS[0]);
    if (!json_is_array(x->json, rows, "a list of 3 rows"))
        return;
    if (json_count(rows) != ROWS)
        json_wrong(x->json, rows, NULL, "\"%s\" must have 3 rows, not %zu",
                   json_path(x->json, rows.pointer), json_count(rows));
    for (JsonValue v = json_first(x->json, rows); json_present(v);
         v = json_following(x->json, rows, v))
        read_numbers(x, v, ROWS);
    /* kept, to look whether it is a rotation */
    if (x->n_matrices == x->matrices_room) {
        x->matrices_room = x->n_matrices ? 2 * x->n_matrices : FIRST_ROOM;
        x->matrices = grown(x, x->matrices, x->n_matrices, x->matrices_room, sizeof *x->matrices);
    }
    if (x->matrices)
        x->matrices[x->n_matrices++] = rows;
}

/* Two members, of which the first decides and the second is required or has a default. */
static void read_axis_turn(DrawingReader *x, JsonValue turn, const char *const *members,
                           bool required)
{
    json_object_of(x->json, turn, "a turn", members, 2);
    read_numbers(x, json_member(x->json, turn, members[0]), 3);
    JsonValue angle = required ? read_required(x->json, turn, members[1])
                               : json_member(x->json, turn, members[1]);
    if (json_present(angle))
        drawing_number(x, angle, false);
}

static void read_one_turn(DrawingReader *x, JsonValue turn)
{
    static const char *const AXIS[] = {"axis", "angle"}, *const ALONG[] = {"along", "spin"};
    static const char *const QUATERNION[] = {"quaternion"};
    enum { QUATERNION_PARTS = 4 };

    if (json_present(json_member(x->json, turn, "axis"))) {
        read_axis_turn(x, turn, AXIS, true);
    } else if (json_present(json_member(x->json, turn, "along"))) {
        read_axis_turn(x, turn, ALONG, false);
    } else if (json_present(json_member(x->json, turn, "euler"))) {
        read_euler(x, turn);
    } else if (json_present(json_member(x->json, turn, "matrix"))) {
        read_matrix(x, turn);
    } else if (json_present(json_member(x->json, turn, "quaternion"))) {
        json_object_of(x->json, turn, "a turn", QUATERNION, LENGTH(QUATERNION));
        read_numbers(x, json_member(x->json, turn, "quaternion"), QUATERNION_PARTS);
    } else {
        json_expected(x->json, turn,
                      "an object with \"axis\", \"euler\", \"along\", \"matrix\" or "
                      "\"quaternion\"");
    }
}

static void read_turn(DrawingReader *x, JsonValue turn, const Member *member, const Reading *of)
{
    (void)member, (void)of;

    if (x->space == 2) {
        drawing_number(x, turn, false);
        return;
    }
    if (!cJSON_IsArray(turn.item)) {
        read_one_turn(x, turn);
        return;
    }
    if (json_at_most(x->json, turn, SCENE_MAX_TURNS))
        for (JsonValue v = json_first(x->json, turn); json_present(v);
             v = json_following(x->json, turn, v))
            read_one_turn(x, v);
}

typedef void MemberReader(DrawingReader *x, JsonValue value, const Member *member,
                          const Reading *of);

static MemberReader *const READERS[N_KINDS] = {
    [NUMBER] = read_number,     [POSITIVE] = read_number, [SHARE] = read_number,
    [CONDITION] = read_number,  [POINT] = read_point,     [PAIR] = read_point,
    [WORDS] = read_words,       [CHOICE] = read_one_of,   [COLOR] = read_color,
    [TRAIL_COLOR] = read_color, [TURN] = read_turn,       [TRAIL] = read_trail,
    [FRAME] = read_frame_name,  [NAME] = read_name,       [CORNER] = read_corner,
    [VIEW] = read_view,         [POINTS] = read_points,   [SAMPLED] = read_sampled,
    [RANGE] = read_range,       [PATCHES] = read_points,
};

/* Objects with the members of a table; those of the item's shape come first. */
static void read_members(DrawingReader *x, const Reading *of, const char *what,
                         const Member *members, size_t n)
{
    const char *names[SHAPE_MEMBERS + LENGTH(ITEM_MEMBERS) + 1];
    const Member *all[LENGTH(names)];
    size_t n_all = 0, n_names = 0;

    /* all members */
    for (size_t k = 0; of->shape && k < SHAPE_MEMBERS && of->shape->members[k].name; k++)
        all[n_all++] = &of->shape->members[k];
    const size_t n_own = n_all;
    for (size_t k = 0; k < n; k++) {
        size_t own = 0;
        while (own < n_own && strcmp(all[own]->name, members[k].name) != 0)
            own++;
        if (own == n_own)
            all[n_all++] = &members[k];
    }
    /* unknown and missing members, then each that is there */
    for (size_t k = 0; k < n_all; k++)
        names[n_names++] = all[k]->name;
    if (of->shape)
        names[n_names++] = "shape";
    json_object_of(x->json, of->object, what, names, n_names);
    for (size_t k = 0; cJSON_IsObject(of->object.item) && k < n_all; k++) {
        JsonValue value = all[k]->required ? read_required(x->json, of->object, all[k]->name)
                                           : json_member(x->json, of->object, all[k]->name);
        if (json_present(value))
            READERS[all[k]->kind](x, value, all[k], of);
    }
}

/* Names of frames and items */

static void gather_name(DrawingReader *x, JsonValue owner, bool is_frame)
{
    JsonValue value = json_member(x->json, owner, "name");
    const char *name;

    if (!json_present(value) || !json_string(x->json, value, "a name", &name))
        return;
    if (!expr_name_valid(name))
        json_wrong(x->json, value, NULL,
                   "\"%.80s\" is no name: letters, digits and _, and no digit first", name);
    else if (strcmp(name, "ground") == 0 || strstr(name, "__"))
        json_wrong(x->json, value, "choose another name",
                   "\"%.80s\" is reserved: \"ground\", and names with two underscores", name);
    for (size_t k = 0; k < x->n_names; k++)
        if (strcmp(x->names[k].name, name) == 0) {
            json_wrong(x->json, value, "choose another name", "the name \"%.80s\" is given twice",
                       name);
            return;
        }
    x->names[x->n_names++] = (SceneName){name, json_member(x->json, owner, "in"), is_frame};
}

static bool gather_names(DrawingReader *x, JsonValue frames, JsonValue items)
{
    x->names = json_alloc(x->json, json_count(frames) + json_count(items) + 1, sizeof *x->names);
    if (!x->names)
        return false;
    for (JsonValue v = json_first(x->json, frames); json_present(v);
         v = json_following(x->json, frames, v))
        gather_name(x, v, true);
    for (JsonValue v = json_first(x->json, items); json_present(v);
         v = json_following(x->json, items, v))
        gather_name(x, v, false);
    return true;
}

static const SceneName *frame_of(const DrawingReader *x, JsonValue name)
{
    for (size_t k = 0; cJSON_IsString(name.item) && k < x->n_names; k++)
        if (x->names[k].is_frame && strcmp(x->names[k].name, name.item->valuestring) == 0)
            return &x->names[k];
    return NULL;
}

/* A frame must reach the ground within as many steps as there are frames. */
static void check_circles(DrawingReader *x)
{
    for (size_t k = 0; k < x->n_names; k++) {
        const SceneName *frame = &x->names[k];
        size_t steps = 0;
        while (frame && frame->is_frame && steps <= x->n_names) {
            frame = frame_of(x, frame->in);
            steps++;
        }
        if (steps > x->n_names)
            json_wrong(x->json, x->names[k].in, "give one of them in the ground",
                       "the frame \"%.80s\" is given in itself, by way of others or directly",
                       x->names[k].name);
    }
}

static void check_follow(DrawingReader *x, JsonValue camera)
{
    JsonValue follow = json_member(x->json, camera, "follow");

    for (size_t k = 0; k < x->n_names; k++)
        if (is_word(follow, x->names[k].name))
            return;
    if (cJSON_IsString(follow.item))
        json_wrong(x->json, follow, "name a frame or an item",
                   "nothing in the scene has the name \"%.80s\"", follow.item->valuestring);
}

/* The scene */

static const Shape *find_shape(DrawingReader *x, JsonValue item)
{
    const char *names[LENGTH(SHAPES)];
    const Shape *shapes[LENGTH(SHAPES)];
    size_t n = 0, index;

    /* curves and surfaces have one form as written, and one as sampled */
    for (size_t k = 0; k < LENGTH(SHAPES); k++) {
        const bool twice = k + 1 < LENGTH(SHAPES) && SHAPES[k + 1].sampled;
        if (!(x->sampled && twice) && !(!x->sampled && SHAPES[k].sampled)) {
            shapes[n] = &SHAPES[k];
            names[n++] = SHAPES[k].name;
        }
    }
    JsonValue shape = read_required(x->json, item, "shape");
    return json_present(shape) && json_choice(x->json, shape, names, n, &index) ? shapes[index]
                                                                                : NULL;
}

static void read_item(DrawingReader *x, JsonValue item)
{
    if (!json_is_object(x->json, item, "an item (an object)"))
        return;
    const Shape *shape = find_shape(x, item);
    if (shape)
        read_members(x, &(Reading){item, shape}, "an item", ITEM_MEMBERS, LENGTH(ITEM_MEMBERS));
}

static bool is_list(DrawingReader *x, JsonValue list, const char *expected, size_t most)
{
    return json_present(list) && json_is_array(x->json, list, expected) &&
           json_at_most(x->json, list, most);
}

static void read_scene(DrawingReader *x, JsonValue scene)
{
    static const char *const MEMBERS[] = {"space", "up", "frames", "items", "camera"};
    int64_t space = 3;

    json_object_of(x->json, scene, "a scene (an object)", MEMBERS, LENGTH(MEMBERS));
    if (!cJSON_IsObject(scene.item))
        return;
    JsonValue given = json_member(x->json, scene, "space"), up = json_member(x->json, scene, "up");
    if (json_present(given))
        json_integer(x->json, given, "2 or 3", 2, 3, &space);
    x->space = (size_t)space;
    if (json_present(up))
        read_one_of(x, up, &(Member){.choices = AXES}, NULL);
    /* the lists, and the names that they give */
    JsonValue frames = json_member(x->json, scene, "frames");
    JsonValue items = read_required(x->json, scene, "items");
    JsonValue camera = json_member(x->json, scene, "camera");
    const bool has_frames = is_list(x, frames, "a list of frames", SCENE_MAX_FRAMES);
    const bool has_items = is_list(x, items, "a list of items", SCENE_MAX_ITEMS);
    if ((json_present(frames) && !has_frames) || !has_items || !gather_names(x, frames, items))
        return;
    check_circles(x);
    /* their members */
    for (JsonValue v = json_first(x->json, frames); json_present(v);
         v = json_following(x->json, frames, v))
        read_members(x, &(Reading){.object = v}, "a frame (an object)", FRAME_MEMBERS,
                     LENGTH(FRAME_MEMBERS));
    for (JsonValue v = json_first(x->json, items); json_present(v);
         v = json_following(x->json, items, v))
        read_item(x, v);
    if (!json_present(camera))
        return;
    read_members(x, &(Reading){.object = camera}, "a camera (an object)", CAMERA_MEMBERS,
                 LENGTH(CAMERA_MEMBERS));
    check_follow(x, camera);
}

/* The figures */

static void read_figure(DrawingReader *x, JsonValue figure)
{
    static const char *const MEMBERS[] = {"title", "x", "y"};
    const char *title;

    json_object_of(x->json, figure, "a figure (an object)", MEMBERS, LENGTH(MEMBERS));
    if (!cJSON_IsObject(figure.item))
        return;
    JsonValue named = json_member(x->json, figure, "title");
    JsonValue over = json_member(x->json, figure, "x"), y = read_required(x->json, figure, "y");
    if (json_present(named))
        json_string(x->json, named, "text", &title);
    if (json_present(over))
        drawing_number(x, over, false);
    if (!is_list(x, y, "a list of expressions", FIGURE_MAX_CURVES))
        return;
    if (json_count(y) == 0)
        json_wrong(x->json, y, NULL, "a figure needs at least one expression");
    for (JsonValue v = json_first(x->json, y); json_present(v); v = json_following(x->json, y, v))
        drawing_number(x, v, false);
}

void drawing_reader_read(DrawingReader *x, JsonValue scene, JsonValue figures)
{
    if (json_present(scene))
        read_scene(x, scene);
    if (!is_list(x, figures, "a list of figures", DRAWING_MAX_FIGURES))
        return;
    for (JsonValue v = json_first(x->json, figures); json_present(v);
         v = json_following(x->json, figures, v))
        read_figure(x, v);
}

void read_drawing(JsonReader *reader, JsonValue owner, DrawingTexts *ret)
{
    DrawingReader x = {.json = reader};

    drawing_reader_read(&x, json_member(reader, owner, "scene"),
                        json_member(reader, owner, "figures"));
    *ret = x.found;
}
