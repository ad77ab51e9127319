/* DOP853 as one writes it down: the stages of E. Hairer, S. P. Norsett, G. Wanner, Solving Ordinary
 * Differential Equations I, 1993, section II.10, their step control and their guess of the first
 * step; no events, no dense output, no projection, no evidence. Included once for each kind of
 * number: REAL, MASK and the small functions named below are the includer's. */

typedef void RealRates(REAL t, const REAL *y, REAL *f);

static inline REAL real_root8(REAL a)
{
    return real_sqrt(real_sqrt(real_sqrt(a)));
}

static inline REAL real_max(REAL a, REAL b)
{
    return real_select(real_less(a, b), b, a);
}

static inline REAL real_min(REAL a, REAL b)
{
    return real_select(real_less(a, b), a, b);
}

/* The scaled norm of a difference. */
static inline REAL plain_norm(size_t n, const REAL *d, const REAL *y, double tolerance)
{
    REAL sum = real_set(0);
    for (size_t i = 0; i < n; i++) {
        const REAL ratio = d[i] / (tolerance + tolerance * real_abs(y[i]));
        sum += ratio * ratio;
    }
    return real_sqrt(sum / (double)n);
}

/* Hairer's guess: a step of Euler's method shows the second derivative. */
static inline REAL plain_first_step(size_t n, RealRates *rates, REAL t, const REAL *y,
                                    const REAL *f, double tolerance, double most)
{
    REAL y1[STATE_MOST], f1[STATE_MOST];
    const REAL size = plain_norm(n, y, y, tolerance), speed = plain_norm(n, f, y, tolerance);
    const REAL h = real_min(0.01 * real_max(size, real_set(1e-8)) / real_max(speed, real_set(1e-8)),
                            real_set(most));

    for (size_t i = 0; i < n; i++)
        y1[i] = y[i] + h * f[i];
    rates(t + h, y1, f1);
    for (size_t i = 0; i < n; i++)
        f1[i] = f1[i] - f[i];
    const REAL bend = plain_norm(n, f1, y, tolerance) / h;
    const REAL largest = real_max(real_max(bend, speed), real_set(1e-12));
    return real_min(real_min(100 * h, real_root8(0.01 / largest)), real_set(most));
}

/* One step of size h from t, y; f is the rate there. The new state, and its error over the
 * tolerance, from the embedded results of orders 5 and 3. */
