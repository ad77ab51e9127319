/* Two rows of two lanes at a time are transposed: half the loads and stores of single numbers. */
#include "core/program/compile/columns.h"

typedef double Pair __attribute__((vector_size(16), aligned(8), may_alias));

static inline Pair pair_at(const double *at)
{
    return *(const Pair *)(const void *)at;
}

static inline void set_pair(double *at, Pair value)
{
    *(Pair *)(void *)at = value;
}

static void put_one(double *rows, size_t n, size_t lanes, const double *column)
{
    for (size_t r = 0; column && r < n; r++, rows += lanes)
        *rows = column[r];
}

static void put_two(double *rows, size_t n, size_t lanes, const double *a, const double *b)
{
    size_t r = 0;
    for (; r + 2 <= n; r += 2, rows += 2 * lanes) {
        const Pair x = pair_at(a + r), y = pair_at(b + r);
        set_pair(rows, (Pair){x[0], y[0]});
        set_pair(rows + lanes, (Pair){x[1], y[1]});
    }
    if (r < n)
        set_pair(rows, (Pair){a[r], b[r]});
}

void columns_put(double *rows, size_t n, size_t lanes, const double *const *columns)
{
    for (size_t l = 0; l < lanes;) {
        if (l + 1 < lanes && columns[l] && columns[l + 1]) {
            put_two(rows + l, n, lanes, columns[l], columns[l + 1]);
            l += 2;
        } else {
            put_one(rows + l, n, lanes, columns[l]);
            l++;
        }
    }
}

static void take_one(const double *rows, size_t n, size_t lanes, double *column)
{
    for (size_t r = 0; column && r < n; r++, rows += lanes)
        column[r] = *rows;
}

static void take_two(const double *rows, size_t n, size_t lanes, double *a, double *b)
{
    size_t r = 0;
    for (; r + 2 <= n; r += 2, rows += 2 * lanes) {
        const Pair x = pair_at(rows), y = pair_at(rows + lanes);
        set_pair(a + r, (Pair){x[0], y[0]});
        set_pair(b + r, (Pair){x[1], y[1]});
    }
    if (r < n) {
        a[r] = rows[0];
        b[r] = rows[1];
    }
}

void columns_take(const double *rows, size_t n, size_t lanes, double *const *columns)
{
    for (size_t l = 0; l < lanes;) {
        if (l + 1 < lanes && columns[l] && columns[l + 1]) {
            take_two(rows + l, n, lanes, columns[l], columns[l + 1]);
            l += 2;
        } else {
            take_one(rows + l, n, lanes, columns[l]);
            l++;
        }
    }
}
