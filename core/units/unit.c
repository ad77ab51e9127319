/* Units of the SI (Le Systeme international d'unites, 9th edition, 2019), those accepted beside it,
 * and the common ones of engineering, whose factors are exact by definition. */
#include "core/units/unit.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/decimal.h"
#include "core/base/diagnostics.h"

typedef struct UnitRow {
    const char *name;
    const char *factor, *over; /* decimals: factor / over; over NULL: 1 */
    bool prefixes;             /* takes the prefixes of the SI */
    signed char dimension[N_BASE];
    signed char pi; /* times pi to this power */
} UnitRow;

/* dimension: kg, m, s, A, K, mol, cd */
static const UnitRow UNITS[] = {
    /* base units; prefixes of the mass are those of the gram */
    {"m", "1", NULL, true, {0, 1}, 0},
    {"g", "0.001", NULL, true, {1}, 0},
    {"s", "1", NULL, true, {0, 0, 1}, 0},
    {"A", "1", NULL, true, {0, 0, 0, 1}, 0},
    {"K", "1", NULL, true, {0, 0, 0, 0, 1}, 0},
    {"mol", "1", NULL, true, {0, 0, 0, 0, 0, 1}, 0},
    {"cd", "1", NULL, true, {0, 0, 0, 0, 0, 0, 1}, 0},
    /* angles and other numbers */
    {"rad", "1", NULL, true, {0}, 0},
    {"sr", "1", NULL, false, {0}, 0},
    {"deg", "1", "180", false, {0}, 1},
    {"\xc2\xb0", "1", "180", false, {0}, 1},
    {"arcmin", "1", "10800", false, {0}, 1},
    {"arcsec", "1", "648000", false, {0}, 1},
    {"rev", "2", NULL, false, {0}, 1},
    {"rpm", "1", "30", false, {0, 0, -1}, 1},
    {"%", "0.01", NULL, false, {0}, 0},
    /* derived units with names */
    {"Hz", "1", NULL, true, {0, 0, -1}, 0},
    {"N", "1", NULL, true, {1, 1, -2}, 0},
    {"Pa", "1", NULL, true, {1, -1, -2}, 0},
    {"J", "1", NULL, true, {1, 2, -2}, 0},
    {"W", "1", NULL, true, {1, 2, -3}, 0},
    {"C", "1", NULL, true, {0, 0, 1, 1}, 0},
    {"V", "1", NULL, true, {1, 2, -3, -1}, 0},
    {"F", "1", NULL, true, {-1, -2, 4, 2}, 0},
    {"ohm", "1", NULL, true, {1, 2, -3, -2}, 0},
    {"\xce\xa9", "1", NULL, true, {1, 2, -3, -2}, 0},
    {"S", "1", NULL, true, {-1, -2, 3, 2}, 0},
    {"Wb", "1", NULL, true, {1, 2, -2, -1}, 0},
    {"T", "1", NULL, true, {1, 0, -2, -1}, 0},
    {"H", "1", NULL, true, {1, 2, -2, -2}, 0},
    {"lm", "1", NULL, false, {0, 0, 0, 0, 0, 0, 1}, 0},
    {"lx", "1", NULL, false, {0, -2, 0, 0, 0, 0, 1}, 0},
    /* accepted beside the SI */
    {"min", "60", NULL, false, {0, 0, 1}, 0},
    {"h", "3600", NULL, false, {0, 0, 1}, 0},
    {"d", "86400", NULL, false, {0, 0, 1}, 0},
    {"yr", "31557600", NULL, false, {0, 0, 1}, 0}, /* Julian */
    {"L", "0.001", NULL, true, {0, 3}, 0},
    {"l", "0.001", NULL, true, {0, 3}, 0},
    {"t", "1000", NULL, false, {1}, 0},
    {"au", "149597870700", NULL, false, {0, 1}, 0},
    {"eV", "1.602176634e-19", NULL, true, {1, 2, -2}, 0},
    /* of other systems, by their definitions */
    {"bar", "1e5", NULL, true, {1, -1, -2}, 0},
    {"atm", "101325", NULL, false, {1, -1, -2}, 0},
    {"mmHg", "133.322387415", NULL, false, {1, -1, -2}, 0},
    {"angstrom", "1e-10", NULL, false, {0, 1}, 0},
    {"Wh", "3600", NULL, true, {1, 2, -2}, 0},
    {"cal", "4.184", NULL, true, {1, 2, -2}, 0},
    {"dyn", "1e-5", NULL, false, {1, 1, -2}, 0},
    {"erg", "1e-7", NULL, false, {1, 2, -2}, 0},
    {"kgf", "9.80665", NULL, false, {1, 1, -2}, 0},
    {"in", "0.0254", NULL, false, {0, 1}, 0},
    {"ft", "0.3048", NULL, false, {0, 1}, 0},
    {"yd", "0.9144", NULL, false, {0, 1}, 0},
    {"mi", "1609.344", NULL, false, {0, 1}, 0},
    {"nmi", "1852", NULL, false, {0, 1}, 0},
    {"mph", "0.44704", NULL, false, {0, 1, -1}, 0},
    {"kn", "1852", "3600", false, {0, 1, -1}, 0},
    {"lb", "0.45359237", NULL, false, {1}, 0},
    {"oz", "0.028349523125", NULL, false, {1}, 0},
    {"lbf", "4.4482216152605", NULL, false, {1, 1, -2}, 0},
    {"psi", "4.4482216152605", "0.00064516", false, {1, -1, -2}, 0},
    {"hp", "745.69987158227022", NULL, false, {1, 2, -3}, 0},
};

