/* Freezes the corners and looks at the guards. */
#include "core/motion/corners.h"

#include <stdlib.h>

#include "core/base/arena.h"
#include "core/expr/calculus/calculus.h"

Status corners_depend(const Model *model, const Expr *exprs, size_t n, const Expr *symbols,
                      size_t n_symbols, bool *ret_depend, Error *err)
{
    Arena scratch = {0};
    ExprPool *pool = expr_pool_clone(model->pool);
    Expr *frozen = ARENA_NEW(&scratch, n, Expr);
    ExprSwitch *switches = NULL;
    size_t n_switches = 0;
    Status status =
        pool ? arena_status(&scratch, err) : error_set(err, ERR_NO_MEMORY, "out of memory");

    /* freeze the corners, and test their guards */
    if (status == OK)
        status = expr_freeze_switches(pool, exprs, n, model->sym.first_free, frozen, &switches,
                                      &n_switches, err);
    *ret_depend = false;
    for (size_t k = 0; status == OK && k < n_switches && !*ret_depend; k++)
        status = expr_uses(pool, &switches[k].guard, 1, symbols, n_symbols, ret_depend, err);
    free(switches);
    arena_done(&scratch);
    expr_pool_free(pool);
    return status;
}
