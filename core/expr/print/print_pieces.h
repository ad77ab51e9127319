/* The printer's state and the common parts of its formats. Private to core/expr.
 *
 * The pieces still to be written are on a stack; writing a node pushes its own text and its
 * operands. So there is no recursion, and a text that grows too long stops in time. */
#ifndef CORE_EXPR_PRINT_PIECES_H
#define CORE_EXPR_PRINT_PIECES_H

#include "core/expr/graph/pool.h"
#include "core/expr/print/print.h"

/* Binding of a text: in a context that binds tighter it gets parentheses. */
typedef enum Level {
    LEVEL_OR,
    LEVEL_AND,
    LEVEL_NOT,
    LEVEL_COMPARE,
    LEVEL_SUM,
    LEVEL_PRODUCT,
    LEVEL_POWER,
    LEVEL_ATOM,
} Level;

typedef enum PieceKind { PIECE_TEXT, PIECE_NUMBER, PIECE_EXPR, PIECE_TERM } PieceKind;

typedef struct Piece {
    PieceKind kind;
    Level context;    /* of PIECE_EXPR */
    const char *text; /* of PIECE_TEXT: in a literal, or a name */
    size_t length;    /* of PIECE_TEXT */
    double value;     /* of PIECE_NUMBER; the positive coefficient of PIECE_TERM */
    Expr e;           /* of PIECE_EXPR and PIECE_TERM */
} Piece;

/* A term of a sum or a factor of a product, with its sort keys in order. */
typedef struct Ranked {
    int rank;
    uint64_t first, second, hash;
    Expr e;
    double coef;
} Ranked;

/* The factors of a product (or another node as one factor) in the order of writing. */
typedef struct Factors {
    Ranked *list;
    size_t n, n_below; /* all, and those with a negative exponent */
} Factors;

typedef struct Printer Printer;

/* Words of a format for conditions: between two operands, and before one. */
typedef struct ConditionWords {
    const char *less, *less_equal, *equal, *conjunction, *disjunction, *negation;
    const char *unequal; /* NULL: written in its stored form */
    Level negated;       /* the lowest level after the negation */
} ConditionWords;

typedef struct PrintStyle {
    const char *open, *close;        /* parentheses */
    const char *times, *times_power; /* between factors; before a power of a number */
    ConditionWords conditions;
    void (*factor)(Printer *printer, Expr e, double exponent);     /* exponent > 0 */
    void (*number)(Printer *printer, double value);                /* not negative */
    void (*term)(Printer *printer, double coef, const Factors *e); /* coef > 0 times e */
    void (*call)(Printer *printer, Expr e); /* functions, conditions, systems */
    /* NULL: every number, or every call, binds like an atom */
    Level (*number_level)(double value);
    Level (*call_level)(const ExprPool *pool, Expr e);
} PrintStyle;

extern const PrintStyle print_style_text, print_style_latex, print_style_c;

struct Printer {
    const ExprPool *pool;
    const PrintStyle *style;
    PrintNames names;
    uint32_t last_rate; /* the last symbol with the name of a velocity; 0 if there is none */
    Text *out;
    Piece *pieces;
    size_t n, capacity;
    bool failed; /* out of memory */
};

/* Pieces are pushed in the order of writing. */
void printer_text(Printer *printer, const char *text);
void printer_number(Printer *printer, double value);
void printer_expr(Printer *printer, Expr e, Level context);

/* The operands of e from `from` up to `to`, with `between` in between. */
void printer_list(Printer *printer, Expr e, uint32_t from, uint32_t to, const char *between);
/* A text with operands of e: @0 the first, ~0 the first as an atom, @* all with commas. */
void printer_form(Printer *printer, const char *form, Expr e);
/* A comparison or a connective. */
void printer_condition(Printer *printer, Expr e);

/* Writes the factors whose exponents have the sign; behind: after a number. */
void printer_write_factors(Printer *printer, const Factors *factors, double sign, bool behind);

/* A number as a quotient p/q, or as p pi / q, if that reads better; otherwise q is 1. Dividing the
 * doubles (p times pi first) gives the value exactly. */
typedef struct Quotient {
    double p, q;
    bool pi;
} Quotient;

Quotient printer_quotient(double value);

/* a != b is stored as a < b or b < a: true for this form, with a and b. */
bool printer_unequal(const ExprPool *pool, Expr e, Expr *ret_a, Expr *ret_b);

#endif