enum { N_UNITS = sizeof UNITS / sizeof *UNITS };

static const struct {
    const char *name;
    int exponent;
} PREFIXES[] = {
    {"da", 1},        {"h", 2},         {"k", 3},  {"M", 6},   {"G", 9},   {"T", 12},
    {"P", 15},        {"E", 18},        {"d", -1}, {"c", -2},  {"m", -3},  {"u", -6},
    {"\xc2\xb5", -6}, {"\xce\xbc", -6}, {"n", -9}, {"p", -12}, {"f", -15}, {"a", -18},
};

/* Common misspellings and other names, with the unit that is meant. */
static const char *const OTHERS[][2] = {
    {"meter", "m"},         {"meters", "m"},    {"metre", "m"},    {"metres", "m"},
    {"sec", "s"},           {"second", "s"},    {"seconds", "s"},  {"kilogram", "kg"},
    {"kilograms", "kg"},    {"Kg", "kg"},       {"gram", "g"},     {"grams", "g"},
    {"newton", "N"},        {"newtons", "N"},   {"joule", "J"},    {"watt", "W"},
    {"radian", "rad"},      {"radians", "rad"}, {"degree", "deg"}, {"degrees", "deg"},
    {"inch", "in"},         {"foot", "ft"},     {"feet", "ft"},    {"mile", "mi"},
    {"hour", "h"},          {"hours", "h"},     {"minute", "min"}, {"minutes", "min"},
    {"day", "d"},           {"days", "d"},      {"year", "yr"},    {"hr", "h"},
    {"Ohm", "ohm"},         {"knot", "kn"},     {"knots", "kn"},   {"kph", "km/h"},
    {"kmh", "km/h"},        {"sqm", "m^2"},     {"cc", "cm^3"},    {"none", "1"},
    {"dimensionless", "1"}, {"number", "1"},    {"-", "1"},
};

/* State of reading a product of powers, left to right. */
typedef struct Reader {
    const char *text, *at;
    Unit *unit;
    UnitMistake *mistake;
    bool below, below_all; /* behind a stroke; in parentheses behind a stroke */
    bool open;
} Reader;

