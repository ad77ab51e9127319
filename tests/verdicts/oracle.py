"""What is true of a model, by exact evaluation at rational points of its constraints: rates along
its motions, reactions, brackets, divergences.

The equations are those of every textbook, M vdot - A^T lambda = F - l, A vdot = -psi, solved by
elimination in fractions. Nothing here is the program's but the language.
"""
import random
from fractions import Fraction

import expression as ex

# How wide points are spread, and how many there are: in the neighbourhood of the start and far
# away, early and late. Beyond 30, where windows open, a coordinate lies with each sign as often as
# not.
SPREADS = ((1, 6), (3, 6), (40, 6), (500, 16))
FAR = 100
ENOUGH = 6
# Relative to its terms, what numbers that are rounded to doubles leave.
ROUNDING = Fraction(1, 10 ** 12)


class Singular(Exception):
    """The equations determine no acceleration at this point."""


def solve(matrix, right):
    """The solutions for several right-hand sides, by Gauss' elimination."""
    n, width = len(matrix), len(right[0])
    rows = [list(matrix[i]) + list(right[i]) for i in range(n)]
    for k in range(n):
        pivot = next((i for i in range(k, n) if rows[i][k]), None)
        if pivot is None:
            raise Singular
        rows[k], rows[pivot] = rows[pivot], rows[k]
        inverse = 1 / rows[k][k]
        rows[k] = [value * inverse for value in rows[k]]
        for i in range(n):
            if i != k and rows[i][k]:
                factor = rows[i][k]
                rows[i] = [a - factor * b for a, b in zip(rows[i], rows[k])]
    return [row[n:n + width] for row in rows]


def dot(a, b):
    return sum((x * y for x, y in zip(a, b)), Fraction(0))


class Equations:
    """A model's expressions, differentiated."""

    def __init__(self, model):
        values = model.get("parameters", {})
        self.memo = {}
        self.q = model["coordinates"]
        self.v = [f"dot({name})" for name in self.q]
        self.values = values
        self.L = self.read(model["lagrangian"])
        self.force = [self.read(model.get("forces", {}).get(name, "0")) for name in self.q]
        self.p = [self.d(self.L, v) for v in self.v]
        self.energy = ex.subtract(self.along(self.p, self.v), self.L)
        self.M = [[self.d(p, v) for v in self.v] for p in self.p]
        self.l = [ex.subtract(ex.add(self.along([self.d(p, q) for q in self.q], self.v),
                                     self.d(p, "t")),
                              self.d(self.L, q)) for p, q in zip(self.p, self.q)]
        self.constraints = [self.read_constraint(text) for text in model.get("constraints", [])]
        self.A = [[self.d(phi, v) for v in self.v] for phi in self.constraints]
        self.psi = [ex.add(self.along([self.d(phi, q) for q in self.q], self.v), self.d(phi, "t"))
                    for phi in self.constraints]
        self.affine = [self.at_rest(phi) for phi in self.constraints]
        self.denominators = ex.bases([self.L, *self.force, *self.constraints])

    def read(self, text, meant=False):
        return ex.read(text, self.values, meant)

    def read_constraint(self, text):
        left, right = text.split("=")
        return ex.subtract(self.read(left), self.read(right))

    def d(self, node, name):
        return ex.differentiate(node, name, self.memo)

    @staticmethod
    def along(row, names):
        return ex.add(*(ex.mul(a, ex.symbol(name)) for a, name in zip(row, names)))

    def at_rest(self, phi):
        """phi without velocities: all constraints of the corpus are affine in them."""
        return ex.subtract(phi, self.along([self.d(phi, v) for v in self.v], self.v))

    def momentum(self, field):
        return ex.add(*(ex.mul(p, self.read(field.get(q, "0"))) for p, q in zip(self.p, self.q)))

    def rate(self, quantity):
        """The parts of its derivative along a motion: by q, by v and by t."""
        return ([self.d(quantity, q) for q in self.q], [self.d(quantity, v) for v in self.v],
                self.d(quantity, "t"))


