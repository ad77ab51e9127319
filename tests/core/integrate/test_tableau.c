/* The coefficients of DOP853 against the theory: the order conditions, one for each rooted tree.
 *
 * A tree is a level sequence (Beyer, Hedetniemi, SIAM J. Comput. 9 (1980) 706): the depths of its
 * nodes in preorder. Weights b have order p when sum b_i Phi_i(tree) = 1 / gamma(tree) for all
 * trees with at most p nodes; dense output when the sum is theta^nodes / gamma. */
#include <math.h>
#include <string.h>

#include "core/integrate/dop853_tableau.h"
#include "tests/core/integrate/problems.h"
#include "tests/suite.h"

enum { MAX_NODES = 8 };

typedef struct Tree {
    int nodes, level[MAX_NODES];
} Tree;

static void first_tree(Tree *tree, int nodes)
{
    tree->nodes = nodes;
    for (int i = 0; i < nodes; i++)
        tree->level[i] = i;
}

static bool next_tree(Tree *tree)
{
    int p = tree->nodes - 1, q;
    while (p > 0 && tree->level[p] == 1)
        p--;
    if (p <= 0)
        return false;
    q = p - 1;
    while (tree->level[q] != tree->level[p] - 1)
        q--;
    for (int i = p; i < tree->nodes; i++)
        tree->level[i] = tree->level[i - (p - q)];
    return true;
}

static int subtree_end(const Tree *tree, int root)
{
    int end = root + 1;
    while (end < tree->nodes && tree->level[end] > tree->level[root])
        end++;
    return end;
}

static double gamma_of(const Tree *tree)
{
    double gamma = 1;
    for (int i = 0; i < tree->nodes; i++)
        gamma *= subtree_end(tree, i) - i;
    return gamma;
}

static const Dop853Row *stage_row(int stage)
{
    return stage == DOP853_STAGES ? &DOP853_B : &DOP853_A[stage];
}

/* Phi of the subtree at `root`, for each stage; recursion as deep as a tree of eight nodes. */
static void phi(const Tree *tree, int root, double *ret_phi)
{
    int end = subtree_end(tree, root);
    for (int s = 0; s < DOP853_ALL_STAGES; s++)
        ret_phi[s] = 1;
    for (int child = root + 1; child < end; child = subtree_end(tree, child)) {
        double inner[DOP853_ALL_STAGES];
        phi(tree, child, inner);
        for (int s = 0; s < DOP853_ALL_STAGES; s++) {
            const Dop853Row *row = stage_row(s);
            double sum = 0;
            for (int j = 0; j < row->n; j++) {
                double from = row->stage[j] != 0 ? inner[0] : 0;
                sum += row->weight[j] * (inner[row->stage[j]] - from);
            }
            ret_phi[s] *= sum;
        }
    }
}

static void add_row(const Dop853Row *row, double factor, double *weights)
{
    for (int j = 0; j < row->n; j++) {
        weights[row->stage[j]] += factor * row->weight[j];
        if (row->stage[j] != 0)
            weights[0] -= factor * row->weight[j];
    }
}

/* The largest violation of the conditions of this order; *ret_trees counts them. */
static double violation(const double *weights, double theta, int order, int *ret_trees)
{
    double worst = 0;
    Tree tree;
    *ret_trees = 0;
    first_tree(&tree, order);
    do {
        double p[DOP853_ALL_STAGES], sum = 0, size = 0;
        phi(&tree, 0, p);
        for (int s = 0; s < DOP853_ALL_STAGES; s++) {
            sum += weights[s] * p[s];
            size += fabs(weights[s] * p[s]);
        }
        worst = fmax(worst, fabs(sum - pow(theta, order) / gamma_of(&tree)) / (1 + size));
        ++*ret_trees;
    } while (next_tree(&tree));
    return worst;
}