static bool wrong(const Reader *r, const char *at, const char *hint, const char *message)
{
    *r->mistake = (UnitMistake){.offset = (size_t)(at - r->text)};
    snprintf(r->mistake->message, sizeof r->mistake->message, "%s", message);
    snprintf(r->mistake->hint, sizeof r->mistake->hint, "%s", hint);
    return false;
}

/* The multiplication point of UTF-8. */
static bool is_dot(const char *c)
{
    return strncmp(c, "\xc2\xb7", 2) == 0;
}

static bool is_name(const char *c)
{
    const unsigned char u = (unsigned char)*c;
    return !is_dot(c) &&
           ((u >= 'a' && u <= 'z') || (u >= 'A' && u <= 'Z') || u == '%' || u >= 0x80);
}

static const UnitRow *row_of(const char *name, size_t length)
{
    for (size_t i = 0; i < N_UNITS; i++)
        if (strlen(UNITS[i].name) == length && strncmp(UNITS[i].name, name, length) == 0)
            return &UNITS[i];
    return NULL;
}

/* Finds a name as it stands, else as a prefix and a name. */
static const UnitRow *find_unit(const char *name, size_t length, int *ret_prefix)
{
    const UnitRow *row = row_of(name, length);

    *ret_prefix = 0;
    for (size_t i = 0; !row && i < sizeof PREFIXES / sizeof *PREFIXES; i++) {
        const size_t prefix = strlen(PREFIXES[i].name);
        if (length <= prefix || strncmp(PREFIXES[i].name, name, prefix) != 0)
            continue;
        row = row_of(name + prefix, length - prefix);
        if (row && !row->prefixes)
            row = NULL;
        *ret_prefix = PREFIXES[i].exponent;
    }
    return row;
}

static bool wrong_name(const Reader *r, const char *name, size_t length)
{
    const char *names[N_UNITS], *meant = NULL;
    char message[100], hint[100] = "";

    for (size_t i = 0; i < N_UNITS; i++)
        names[i] = UNITS[i].name;
    for (size_t i = 0; i < sizeof OTHERS / sizeof *OTHERS; i++)
        if (strlen(OTHERS[i][0]) == length && strncmp(OTHERS[i][0], name, length) == 0)
            meant = OTHERS[i][1];
    /* no factor converts these scales: they get a hint of their own */
    const bool celsius =
        length == 4 && (strncmp(name, "degC", 4) == 0 || strncmp(name, "degF", 4) == 0);
    if (!meant && !celsius)
        meant = nearest_name(name, length, names, N_UNITS);
    if (celsius)
        snprintf(hint, sizeof hint, "its zero is not that of a quantity: use K");
    else if (meant)
        snprintf(hint, sizeof hint, "did you mean \"%s\"?", meant);
    else
        snprintf(hint, sizeof hint, "such as kg, mm, N*m or m/s^2");
    snprintf(message, sizeof message, "unknown unit \"%.*s\"", length < 60 ? (int)length : 60,
             name);
    return wrong(r, name, hint, message);
}

/* fraction^n; false if it is too long. */
static bool fraction_power(Rational *fraction, int n)
{
    Rational inverse = rational_of(false, 1, 0, 1);

    if (!rational_power(fraction, (uint64_t)abs(n)))
        return false;
    if (n >= 0)
        return true;
    const bool fits = rational_divide(&inverse, fraction);
    *fraction = inverse;
    return fits;
}

static bool row_fraction(const UnitRow *row, int prefix, Rational *ret)
{
    const Rational tens = rational_of(false, 1, prefix, 1);
    Rational over = rational_of(false, 1, 0, 1);

    return rational_read(row->factor, strlen(row->factor), ret) &&
           (!row->over || rational_read(row->over, strlen(row->over), &over)) &&
           rational_divide(ret, &over) && rational_multiply(ret, &tens);
}

static bool is_one(const Rational *fraction)
{
    const Rational one = rational_of(false, 1, 0, 1);
    return rational_equal(fraction, &one);
}

