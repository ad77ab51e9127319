/* Names in LaTeX: Greek letters by their names, digits and the part after _ as an index. */
#include <string.h>

#include "core/expr/print/print.h"

static const char *const GREEK[] = {
    "alpha", "beta",   "gamma", "delta",   "epsilon", "zeta",  "eta",   "theta", "iota",
    "kappa", "lambda", "mu",    "nu",      "xi",      "rho",   "sigma", "tau",   "upsilon",
    "phi",   "chi",    "psi",   "omega",   "varphi",  "Gamma", "Delta", "Theta", "Lambda",
    "Xi",    "Pi",     "Sigma", "Upsilon", "Phi",     "Psi",   "Omega"};

static bool is_greek(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof GREEK / sizeof GREEK[0]; i++)
        if (strlen(GREEK[i]) == length && memcmp(GREEK[i], name, length) == 0)
            return true;
    return false;
}

/* The letters of a name without its index. */
static void write_letters(const char *name, size_t length, Text *out)
{
    if (length == 1 && name[0] != '_') {
        text_putc(out, name[0]);
        return;
    }
    if (is_greek(name, length)) {
        text_putc(out, '\\');
        text_append(out, name, length);
        return;
    }
    text_puts(out, "\\mathrm{");
    for (size_t i = 0; i < length; i++) {
        if (name[i] == '_')
            text_putc(out, '\\');
        text_putc(out, name[i]);
    }
    text_puts(out, "}");
}

void print_latex_name(const char *name, Text *out)
{
    size_t length = strlen(name), letters = length;

    while (letters > 0 && name[letters - 1] >= '0' && name[letters - 1] <= '9')
        letters--;
    const char *digits = name + letters;
    if (letters > 1 && *digits && name[letters - 1] == '_') /* theta_1 is theta1 */
        letters--;
    write_letters(name, letters, out);
    if (*digits)
        text_printf(out, "_{%s}", digits);
}
