/* Arb's balls, matrices, polynomials and functions. Arb is a part of FLINT 3; with FLINT 2 it is a
 * library with headers of its own. Private to core/exact. */
#ifndef CORE_EXACT_ARB_H
#define CORE_EXACT_ARB_H

#if __has_include(<flint/arb_mat.h>)
#include <flint/arb_hypgeom.h>
#include <flint/arb_mat.h>
#include <flint/arb_poly.h>
#else
#include <arb_hypgeom.h>
#include <arb_mat.h>
#include <arb_poly.h>
#endif

#endif