static void check_order(const double *weights, double theta, int order)
{
    static const int trees_of_order[] = {0, 1, 1, 2, 4, 9, 20, 48, 115};
    int trees;
    for (int p = 1; p <= order; p++) {
        double worst = violation(weights, theta, p, &trees);
        ck_assert_int_eq(trees, trees_of_order[p]);
        ck_assert_msg(worst < 1e-14, "order %d violated by %g", p, worst);
    }
    if (order < MAX_NODES)
        ck_assert(violation(weights, theta, order + 1, &trees) > 1e-7);
}

START_TEST(weights_have_order_eight)
{
    double b[DOP853_ALL_STAGES] = {0};
    add_row(&DOP853_B, 1, b);
    check_order(b, 1, 8);
}
END_TEST

START_TEST(embedded_weights_have_orders_five_and_three)
{
    double b5[DOP853_ALL_STAGES] = {0}, b3[DOP853_ALL_STAGES] = {0};
    add_row(&DOP853_B, 1, b5);
    add_row(&DOP853_E5, -1, b5);
    check_order(b5, 1, 5);
    add_row(&DOP853_E3, -1, b3);
    check_order(b3, 1, 3);
}
END_TEST

/* The published weights of the first stage, which the differences make superfluous. */
START_TEST(weights_of_the_first_stage_are_the_published_ones)
{
    static const double a0[DOP853_ALL_STAGES] = {
        0.0,
        5.26001519587677318785587544488e-2,
        1.97250569845378994544595329183e-2,
        2.95875854768068491816892993775e-2,
        2.41365134159266685502369798665e-1,
        3.7037037037037037037037037037e-2,
        3.7109375e-2,
        3.70920001185047927108779319836e-2,
        6.24110958716075717114429577812e-1,
        4.77662536438264365890433908527e-1,
        -9.3714243008598732571704021658e-1,
        2.27331014751653820792359768449,
        5.42937341165687622380535766363e-2,
        5.61675022830479523392909219681e-2,
        3.18346481635021405060768473261e-2,
        -4.28896301583791923408573538692e-1,
    };
    for (int s = 0; s < DOP853_ALL_STAGES; s++) {
        double w[DOP853_ALL_STAGES] = {0};
        add_row(stage_row(s), 1, w);
        ck_assert_double_eq_tol(w[0], a0[s], 1e-14);
    }
}
END_TEST

START_TEST(dense_output_has_order_seven)
{
    for (double theta = 0.1; theta < 1; theta += 0.2) {
        const double rest = 1 - theta;
        double w[DOP853_ALL_STAGES] = {0};
        /* y + theta (rise + rest (start + theta (end + rest (d0 + theta (d1 + rest (d2 +
         * ...)))))) */
        double bend = theta * rest, high = bend * theta * rest;
        add_row(&DOP853_B, theta, w);
        add_row(&DOP853_B, -bend, w);
        w[0] += bend;
        add_row(&DOP853_B, 2 * bend * theta, w);
        w[0] -= bend * theta;
        w[DOP853_STAGES] -= bend * theta;
        add_row(&DOP853_D[0], high, w);
        add_row(&DOP853_D[1], high * theta, w);
        add_row(&DOP853_D[2], high * theta * rest, w);
        add_row(&DOP853_D[3], high * theta * rest * theta, w);
        check_order(w, theta, 7);
    }
}
END_TEST

/* The method adds the stage that was evaluated last as the last term. */
START_TEST(each_argument_ends_with_the_stage_before_it)
{
    for (int stage = 2; stage < DOP853_ALL_STAGES; stage++) {
        const Dop853Row *row = &DOP853_A[stage];
        if (stage == DOP853_STAGES) /* the new state */
            continue;
        ck_assert_int_ge(row->n, 2);
        ck_assert_int_eq(row->stage[row->n - 1], stage - 1);
    }
}
END_TEST

SUITE(tableau)
{
    TCase *tcase = suite_case(suite, "tableau");
    tcase_add_test(tcase, weights_have_order_eight);
    tcase_add_test(tcase, embedded_weights_have_orders_five_and_three);
    tcase_add_test(tcase, weights_of_the_first_stage_are_the_published_ones);
    tcase_add_test(tcase, dense_output_has_order_seven);
    tcase_add_test(tcase, each_argument_ends_with_the_stage_before_it);
}
