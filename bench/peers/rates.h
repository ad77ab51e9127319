/* The problems' equations as a specialist writes them: eliminated by hand to quasi-velocities, with
 * their parameters as constants. Included once for each kind of number: REAL, RATES(name) and
 * SINE_COSINE(angle, &sine, &cosine) are the includer's.
 *
 * States are told in problems.c. P1: F. Cantrijn et al. 1998; P2: A. Bloch, Nonholonomic Mechanics
 * and Control, 2003, section 1.7; P3 alike with wheels; P4: E. Routh, Advanced Dynamics, 1884,
 * article 202, in a cylinder that turns; P6: the disc by the Gibbs-Appell equations. */

/* x, y, z, x', y' */
static inline void RATES(p1)(REAL t, const REAL *y, REAL *f)
{
    (void)t;
    f[0] = y[3];
    f[1] = y[4];
    f[2] = -y[0] * y[4];
    f[3] = ZERO;
    f[4] = -y[0] * y[3] * y[4] / (1.0 + y[0] * y[0]);
}

/* x, y, th, speed along the blade, th' */
static inline void RATES(p2)(REAL t, const REAL *y, REAL *f)
{
    const double m = 1.0, a = 0.3, I = 0.5, c = m * a / (I + m * a * a);
    REAL sine, cosine;

    (void)t;
    SINE_COSINE(y[2], &sine, &cosine);
    f[0] = y[3] * cosine;
    f[1] = y[3] * sine;
    f[2] = y[4];
    f[3] = a * y[4] * y[4];
    f[4] = -c * y[3] * y[4];
}

/* x, y, th, p1, p2, forward speed, th' */
static inline void RATES(p3)(REAL t, const REAL *y, REAL *f)
{
    const double m = 3.0, m0 = 2.0, l = 0.25, J = 0.8, J2 = 0.05, R = 0.2, c = 0.35,
                 forward = m0 * l / (m + 2 * J2 / (R * R)),
                 turning = m0 * l / (J + 2 * c * c * J2 / (R * R));
    REAL sine, cosine;

    (void)t;
    SINE_COSINE(y[2], &sine, &cosine);
    f[0] = y[5] * cosine;
    f[1] = y[5] * sine;
    f[2] = y[6];
    f[3] = -(y[5] + c * y[6]) * (1 / R);
    f[4] = -(y[5] - c * y[6]) * (1 / R);
    f[5] = forward * y[6] * y[6];
    f[6] = -turning * y[5] * y[6];
}

/* z, ga, ph, ps, th, z', and the spin about the radius; ga' and the spin about the axis stay. */
static inline void RATES(p4)(REAL t, const REAL *y, REAL *f)
{
    const double a = 0.5, I = 0.1, g = 1.0, dga = 3.0, spin = 0.5, falling = 1 / (1 + a * a / I);
    REAL sine, cosine, sine_d, cosine_d;

    (void)t;
    SINE_COSINE(y[4], &sine, &cosine);
    SINE_COSINE(y[1] - y[2], &sine_d, &cosine_d);
    const REAL along = y[5] * (1 / a), dps = -(y[6] * sine_d + along * cosine_d) / sine;
    f[0] = y[5];
    f[1] = ZERO + dga;
    f[2] = spin - dps * cosine;
    f[3] = dps;
    f[4] = y[6] * cosine_d - along * sine_d;
    f[5] = (falling - 1) * g - falling * a * dga * y[6];
    f[6] = dga * along;
}

/* phi, phi' */
static inline void RATES(p5)(REAL t, const REAL *y, REAL *f)
{
    const double m = 1.0, r = 0.3, I = 0.045, g = 9.81, R0 = 2.0, A = 0.4, w = 1.7,
                 K = m * r * r + I;
    REAL sine, cosine, sine_phi, cosine_phi;

    SINE_COSINE(w * t, &sine, &cosine);
    SINE_COSINE(y[0], &sine_phi, &cosine_phi);
    const REAL ratio = (R0 + r + A * sine) * (1 / r), slope = A * w / r * cosine;
    f[0] = y[1];
    f[1] = ((I - 2 * K) * slope * y[1] - m * r * g * cosine_phi) / (K * ratio);
}

/* x, y, ph, th, ps, th', the angular velocities w2 and w3 */
static inline void RATES(p6)(REAL t, const REAL *y, REAL *f)
{
    const double m = 1.0, R = 0.5, I1 = 0.0625, I3 = 0.125, g = 9.81;
    REAL sine, cosine, sine_ph, cosine_ph;

    (void)t;
    SINE_COSINE(y[3], &sine, &cosine);
    SINE_COSINE(y[2], &sine_ph, &cosine_ph);
    const REAL dph = y[6] / cosine, upright = dph * sine, dps = y[7] - upright;
    f[0] = -R * dps * cosine_ph;
    f[1] = -R * dps * sine_ph;
    f[2] = dph;
    f[3] = y[5];
    f[4] = dps;
    f[5] = (m * g * R * sine + y[6] * ((m * R * R + I3) * y[7] - I1 * upright)) *
           (1 / (m * R * R + I1));
    f[6] = y[5] * (upright - I3 / I1 * y[7]);
    f[7] = -(m * R * R / (m * R * R + I3)) * y[6] * y[5];
}
