/* The table of the words of the language; its functions are those of EXPR_FUNCTION_LIST. */
#include "core/expr/parse/words.h"

#include "core/expr/graph/expr.h"

/* clang-format off */
static const ExprWord WORDS[] = {
#define WORD(op, name, operands, arguments, meaning) \
    {name, WORD_FUNCTION, arguments, meaning, true},
    EXPR_FUNCTION_LIST(WORD)
#undef WORD
    {"dot", WORD_DERIVATIVE, "e",
     "velocity of a coordinate; of an expression in coordinates and time its derivative "
     "along the motion", true},
    {"ddot", WORD_DERIVATIVE, "q", "acceleration of a coordinate, in observables and events", true},
    {"der", WORD_DERIVATIVE, "e", "the same as dot(e)", true},
    {"if", WORD_CHOICE, "condition, a, b", "a where the condition holds, else b", true},
    {"multiplier", WORD_QUANTITY, "constraint",
     "multiplier of a constraint, by its name or as cK", true},
    {"reaction", WORD_QUANTITY, "coordinate", "reaction force along a coordinate", true},
    {"energy", WORD_QUANTITY, "", "sum of dot(q) dL/d(dot(q)), less L", true},
    {"momentum", WORD_QUANTITY, "coordinate", "dL/d(dot(q)) of a coordinate", false},
    {"kinetic", WORD_QUANTITY, "", "part of L of degree 2 in the velocities", false},
    {"lagrangian", WORD_QUANTITY, "", "L", false},
    {"t", WORD_VARIABLE, NULL, "time", true},
    {"pi", WORD_CONSTANT, NULL,
     "3.14159..., exact where it is asked whether something vanishes", true},
    {"not", WORD_CONNECTIVE, NULL, "of conditions; binds before and", true},
    {"and", WORD_CONNECTIVE, NULL, "of conditions; binds before or", true},
    {"or", WORD_CONNECTIVE, NULL, "of conditions", true},
};
/* clang-format on */

size_t expr_words(const ExprWord **ret_words)
{
    *ret_words = WORDS;
    return sizeof WORDS / sizeof WORDS[0];
}