/* Multiplies the shown powers by this one; a power leaves the list at exponent 0. */
static bool show_power(Unit *unit, const char *name, size_t length, Exponent n)
{
    unsigned k = 0;

    while (k < unit->n_powers && (strlen(unit->powers[k].name) != length ||
                                  strncmp(unit->powers[k].name, name, length) != 0))
        k++;
    /* a new name starts with exponent 0 */
    if (k == unit->n_powers) {
        if (k == UNIT_POWERS_MAX || length >= UNIT_NAME_MAX)
            return false;
        unit->powers[k] = (UnitPower){.exponent = exponent_whole(0)};
        memcpy(unit->powers[k].name, name, length);
        unit->n_powers++;
    }
    if (!exponent_add(&unit->powers[k].exponent, n))
        return false;
    if (unit->powers[k].exponent.numerator == 0) {
        memmove(&unit->powers[k], &unit->powers[k + 1],
                (unit->n_powers - k - 1) * sizeof *unit->powers);
        unit->n_powers--;
    }
    return true;
}

/* Multiplies the unit by a power of a name that ends before r->at. */
static bool add_power(Reader *r, const char *name, size_t length, Exponent n)
{
    Rational fraction;
    int prefix;
    const UnitRow *row = find_unit(name, length, &prefix);

    if (!row)
        return wrong_name(r, name, length);
    Dimension dimension = dimension_number();
    for (int k = 0; k < N_BASE; k++)
        dimension.exponents[k] = exponent_whole(row->dimension[k]);
    bool fits = row_fraction(row, prefix, &fraction);
    if (n.denominator != 1 && (row->pi || !is_one(&fraction)))
        return wrong(r, name, "write it in units of the SI",
                     "a root of this unit has no exact factor");
    /* the factor of the power; a root has factor 1 */
    if (n.denominator == 1) {
        fits = fits && fraction_power(&fraction, n.numerator);
        r->unit->pi += row->pi * n.numerator;
    }
    if (!fits || !dimension_multiply(&r->unit->dimension, &dimension, n) ||
        !rational_multiply(&r->unit->fraction, &fraction) || !show_power(r->unit, name, length, n))
        return wrong(r, name, "", "the unit is too long, or its factor too large");
    return true;
}

static bool read_digits(Reader *r, int *ret)
{
    const char *start = r->at;

    *ret = 0;
    while (*r->at >= '0' && *r->at <= '9' && *ret < 1000)
        *ret = 10 * *ret + *r->at++ - '0';
    return r->at > start && *ret <= 100;
}

/* ^2, ^-2, ^(1/2), ^(-2), ^0.5 */
static bool read_exponent(Reader *r, Exponent *ret)
{
    const char *start = r->at++;
    int p, q = 1, sign = 1;
    const bool parentheses = *r->at == '(';

    r->at += parentheses;
    if (*r->at == '-') {
        sign = -1;
        r->at++;
    }
    /* p, (p/q) or p.5 */
    bool good = read_digits(r, &p);
    if (good && parentheses && *r->at == '/') {
        r->at++;
        good = read_digits(r, &q) && q > 0;
    } else if (good && *r->at == '.' && r->at[1] == '5' && !(r->at[2] >= '0' && r->at[2] <= '9')) {
        r->at += 2;
        p = 2 * p + 1;
        q = 2;
    }
    if (good && parentheses)
        good = *r->at++ == ')';
    *ret = exponent_whole(sign * p);
    Exponent part = {1, (int16_t)q};
    if (!good || p == 0 || !exponent_multiply(ret, part))
        return wrong(r, start, "as in m^2, m^-1, m^(1/2), with numbers up to 100",
                     "behind ^ there is to be a whole number or a fraction of such");
    return true;
}

