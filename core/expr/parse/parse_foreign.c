/* Words of other programs and of mathematics, each with its spelling here. */
#include "core/expr/parse/parse_scope.h"

#include <string.h>
#include <strings.h>

#include "core/expr/parse/parse_state.h"

typedef struct Foreign {
    const char *name;
    const char *hint; /* our name alone, or a hint with @ for the argument */
} Foreign;

#define HEAVISIDE "write if(@ > 0, 1, 0)"
#define DERIVATIVE "write dot(@)"
#define RADIANS "angles are in radians: write "

static const Foreign FUNCTIONS[] = {
    {"sgn", "sign"},
    {"signum", "sign"},
    {"ln", "log"},
    {"log2", "write log(@)/log(2)"},
    {"fabs", "abs"},
    {"power", "pow"},
    {"arcsin", "asin"},
    {"arccos", "acos"},
    {"arctan", "atan"},
    {"arctan2", "atan2"},
    {"arcsinh", "asinh"},
    {"arsinh", "asinh"},
    {"arccosh", "acosh"},
    {"arcosh", "acosh"},
    {"arctanh", "atanh"},
    {"artanh", "atanh"},
    {"cot", "write 1/tan(@)"},
    {"sec", "write 1/cos(@)"},
    {"csc", "write 1/sin(@)"},
    {"coth", "write 1/tanh(@)"},
    {"sech", "write 1/cosh(@)"},
    {"csch", "write 1/sinh(@)"},
    {"sind", RADIANS "sin(@*pi/180)"},
    {"cosd", RADIANS "cos(@*pi/180)"},
    {"tand", RADIANS "tan(@*pi/180)"},
    {"radians", "write @*pi/180"},
    {"deg2rad", "write @*pi/180"},
    {"heaviside", HEAVISIDE},
    {"step", HEAVISIDE},
    {"H", HEAVISIDE},
    {"d", DERIVATIVE},
    {"D", DERIVATIVE},
    {"ddt", DERIVATIVE},
    {"diff", DERIVATIVE},
    {"derivative", DERIVATIVE},
};

#define DEGREES "an angle in degrees is written as in 30*pi/180"

static const Foreign ANGLES[] = {{"deg", DEGREES}, {"degree", DEGREES}, {"degrees", DEGREES}};
static const Foreign VALUES[] = {{"e", "e^x is written exp(x)"}};

static const char *const UNITS[] = {"s",  "ms", "min", "h", "m",  "mm", "cm", "km", "g",   "kg",
                                    "mg", "N",  "kN",  "J", "kJ", "W",  "kW", "Hz", "rad", "Nm"};

/* Text before and after the name of a coordinate. */
static const struct {
    const char *before, *after, *hint;
} VELOCITIES[] = {
    {"", "dot", "write dot(@)"},    {"", "_dot", "write dot(@)"}, {"d", "dt", "write dot(@)"},
    {"d", "_dt", "write dot(@)"},   {"v", "", "write dot(@)"},    {"v_", "", "write dot(@)"},
    {"", "d", "write dot(@)"},      {"", "p", "write dot(@)"},    {"dot", "", "write dot(@)"},
    {"dot_", "", "write dot(@)"},   {"d", "", "write dot(@)"},    {"", "ddot", "write ddot(@)"},
    {"", "_ddot", "write ddot(@)"}, {"", "dd", "write ddot(@)"},  {"", "pp", "write ddot(@)"},
};

/* Case matters only for names of one letter. */
static bool is_word(Word word, const char *name)
{
    if (strlen(name) != word.length)
        return false;
    return word.length == 1 ? name[0] == word.text[0]
                            : strncasecmp(name, word.text, word.length) == 0;
}

void foreign_fill(const char *pattern, Word word, Text *out)
{
    for (; *pattern; pattern++) {
        if (*pattern != '@')
            text_putc(out, *pattern);
        else if (word.length == 0 || word.length > PARSER_QUOTE_MAX)
            text_puts(out, "...");
        else
            text_append(out, word.text, word.length);
    }
}

static bool foreign_find(const Foreign *table, size_t n, Word name, Word argument, Text *ret_hint)
{
    for (size_t i = 0; i < n; i++) {
        if (!is_word(name, table[i].name))
            continue;
        if (strchr(table[i].hint, ' '))
            foreign_fill(table[i].hint, argument, ret_hint);
        else
            text_printf(ret_hint, "did you mean \"%s\"?", table[i].hint);
        return true;
    }
    return false;
}

#define FIND(table, ...) foreign_find(table, sizeof(table) / sizeof(table)[0], __VA_ARGS__)

bool foreign_function(Word name, Word argument, Text *ret_hint)
{
    return FIND(FUNCTIONS, name, argument, ret_hint);
}

bool foreign_value(Word name, Text *ret_hint)
{
    const Word none = {NULL, 0};
    return FIND(ANGLES, name, none, ret_hint) || FIND(VALUES, name, none, ret_hint);
}

bool foreign_velocity(const ExprScope *scope, Word name, Text *ret_hint)
{
    for (size_t i = 0; i < sizeof VELOCITIES / sizeof VELOCITIES[0]; i++) {
        const char *before = VELOCITIES[i].before, *after = VELOCITIES[i].after;
        size_t start = strlen(before), rest = strlen(after);
        if (name.length <= start + rest || memcmp(name.text, before, start) != 0 ||
            memcmp(name.text + name.length - rest, after, rest) != 0)
            continue;
        const Word coordinate = {name.text + start, name.length - start - rest};
        if (scope_is_coordinate(scope, coordinate.text, coordinate.length)) {
            foreign_fill(VELOCITIES[i].hint, coordinate, ret_hint);
            return true;
        }
    }
    return false;
}

/* Case matters here: mg and MG. */
bool foreign_unit(Word name, Text *ret_hint)
{
    const Word none = {NULL, 0};

    if (FIND(ANGLES, name, none, ret_hint))
        return true;
    for (size_t i = 0; i < sizeof UNITS / sizeof UNITS[0]; i++) {
        if (strlen(UNITS[i]) != name.length || memcmp(UNITS[i], name.text, name.length) != 0)
            continue;
        text_puts(ret_hint, "units are not written: give the number alone");
        return true;
    }
    return false;
}
