/* Parses the expressions of PROGRAM_OP_LIST once: sums, products, signs, vec_*. */
#include "core/program/native/meaning.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct Reader {
    const char *at;
    Meaning *to;
} Reader;

typedef struct Named {
    const char *name;
    StepKind kind;
} Named;

static const Named FUNCTIONS[] = {
    {"vec_sqrt", STEP_SQRT},
    {"vec_abs", STEP_ABS},
    {"vec_sign", STEP_SIGN},
    {"vec_min", STEP_MIN},
    {"vec_max", STEP_MAX},
    {"vec_less", STEP_LESS},
    {"vec_less_equal", STEP_LESS_EQUAL},
    {"vec_equal", STEP_EQUAL},
    {"vec_if", STEP_IF},
};

static Meaning meanings[OP_END];
static pthread_once_t once = PTHREAD_ONCE_INIT;

unsigned step_operands(StepKind kind)
{
    return kind == STEP_IF ? 3 : kind >= STEP_NEG ? 1 : 2;
}

/* An expression that cannot be parsed is an error in this program. */
static void add(Meaning *to, unsigned item)
{
    if (to->length == MEANING_MOST)
        abort();
    to->items[to->length++] = (uint8_t)item;
}

static char look(Reader *r)
{
    while (*r->at == ' ')
        r->at++;
    return *r->at;
}

static bool take(Reader *r, char wanted)
{
    if (look(r) != wanted)
        return false;
    r->at++;
    return true;
}

/* NOLINTBEGIN(misc-no-recursion): the texts are the interpreter's own */
static void read_sum(Reader *r);

static void read_call(Reader *r)
{
    const size_t length = strcspn(r->at, "(");
    size_t k = 0;
    while (strlen(FUNCTIONS[k].name) != length || memcmp(FUNCTIONS[k].name, r->at, length) != 0)
        if (++k == sizeof FUNCTIONS / sizeof *FUNCTIONS)
            abort();
    r->at += length + 1;
    do
        read_sum(r);
    while (take(r, ','));
    if (!take(r, ')'))
        abort();
    add(r->to, MEANING_STEP + FUNCTIONS[k].kind);
}

/* A letter, 1.0, parentheses or a function, with signs in front. */
static void read_atom(Reader *r)
{
    /* the operand comes first, then its sign */
    if (take(r, '-')) {
        read_atom(r);
        add(r->to, MEANING_STEP + STEP_NEG);
    } else if (take(r, '(')) {
        read_sum(r);
        if (!take(r, ')'))
            abort();
    } else if (strncmp(r->at, "1.0", 3) == 0) {
        r->at += 3;
        add(r->to, MEANING_ONE);
    } else if (strncmp(r->at, "vec_", 4) == 0) {
        read_call(r);
    } else {
        const unsigned operand = (unsigned)(*r->at++ - 'a');
        if (operand >= PROGRAM_MAX_OPERANDS)
            abort();
        add(r->to, operand);
    }
}

static void read_product(Reader *r)
{
    read_atom(r);
    for (;;) {
        const char sign = look(r);
        if (sign != '*' && sign != '/')
            return;
        r->at++;
        read_atom(r);
        add(r->to, MEANING_STEP + (sign == '*' ? STEP_MUL : STEP_DIV));
    }
}

static void read_sum(Reader *r)
{
    read_product(r);
    for (;;) {
        const char sign = look(r);
        if (sign != '+' && sign != '-')
            return;
        r->at++;
        read_product(r);
        add(r->to, MEANING_STEP + (sign == '+' ? STEP_ADD : STEP_SUB));
    }
}
/* NOLINTEND(misc-no-recursion) */

static void read_all(void)
{
    static const char *const EXPRESSIONS[OP_END] = {
#define MEANING_ROW(name, operands, expression) [OP_##name] = #expression,
        PROGRAM_BASIC_LIST(MEANING_ROW) PROGRAM_FUSED_LIST(MEANING_ROW)
#undef MEANING_ROW
    };
    for (size_t op = 0; op < OP_END; op++) {
        Reader reader = {EXPRESSIONS[op], &meanings[op]};
        if (!EXPRESSIONS[op])
            continue;
        read_sum(&reader);
        if (look(&reader) != '\0')
            abort();
    }
}

const Meaning *meaning_of(ProgramOp op)
{
    pthread_once(&once, read_all);
    return &meanings[op];
}