static inline REAL plain_step(size_t n, RealRates *rates, REAL t, REAL h, const REAL *y,
                              const REAL *f, double tolerance, REAL *next)
{
    REAL k[12][STATE_MOST], w[STATE_MOST];
    REAL error5 = real_set(0), error3 = real_set(0);

    for (size_t i = 0; i < n; i++)
        k[0][i] = f[i];
#define STAGE(s, c, sum)           \
    for (size_t i = 0; i < n; i++) \
        w[i] = y[i] + h * (sum);   \
    rates(t + c * h, w, k[s])
    STAGE(1, 0.05260015195876773188, 0.05260015195876773188 * k[0][i]);
    STAGE(2, 0.07890022793815159782,
          0.01972505698453789945 * k[0][i] + 0.05917517095361369836 * k[1][i]);
    STAGE(3, 0.1183503419072273967,
          0.02958758547680684918 * k[0][i] + 0.08876275643042054755 * k[2][i]);
    STAGE(4, 0.2816496580927726033,
          0.2413651341592666855 * k[0][i] - 0.8845494793282860853 * k[2][i] +
              0.9248340032617920031 * k[3][i]);
    STAGE(5, 0.3333333333333333333,
          0.03703703703703703704 * k[0][i] + 0.1708286087294738713 * k[3][i] +
              0.1254676875668224250 * k[4][i]);
    STAGE(6, 0.25,
          0.03710937500000000000 * k[0][i] + 0.1702522110195440393 * k[3][i] +
              0.06021653898045596069 * k[4][i] - 0.017578125 * k[5][i]);
    STAGE(7, 0.3076923076923076923,
          0.03709200011850479271 * k[0][i] + 0.1703839257122399938 * k[3][i] +
              0.1072620304463732847 * k[4][i] - 0.01531943774862440175 * k[5][i] +
              0.008273789163814022888 * k[6][i]);
    STAGE(8, 0.6512820512820512821,
          0.6241109587160757171 * k[0][i] - 3.360892629446941294 * k[3][i] -
              0.8682193468417260068 * k[4][i] + 27.59209969944670830 * k[5][i] +
              20.15406755047789341 * k[6][i] - 43.48988418106995885 * k[7][i]);
    STAGE(9, 0.6,
          0.4776625364382643659 * k[0][i] - 2.488114619971667642 * k[3][i] -
              0.5902908268368429964 * k[4][i] + 21.23005144818119423 * k[5][i] +
              15.27923363288242358 * k[6][i] - 33.28821096898486292 * k[7][i] -
              0.02033120170850862614 * k[8][i]);
    STAGE(10, 0.8571428571428571429,
          -0.9371424300859873257 * k[0][i] + 5.186372428844063708 * k[3][i] +
              1.091437348996729578 * k[4][i] - 8.149787010746926125 * k[5][i] -
              18.52006565999695986 * k[6][i] + 22.73948709935050428 * k[7][i] +
              2.493605552679652390 * k[8][i] - 3.046764471898219500 * k[9][i]);
    STAGE(11, 1.0,
          2.273310147516538208 * k[0][i] - 10.53449546673725020 * k[3][i] -
              2.000872058224862499 * k[4][i] - 17.95893186311879892 * k[5][i] +
              27.94888452941996005 * k[6][i] - 2.858998277135023695 * k[7][i] -
              8.872856933530629544 * k[8][i] + 12.36056717579430306 * k[9][i] +
              0.6433927460157635304 * k[10][i]);
#undef STAGE
    for (size_t i = 0; i < n; i++) {
        const REAL slope = 0.05429373411656876224 * k[0][i] + 4.450312892752408881 * k[5][i] +
                           1.891517899314500383 * k[6][i] - 5.801203960010584781 * k[7][i] +
                           0.3111643669578198944 * k[8][i] - 0.1521609496625160786 * k[9][i] +
                           0.2013654008040303484 * k[10][i] + 0.04471061572777259052 * k[11][i];
        next[i] = y[i] + h * slope;
        const REAL weight = tolerance + tolerance * real_max(real_abs(y[i]), real_abs(next[i]));
        const REAL order5 =
            (0.01312004499419488073 * k[0][i] - 1.225156446376204441 * k[5][i] -
             0.4957589496572501915 * k[6][i] + 1.664377182454986537 * k[7][i] -
             0.3503288487499736817 * k[8][i] + 0.3341791187130174790 * k[9][i] +
             0.08192320648511571247 * k[10][i] - 0.02235530786388629526 * k[11][i]) /
            weight;
        const REAL order3 = (slope - 0.244094488188976377952755905512 * k[0][i] -
                             0.733846688281611857341361741547 * k[8][i] -
                             0.0220588235294117647058823529412 * k[11][i]) /
                            weight;
        error5 += order5 * order5;
        error3 += order3 * order3;
    }
    const REAL both = error5 + 0.01 * error3;
    return h * error5 / real_sqrt(real_max(both, real_set(1e-300)) * (double)n);
}

/* From 0 to `end`. Trajectories of a batch have steps of their own; those that are there wait. */
static inline Work plain_integrate(size_t n, RealRates *rates, double end, double tolerance,
                                   REAL *y)
{
    REAL t = real_set(0), f[STATE_MOST], next[STATE_MOST], f_next[STATE_MOST];
    Work work = {.evaluations = 2};

    rates(t, y, f);
    REAL h = plain_first_step(n, rates, t, y, f, tolerance, end);
    while (real_any(real_less(t, real_set(end)))) {
        h = real_min(h, end - t);
        const REAL error = plain_step(n, rates, t, h, y, f, tolerance, next);
        const MASK good = real_less(error, real_set(1));
        /* at most 6 times as long, at least a third; 0.9: so that the next one is good */
        const REAL change =
            real_min(real_set(6), real_max(real_set(1.0 / 3),
                                           0.9 / real_root8(real_max(error, real_set(1e-12)))));
        work.steps++;
        work.evaluations += 11;
        if (real_any(good)) {
            const REAL reached = real_select(real_less(t + h, real_set(end)), t + h, real_set(end));
            rates(reached, next, f_next);
            work.evaluations++;
            t = real_select(good, reached, t);
            for (size_t i = 0; i < n; i++) {
                y[i] = real_select(good, next[i], y[i]);
                f[i] = real_select(good, f_next[i], f[i]);
            }
        }
        h *= change;
    }
    return work;
}

/* One copy for each problem, with its equations inside. */
#define PLAIN(name, size)                                             \
    static Work plain_##name(double end, double tolerance, REAL *y)   \
    {                                                                 \
        return plain_integrate(size, RATES(name), end, tolerance, y); \
    }
EACH_PROBLEM(PLAIN)
#undef PLAIN

#define PLAIN(name, size) plain_##name,
static Work (*const PLAIN_SOLVERS[])(double, double, REAL *) = {EACH_PROBLEM(PLAIN)};
#undef PLAIN