class State:
    """A rational point of the constraints with the accelerations and multipliers there."""

    def __init__(self, equations, rng, spread, border=None):
        self.eq, self.rng, self.spread = equations, rng, spread
        values = {name: self.draw_coordinate() for name in equations.q}
        values["t"] = abs(self.draw())
        if border:
            move_to(border, values, [*equations.q, "t"])
        values.update({v: self.draw() for v in equations.v})
        self.point = ex.Point(values, equations.denominators, self.draw_unknown)
        self.matrix_a = self.all(equations.A)
        self.admit()
        self.accelerate()

    def draw(self):
        return Fraction(self.rng.randrange(-1000, 1001),
                        self.rng.choice((97, 101, 103))) * self.spread / 10

    def draw_coordinate(self):
        """x with a rational root of 1 + x^2."""
        w = 1 + abs(self.draw()) + (100 if self.spread > FAR else 0)
        return (w - 1 / w) / 2 * self.rng.choice((-1, 1))

    def draw_unknown(self, key):
        return Fraction(self.rng.randrange(2, 400), self.rng.choice((397, 401, 409)))

    def value(self, node):
        return ex.evaluate(node, self.point)

    def all(self, rows):
        return [[self.value(node) for node in row] for row in rows]

    def admit(self):
        """Moves the velocities onto the constraints."""
        r, names = len(self.matrix_a), self.eq.v
        if not r:
            return
        self.dependent = pivots(self.matrix_a)
        free = [k for k in range(len(names)) if k not in self.dependent]
        right = [[-self.value(s) - dot([row[k] for k in free],
                                       [self.point.values[names[k]] for k in free])]
                 for row, s in zip(self.matrix_a, self.eq.affine)]
        found = solve([[row[k] for k in self.dependent] for row in self.matrix_a], right)
        for k, value in zip(self.dependent, found):
            self.point.values[names[k]] = value[0]
        self.point.memo.clear()

    def kkt(self):
        r = len(self.matrix_a)
        rows = [mass + [-self.matrix_a[a][i] for a in range(r)]
                for i, mass in enumerate(self.all(self.eq.M))]
        return rows + [list(row) + [Fraction(0)] * r for row in self.matrix_a]

    def accelerate(self):
        n = len(self.eq.q)
        right = [[self.value(f) - self.value(l)] for f, l in zip(self.eq.force, self.eq.l)]
        right += [[-self.value(psi)] for psi in self.eq.psi]
        found = [row[0] for row in solve(self.kkt(), right)]
        self.vdot, self.multipliers = found[:n], found[n:]
        self.v = [self.point.values[name] for name in self.eq.v]
        self.reaction = [dot([row[i] for row in self.matrix_a], self.multipliers) for i in range(n)]

    def rate_terms(self, parts):
        by_q, by_v, by_t = parts
        return ([self.value(d) * v for d, v in zip(by_q, self.v)]
                + [self.value(d) * a for d, a in zip(by_v, self.vdot)] + [self.value(by_t)])

    def rate(self, parts):
        return sum(self.rate_terms(parts), Fraction(0))


def move_to(guard, values, names):
    """Makes the guard zero by the value of one name in which it is of the first degree."""
    def at(name, value):
        return ex.evaluate(guard, ex.Point({**values, name: Fraction(value)}, {}))

    for name in names:
        start, slope = at(name, 0), at(name, 1) - at(name, 0)
        if slope and not at(name, -start / slope):
            values[name] = -start / slope
            return
    raise ex.NotExact("a border that is not plane")


def pivots(matrix):
    """As many independent columns as there are rows."""
    rows, chosen = [list(row) for row in matrix], []
    for row in range(len(rows)):
        k = next((k for k, value in enumerate(rows[row]) if value), None)
        if k is None:
            raise Singular
        chosen.append(k)
        for below in range(row + 1, len(rows)):
            factor = rows[below][k] / rows[row][k]
            rows[below] = [a - factor * b for a, b in zip(rows[below], rows[row])]
    return chosen