static bool read_factor(Reader *r)
{
    const char *name = r->at;
    Exponent n = exponent_whole(1);

    /* a 1, as in 1/s */
    if (*r->at == '1' && !(r->at[1] >= '0' && r->at[1] <= '9') && r->at[1] != '.') {
        r->at++;
        return true;
    }
    /* a name, which is not followed by a digit */
    while (is_name(r->at))
        r->at++;
    const size_t length = (size_t)(r->at - name);
    if (length == 0)
        return wrong(r, r->at, "as in kg*m/s^2",
                     *r->at ? "the name of a unit is expected" : "the name of a unit is missing");
    if (*r->at >= '0' && *r->at <= '9')
        return wrong(r, r->at, "as in m^2", "a power is written with ^");
    /* its exponent, negative below a stroke */
    if (*r->at == '^' && !read_exponent(r, &n))
        return false;
    if (r->below != r->below_all)
        n.numerator = (int16_t)-n.numerator;
    return add_power(r, name, length, n);
}

/* Reads the link behind a factor. False at the end, or after a mistake; then *ret_good is false. */
static bool read_link(Reader *r, bool *ret_good)
{
    *ret_good = true;
    if (r->open && *r->at == ')') {
        r->at++;
        r->open = r->below_all = false;
        r->below = false;
    }
    if (*r->at == '\0') {
        *ret_good = !r->open || wrong(r, r->at, "", "no \")\" for the \"(\"");
        return false;
    }
    /* the operator, and an opening parenthesis */
    const bool dot = is_dot(r->at);
    if (*r->at != '*' && *r->at != '/' && !dot) {
        *ret_good = wrong(r, r->at, "as in kg*m/s^2", "\"*\" or \"/\" is expected");
        return false;
    }
    r->below = *r->at == '/';
    r->at += dot ? 2 : 1;
    if (*r->at == '(' && !r->open) {
        r->below_all = r->below;
        r->below = false;
        r->open = true;
        r->at++;
    }
    return true;
}

/* pi and 1 / pi, each as a double and the rest that it leaves. */
static const double PI = 3.141592653589793116, PI_REST = 1.2246467991473532e-16;
static const double INVERSE = 0.31830988618379069, INVERSE_REST = -1.9678676675182486e-17;

/* The rounding error of a double, exactly: value - number. */
static bool excess(double value, const Rational *number, Rational *ret)
{
    int exponent;
    const double mantissa = ldexp(frexp(value, &exponent), 53);
    Rational power = rational_of(false, 2, 0, 1), less = *number;

    exponent -= 53;
    if (!fraction_power(&power, exponent < 0 ? 0 : exponent))
        return false;
    if (exponent < 0) { /* 2^-k = 5^k 10^-k */
        const Rational tens = rational_of(false, 1, exponent, 1);
        power = rational_of(false, 5, 0, 1);
        if (!rational_power(&power, (uint64_t)-exponent) || !rational_multiply(&power, &tens))
            return false;
    }
    *ret = rational_of(false, (uint64_t)mantissa, 0, 1);
    less.negative = !less.negative;
    return rational_multiply(ret, &power) && rational_add(ret, &less);
}

/* (a + b) * (c + d) with small b and d: Dekker (1971), with fused operations. */
static void multiply_by(Unit *unit, double c, double d)
{
    const double product = unit->factor * c;
    const double error = fma(unit->factor, c, -product) + (unit->factor * d + unit->rest * c);

    unit->factor = product + error;
    unit->rest = error - (unit->factor - product);
}

static bool sum_factor(Unit *unit)
{
    Rational more;

    unit->scales = unit->pi != 0 || !is_one(&unit->fraction);
    unit->factor = rational_nearest(&unit->fraction);
    unit->rest = 0;
    if (!(unit->factor >= 1e-150 && unit->factor <= 1e150) || abs(unit->pi) > 8)
        return false;
    if (excess(unit->factor, &unit->fraction, &more))
        unit->rest = -rational_nearest(&more);
    for (int k = 0; k < abs(unit->pi); k++)
        multiply_by(unit, unit->pi > 0 ? PI : INVERSE, unit->pi > 0 ? PI_REST : INVERSE_REST);
    return true;
}

static Unit one(void)
{
    return (Unit){
        .dimension = dimension_number(), .fraction = rational_of(false, 1, 0, 1), .factor = 1};
}

