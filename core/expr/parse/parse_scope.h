/* The meaning of names. Private to core/expr; the public half is in parse.h. */
#ifndef CORE_EXPR_PARSE_SCOPE_H
#define CORE_EXPR_PARSE_SCOPE_H

#include "core/base/arena.h"
#include "core/expr/parse/parse.h"
#include "core/expr/parse/words.h"

typedef struct ScopeName {
    const char *name;
    Expr value;
    const char *broken; /* the reason why it has no value, or NULL */
    const char *kinds;  /* heading under which hints list it, or NULL */
    Dimension dimension;
} ScopeName;

typedef struct ScopeCoordinate {
    Expr position, velocity, acceleration; /* acceleration may be EXPR_NONE */
} ScopeCoordinate;

typedef struct ScopeForm {
    const char *form;
    const char *argument; /* NULL: none */
    Expr value;
    const char *broken; /* the reason why it has no value, or NULL */
    Dimension dimension;
} ScopeForm;

/* The hint for a name that is known elsewhere. */
typedef struct ScopeHint {
    const char *name, *hint;
} ScopeHint;

struct ExprScope {
    ScopeName *names;
    size_t n_names, names_capacity;
    uint32_t *table; /* 1 + place in names, by hash of the name; open addressing */
    size_t table_size;
    ScopeCoordinate *coordinates;
    size_t n_coordinates, coordinates_capacity;
    ScopeForm *forms;
    size_t n_forms, forms_capacity;
    ScopeHint *hints;
    size_t n_hints, hints_capacity;
    const char *kinds; /* of the names to be added */
    Expr time;         /* EXPR_NONE: not known here */
    Dimension time_dimension;
    bool forgives; /* dimensions that do not fit */
    Arena texts;   /* owns the names */
};

const ScopeName *scope_find(const ExprScope *scope, const char *name, size_t length);
const char *scope_hint(const ExprScope *scope, const char *name, size_t length); /* or NULL */
bool scope_is_coordinate(const ExprScope *scope, const char *name, size_t length);
const ScopeForm *scope_find_form(const ExprScope *scope, const char *form, size_t form_length,
                                 const char *argument, size_t argument_length);
/* True if the scope has the form with some argument. */
bool scope_has_form(const ExprScope *scope, const char *form, size_t length);

/* "coordinates: x; parameters: g, l", as far as a hint has room. */
void scope_list(const ExprScope *scope, Text *out);

/* Among functions if called, else values: the name that differs only in case; the nearest. */
const char *scope_but_for_case(const ExprScope *scope, const char *name, size_t length,
                               bool called);
const char *scope_nearest(const ExprScope *scope, const char *name, size_t length, bool called);
/* "known here: c1, c2": the arguments of a form. */
void scope_list_arguments(const ExprScope *scope, const char *form, size_t length, Text *out);
/* The nearest name among the arguments of a form. */
const char *scope_nearest_argument(const ExprScope *scope, const char *form, size_t form_length,
                                   const char *name, size_t length);

/* A quantity; NULL if there is none of this name. */
const ExprWord *scope_form_word(const char *name, size_t length);

/* A piece of the parsed text. */
typedef struct Word {
    const char *text;
    size_t length;
} Word;

/* Hints for spellings of other languages and of mathematics (parse_foreign.c). Each function writes
 * a hint and returns true if it knows one. */

/* The name of a function. `argument` is its argument if this is one word, else empty. */
bool foreign_function(Word name, Word argument, Text *ret_hint);
bool foreign_value(Word name, Text *ret_hint);
/* The velocity or acceleration of a coordinate of the scope: xdot, x_dot, dxdt, vx, ... */
bool foreign_velocity(const ExprScope *scope, Word name, Text *ret_hint);
/* Units after a number. */
bool foreign_unit(Word name, Text *ret_hint);

/* Appends the pattern with the word for every @, or "..." if the word is empty. */
void foreign_fill(const char *pattern, Word word, Text *out);

#endif