class Oracle:
    """Asks the same of states near and far, and says whether it is zero at all of them."""

    def __init__(self, model, seed):
        self.equations = Equations(model)
        self.rng = random.Random(seed)
        self.states = []
        for spread, points in SPREADS:
            found, tries = 0, 0
            while found < points:
                tries += 1
                if tries > 40 * points:
                    raise Singular
                try:
                    self.states.append(State(self.equations, self.rng, spread))
                    found += 1
                except (Singular, ZeroDivisionError, ex.NotExact):
                    pass

    def holds(self, residual, rounded=False):
        """Whether the terms residual(state) add up to 0 at all states, or nearly so for numbers
        that are rounded; None where too few have a rational value."""
        counted = 0
        for state in self.states:
            try:
                terms = residual(state)
            except (ZeroDivisionError, ex.NotExact):
                continue
            size = sum((abs(term) for term in terms), Fraction(0)) if rounded else 0
            if abs(sum(terms, Fraction(0))) > ROUNDING * size:
                return False
            counted += 1
        return True if counted >= ENOUGH else None

    def conserved(self, quantity, rounded=False):
        parts = self.equations.rate(quantity)
        self.widen(quantity)
        between = self.holds(lambda state: state.rate_terms(parts), rounded)
        if not between or rounded:
            return between
        if any(self.jumps(quantity, condition) for condition in ex.conditions(quantity)):
            return False
        # an impulse where L jumps is nothing that is worked out here
        return None if any(self.jumps(self.equations.L, c)
                           for c in ex.conditions(self.equations.L)) else True

    def jumps(self, node, condition):
        """Whether it jumps at a state through which a motion goes, where the condition changes."""
        eq, guard = self.equations, ex.subtract(*condition[2:])
        rate = ex.add(eq.along([eq.d(guard, q) for q in eq.q], eq.v), eq.d(guard, "t"))
        sides = [ex.replace(node, condition, ex.number(side)) for side in (1, 0)]
        for spread, points in SPREADS:
            for _ in range(points):
                try:
                    state = State(eq, self.rng, spread, guard)
                    if state.value(rate) and state.value(sides[0]) != state.value(sides[1]):
                        return True
                except (Singular, ZeroDivisionError):
                    pass
        return False

    def widen(self, node):
        """Denominators of angles that the model does not have: states are as good with others."""
        for key, denominator in ex.bases([node]).items():
            if self.equations.denominators.get(key, 0) % denominator:
                raise ex.NotExact("an angle that is not the model's")

    def energy(self):
        return self.conserved(self.equations.energy)

    def momentum(self, field):
        return self.conserved(self.equations.momentum(field))

    def moving_energy(self, field):
        return self.conserved(ex.subtract(self.equations.energy, self.equations.momentum(field)))

    def expression(self, text, rounded=False):
        return self.conserved(self.equations.read(text, meant=True), rounded)

    def reaction_vanishes(self):
        return self.holds(lambda state: [Fraction(any(state.reaction))])

    def reaction_does_no_work(self):
        return self.holds(lambda state: [dot(state.reaction, state.v)])

    def integrable(self, frozen):
        return self.holds(Brackets(self.equations, frozen).curvature)

    def preserves(self, density, base, rounded=False):
        """Whether density dq du is preserved, for u the velocities of the base."""
        node = self.equations.read(density, meant=True)
        self.widen(node)
        return self.holds(Flow(self.equations, base, node).change, rounded)

    def gauge_momentum(self, generator):
        fields = {name: self.equations.read(text, meant=True) for name, text in generator.items()}
        return self.conserved(ex.add(*(ex.mul(p, fields.get(q, ex.ZERO))
                                       for p, q in zip(self.equations.p, self.equations.q))))

    def preserves_canonical(self, base):
        """dq dp = det G dq du, G = N^T M N with the columns N = dv/du."""
        eq = self.equations
        names = [eq.q.index(name) for name in base]
        dependent = [k for k in range(len(eq.q)) if k not in names]
        square = [[row[k] for k in dependent] for row in eq.A]
        lower = determinant(square)
        columns = []
        for j in names:
            column = [ex.number(i == j) for i in range(len(eq.q))]
            for place, k in enumerate(dependent):  # Cramer's rule
                swapped = [row[:place] + [ex.negative(a[j])] + row[place + 1:]
                           for row, a in zip(square, eq.A)]
                column[k] = ex.divide(determinant(swapped), lower)
            columns.append(column)
        image = [[ex.add(*(ex.mul(m, c) for m, c in zip(row, column))) for row in eq.M]
                 for column in columns]
        G = [[ex.add(*(ex.mul(a, b) for a, b in zip(column, other))) for other in image]
             for column in columns]
        return self.holds(Flow(eq, base, determinant(G)).change)

    def strongly_consistent(self, section):
        """A^T (D/Dt phi - lambda) + phi_a C_a = 0, C_a,i = (dA_ai/dq_j - dA_aj/dq_i) v_j."""
        eq = self.equations
        nodes = [eq.read(text, meant=True) for text in section]
        rates = [eq.rate(node) for node in nodes]
        curl = [[[ex.subtract(eq.d(row[i], q), eq.d(row[j], eq.q[i])) for j, q in enumerate(eq.q)]
                 for i in range(len(eq.q))] for row in eq.A]

        def residual(state):
            change = [state.rate(parts) - multiplier
                      for parts, multiplier in zip(rates, state.multipliers)]
            mu = [state.value(node) for node in nodes]
            turned = [[dot([state.value(c) for c in row], state.v) for row in rows]
                      for rows in curl]
            return [Fraction(any(dot([row[i] for row in state.matrix_a], change)
                                 + dot([row[i] for row in turned], mu) for i in range(len(eq.q))))]

        return self.holds(residual)