bool unit_read(const char *text, Unit *ret, UnitMistake *ret_mistake)
{
    Reader r = {.text = text, .at = text, .unit = ret, .mistake = ret_mistake};
    bool good = true, more = true;

    *ret = one();
    if (strlen(text) > UNIT_TEXT_MAX)
        return wrong(&r, text, "", "the unit is too long");
    while (good && more) {
        good = read_factor(&r);
        if (good)
            more = read_link(&r, &good);
    }
    if (good && !sum_factor(ret))
        return wrong(&r, text, "", "the factor of the unit is too large or too small");
    return good;
}

Unit unit_of(const Dimension *dimension)
{
    Unit unit = one();

    unit.dimension = *dimension;
    unit.n_powers = dimension_powers(dimension, unit.powers);
    return unit;
}

bool unit_divide(Unit *a, const Unit *b)
{
    const Exponent minus = exponent_whole(-1);

    if (!dimension_multiply(&a->dimension, &b->dimension, minus) ||
        !rational_divide(&a->fraction, &b->fraction))
        return false;
    a->pi -= b->pi;
    for (unsigned k = 0; k < b->n_powers; k++) {
        Exponent n = b->powers[k].exponent;
        n.numerator = (int16_t)-n.numerator;
        if (!show_power(a, b->powers[k].name, strlen(b->powers[k].name), n))
            return false;
    }
    return sum_factor(a);
}

/* Converts a number by the rounded factor, without regard to its decimal meaning. */
static double scale(const Unit *unit, double value)
{
    return unit->scales ? fma(value, unit->factor, value * unit->rest) : value;
}

double unit_to_si(const Unit *unit, double value)
{
    Rational exact;

    if (unit->scales && unit->pi == 0 && decimal_rational(value, &exact) &&
        rational_multiply(&exact, &unit->fraction))
        return rational_nearest(&exact);
    return scale(unit, value);
}

const char *unit_misfit(double value, double in_si)
{
    if (!isfinite(value))
        return "the value is not a finite number";
    if (!isfinite(in_si))
        return "the value is too large in units of the SI";
    return in_si == 0 && value != 0 ? "the value is too small in units of the SI" : NULL;
}

/* The nearest number of 15 digits, or the value itself if its powers of ten are not exact. */
static double round_decimal(double value)
{
    static const double TENS[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                  1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                  1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    enum { DIGITS = 15, MOST = sizeof TENS / sizeof *TENS - 1 };
    int binary;

    frexp(value, &binary);
    int places = DIGITS - 1 - (int)floor((binary - 1) * 0.301029995663981195);
    if (places < -MOST || places > MOST)
        return value;
    /* the estimate may be too large by one */
    if (places > 0 && fabs(value) * TENS[places] >= TENS[DIGITS])
        places--;
    return places >= 0 ? rint(value * TENS[places]) / TENS[places]
                       : rint(value / TENS[-places]) * TENS[-places];
}

double unit_shown(const Unit *unit, double value)
{
    if (!unit->scales)
        return value;
    const double quotient = value / unit->factor;
    const double left = fma(-quotient, unit->factor, value) - quotient * unit->rest;
    const double nearest = quotient + left / unit->factor, given = round_decimal(nearest);
    /* a converted input is shown as it was given, even if half an ulp from the nearest */
    const bool close = fabs(given - nearest) <= 2 * DBL_EPSILON * fabs(nearest);
    return close && unit_to_si(unit, given) == value ? given : nearest;
}

void unit_print(const Unit *unit, Text *out)
{
    powers_print(unit->powers, unit->n_powers, out);
}

const char *unit_name(size_t k, Unit *ret, bool *ret_prefixes)
{
    UnitMistake mistake;

    if (k >= N_UNITS || !unit_read(UNITS[k].name, ret, &mistake))
        return NULL;
    *ret_prefixes = UNITS[k].prefixes;
    return UNITS[k].name;
}
