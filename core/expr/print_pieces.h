/* The printer's state and what its formats share. Private to core/expr.
 *
 * What is still to be written is a stack of pieces; writing a node pushes its own text and its
 * operands. So nothing recurses, and a text that grows too long stops in time. */
#ifndef CORE_EXPR_PRINT_PIECES_H
#define CORE_EXPR_PRINT_PIECES_H

#include "core/expr/pool.h"
#include "core/expr/print.h"

/* How tightly a text holds together: inside a tighter context it gets parentheses. */
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

typedef enum PieceKind { PIECE_TEXT, PIECE_NUMBER, PIECE_EXPR, PIECE_TERM, PIECE_SYMBOL } PieceKind;

typedef struct Piece {
    PieceKind kind;
    Level context;    /* of PIECE_EXPR */
    const char *text; /* of PIECE_TEXT: a literal, or one of the names */
    double value;     /* of PIECE_NUMBER; the positive coefficient of PIECE_TERM */
    Expr e;           /* of PIECE_EXPR and PIECE_TERM */
} Piece;

/* A term of a sum or a factor of a product, with what it is sorted by, in this order. */
typedef struct Ranked {
    int rank;
    uint64_t first, second, hash;
    Expr e;
    double coef;
} Ranked;

typedef struct Printer Printer;

typedef struct PrintStyle {
    const char *open, *close;                            /* parentheses */
    void (*number)(Printer *printer, double value);      /* not negative */
    void (*term)(Printer *printer, double coef, Expr e); /* coef > 0 times e */
    void (*call)(Printer *printer, Expr e);              /* functions, conditions, systems */
    Level (*number_level)(double value);
    Level (*call_level)(const ExprPool *pool, Expr e);
} PrintStyle;

extern const PrintStyle print_style_text, print_style_latex, print_style_c;

struct Printer {
    const ExprPool *pool;
    const PrintStyle *style;
    PrintNames names;
    uint32_t last_rate; /* the last symbol named like a velocity; 0 when there is none */
    Text *out;
    Piece *pieces;
    size_t n, capacity;
    bool failed; /* out of memory */
};

/* Pieces are pushed in the order in which they are written. */
void printer_text(Printer *printer, const char *text);
void printer_number(Printer *printer, double value);
void printer_expr(Printer *printer, Expr e, Level context);

/* The factors of a product (of anything else: itself) in the order of writing; heap, free(). NULL
 * when out of memory (and failed). */
Ranked *printer_factors(Printer *printer, Expr e, size_t *ret_n);

/* The text of e as a whole. */
Level printer_level(const Printer *printer, Expr e);

/* A number as a quotient p/q, or as p pi / q, when that reads better; q is 1 when not. Dividing the
 * doubles (p times pi first) gives the value exactly. */
typedef struct Quotient {
    double p, q;
    bool pi;
} Quotient;

Quotient printer_quotient(double value);

/* a != b is stored as a < b or b < a: true for that, with a and b. */
bool printer_unequal(const ExprPool *pool, Expr e, Expr *ret_a, Expr *ret_b);

/* "s7" names what has no name; such a text is written at once. */
void printer_write_symbol(Printer *printer, uint32_t symbol);

#endif
