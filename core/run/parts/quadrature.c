/* Integrals by 15 values, of which 7 tell how good they are. */
#include "core/run/parts/quadrature.h"

#include <math.h>

/* Points of (0, 1] and weights of Kronrod's rule with 15 points; those of Gauss with 7 are every
 * second, from the middle. */
enum { KRONROD = 8, GAUSS = 4 };
static const double NODE[KRONROD] = {0,
                                     0.207784955007898467600689403773245,
                                     0.405845151377397166906606412076961,
                                     0.586087235467691130294144691693013,
                                     0.741531185599394439863864773280788,
                                     0.864864423359769072789712788640926,
                                     0.949107912342758524526189684047851,
                                     0.991455371120812639206854697526329};
static const double KRONROD_WEIGHT[KRONROD] = {
    0.209482141084727828012999174891714, 0.204432940075298892414161999234649,
    0.190350578064785409913256402421014, 0.169004726639267902826583426598550,
    0.140653259715525918745189590510238, 0.104790010322250183839876322541518,
    0.063092092629978553290700663189204, 0.022935322010529224963732008058970};
static const double GAUSS_WEIGHT[GAUSS] = {
    0.417959183673469387755102040816327, 0.381830050505118944950369775488975,
    0.279705391489276667901467771423780, 0.129484966168869693270611432679082};

/* Its place in the tables. */
static int place_of(int k)
{
    return k < KRONROD ? k : k - KRONROD + 1;
}

double quadrature_node(int k)
{
    return k < KRONROD ? NODE[k] : -NODE[place_of(k)];
}

Quadrature quadrature_sums(const double *values, double reach)
{
    double kronrod = 0, gauss = 0, size = 0;

    for (int k = QUADRATURE_NODES; k-- > 0;) {
        const int i = place_of(k);
        kronrod += KRONROD_WEIGHT[i] * values[k];
        size += KRONROD_WEIGHT[i] * fabs(values[k]);
        gauss += i % 2 == 0 ? GAUSS_WEIGHT[i / 2] * values[k] : 0;
    }
    return (Quadrature){
        .integral = kronrod * reach, .size = size * reach, .off = fabs(kronrod - gauss) * reach};
}