def determinant(rows):
    """By Leibniz' expansion along the first row: a few rows of expressions."""
    if not rows:
        return ex.ONE
    return ex.add(*(ex.mul(ex.number((-1) ** k), entry,
                           determinant([row[:k] + row[k + 1:] for row in rows[1:]]))
                    for k, entry in enumerate(rows[0])))


class Brackets:
    """Frobenius: w^a = A_ai dq^i + s_a dt is integrable where dw^a vanishes on their common
    kernel."""

    def __init__(self, equations, frozen):
        self.names = list(equations.q) + ([] if frozen else ["t"])
        self.forms = [list(row) + ([] if frozen else [s])
                      for row, s in zip(equations.A, equations.affine)]
        self.d = [[[ex.subtract(equations.d(form[j], i), equations.d(form[k], m))
                    for j, m in enumerate(self.names)] for k, i in enumerate(self.names)]
                  for form in self.forms]

    def curvature(self, state):
        kernel = null_space(state.all(self.forms))
        for two_form in self.d:
            matrix = state.all(two_form)
            for a, left in enumerate(kernel):
                image = [dot(left, column) for column in zip(*matrix)]
                for right in kernel[a + 1:]:
                    if dot(image, right):
                        return [Fraction(1)]
        return [Fraction(0)]


def null_space(matrix):
    width, chosen = len(matrix[0]), pivots(matrix)
    free = [k for k in range(width) if k not in chosen]
    square = [[row[k] for k in chosen] for row in matrix]
    found = solve(square, [[-row[k] for k in free] for row in matrix])
    basis = []
    for column, k in enumerate(free):
        vector = [Fraction(0)] * width
        vector[k] = Fraction(1)
        for place, name in enumerate(chosen):
            vector[name] = found[place][column]
        basis.append(vector)
    return basis


class Flow:
    """D/Dt log N + d udot_i / du_i + d qdot_k / dq_k on the states that the constraints leave, by
    differentiating the equations for the accelerations once more."""

    def __init__(self, equations, base, density):
        self.eq, self.base = equations, [equations.q.index(name) for name in base]
        self.density = ([ex.log_derivative(density, q) for q in equations.q],
                        ex.log_derivative(density, "t"))

    def change(self, state):
        by_q, by_t = self.density
        terms = [state.value(d) * v for d, v in zip(by_q, state.v)] + [state.value(by_t)]
        n = len(self.eq.q)
        for i in self.base:
            dv = self.dependent_change(state, [Fraction(i == k) for k in range(n)],
                                       [Fraction(0)] * n)
            terms.append(self.acceleration_change(state, [Fraction(0)] * n, dv)[i])
        for k in range(n):
            if k not in self.base:
                dq = [Fraction(i == k) for i in range(n)]
                terms.append(self.dependent_change(state, [Fraction(0)] * n, dq)[k])
        return terms

    def variation(self, state, node, dq, dv):
        total = Fraction(0)
        for names, change in ((self.eq.q, dq), (self.eq.v, dv)):
            for name, by in zip(names, change):
                if by:
                    total += by * state.value(self.eq.d(node, name))
        return total

    def dependent_change(self, state, du, dq):
        """The change of all velocities when those of the base change by du, and the positions by
        dq."""
        dependent = [k for k in range(len(self.eq.q)) if k not in self.base]
        dv = [du[k] if k in self.base else Fraction(0) for k in range(len(self.eq.q))]
        if dependent:
            right = [[-self.variation(state, phi, dq, dv)] for phi in self.eq.constraints]
            found = solve([[row[k] for k in dependent] for row in state.matrix_a], right)
            for k, value in zip(dependent, found):
                dv[k] = value[0]
        return dv

    def acceleration_change(self, state, dq, dv):
        eq, n = self.eq, len(self.eq.q)
        right = []
        for i in range(n):
            change = (self.variation(state, eq.force[i], dq,
                                     dv) - self.variation(state, eq.l[i], dq, dv)
                      - sum((self.variation(state, eq.M[i][j], dq, dv) * state.vdot[j]
                             for j in range(n)), Fraction(0))
                      + sum((self.variation(state, eq.A[a][i], dq, dv) * state.multipliers[a]
                             for a in range(len(eq.A))), Fraction(0)))
            right.append([change])
        for a, psi in enumerate(eq.psi):
            right.append([-self.variation(state, psi, dq, dv)
                          - sum((self.variation(state, eq.A[a][i], dq, dv) * state.vdot[i]
                                 for i in range(n)),
                                Fraction(0))])
        return [row[0] for row in solve(state.kkt(), right)][:n]
