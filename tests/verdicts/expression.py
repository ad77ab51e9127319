"""Expressions of documents in exact arithmetic, written apart from the program: read,
differentiated, and evaluated at rational points.

A sine, an exponential or a logarithm is no rational number where its argument is one. A point gives
every one of them a rational value of its own: a rational point of the circle for each angle x (from
which the addition theorems give sin(2 x - 3 y)), a rational number for each exp(x), log(u). That is
no place in the world, but these functions are algebraically independent of each other, so that a
sum that vanishes at random such points vanishes for the functions, and one that does not, does not.
"""
import ast
import math
from fractions import Fraction

ZERO, ONE = ("num", Fraction(0)), ("num", Fraction(1))
TRIGONOMETRIC = ("sin", "cos", "tan")
EXPONENTIAL = ("exp", "sinh", "cosh", "tanh")


class NotExact(Exception):
    """No rational value: of a root at this point, say, or of a function that is not known here."""


def number(value):
    return ("num", Fraction(value))


def symbol(name):
    return ("sym", name)


def add(*terms):
    constant, rest = Fraction(0), []
    for term in terms:
        if term[0] == "num":
            constant += term[1]
        else:
            rest.append(term)
    if constant or not rest:
        rest.append(number(constant))
    return rest[0] if len(rest) == 1 else ("add", *rest)


def mul(*factors):
    constant, rest = Fraction(1), []
    for factor in factors:
        if factor[0] == "num":
            constant *= factor[1]
        else:
            rest.append(factor)
    if constant == 0:
        return ZERO
    if constant != 1 or not rest:
        rest.insert(0, number(constant))
    return rest[0] if len(rest) == 1 else ("mul", *rest)


def power(base, exponent):
    if exponent == 0:
        return ONE
    if exponent == 1:
        return base
    return ("pow", base, Fraction(exponent))


def call(name, *arguments):
    return ("call", name, *arguments)


def negative(node):
    return mul(number(-1), node)


def subtract(left, right):
    return add(left, negative(right))


def divide(left, right):
    return mul(left, power(right, -1))


# -- reading ---------------------------------------------------------------------------------------


def read(text, values=None, meant=False):
    """A text of the language; names in `values` are numbers (parameters), the others symbols. With
    `meant`, a number of 15 digits or more is what it is the double of: a decimal of 12 digits, a
    fraction."""
    tree = ast.parse(text.strip().replace("^", "**").replace("if(", "when("), mode="eval").body
    if meant:
        for node in ast.walk(tree):
            if type(node) is ast.Constant:
                node.value = simplest(node.value)
    return _read(tree, values or {})


def long_number(value):
    return len(repr(value).lower().split("e")[0].replace(".", "").strip("0")) >= 15


def simplest(value):
    exact = Fraction(repr(value))
    if not long_number(value):
        return exact
    below, above = (Fraction(math.nextafter(math.nextafter(value, end), end))
                    for end in (0.0, math.inf))
    decimal = Fraction(f"{value:.11e}")
    if below <= decimal <= above:
        return decimal
    p, q, p_before, q_before, rest = 1, 0, 0, 1, exact
    while True:
        whole = rest.numerator // rest.denominator
        p, q, p_before, q_before = whole * p + p_before, whole * q + q_before, p, q
        if p * q > 10 ** 12:
            return exact
        if below <= Fraction(p, q) <= above:
            return Fraction(p, q)
        rest = 1 / (rest - whole)


def _read(tree, values):
    kind = type(tree)
    if kind is ast.Constant:
        if type(tree.value) is Fraction:
            return number(tree.value)
        # the shortest decimal is the number that is meant
        return number(Fraction(repr(tree.value)))
    if kind is ast.Name:
        return number(Fraction(repr(values[tree.id]))) if tree.id in values else symbol(tree.id)
    if kind is ast.UnaryOp:
        inner = _read(tree.operand, values)
        return negative(inner) if isinstance(tree.op, ast.USub) else inner
    if kind is ast.BinOp:
        return _binary(tree, values)
    if kind is ast.Compare:
        return call(type(tree.ops[0]).__name__, _read(tree.left, values),
                    _read(tree.comparators[0], values))
    if kind is ast.Call:
        if tree.func.id == "dot":
            return symbol(f"dot({tree.args[0].id})")
        return call(tree.func.id, *(_read(argument, values) for argument in tree.args))
    raise NotExact(ast.dump(tree))


def _binary(tree, values):
    left, right = _read(tree.left, values), _read(tree.right, values)
    kind = type(tree.op)
    if kind is ast.Add:
        return add(left, right)
    if kind is ast.Sub:
        return subtract(left, right)
    if kind is ast.Mult:
        return mul(left, right)
    if kind is ast.Div:
        return divide(left, right)
    if right[0] != "num":
        try:
            right = number(evaluate(right, Point({}, {})))
        except KeyError:
            raise NotExact("a power whose exponent is no number") from None
    return power(left, right[1])


# -- derivatives -----------------------------------------------------------------------------------


def differentiate(node, name, memo=None):
    memo = {} if memo is None else memo
    key = (id(node), name)
    if key not in memo:
        memo[key] = (_differentiate(node, name, memo), node)
    return memo[key][0]


def _differentiate(node, name, memo):
    kind = node[0]
    if kind == "num":
        return ZERO
    if kind == "sym":
        return ONE if node[1] == name else ZERO
    if kind == "add":
        return add(*(differentiate(term, name, memo) for term in node[1:]))
    if kind == "mul":
        factors = node[1:]
        return add(*(mul(differentiate(factor, name, memo), *factors[:k], *factors[k + 1:])
                     for k, factor in enumerate(factors)))
    if kind == "pow":
        return mul(number(node[2]), power(node[1], node[2] - 1), differentiate(node[1], name, memo))
    return _differentiate_call(node, name, memo)


def _differentiate_call(node, name, memo):
    function, u = node[1], node[2]
    if function == "when":
        return call("when", u, *(differentiate(branch, name, memo) for branch in node[3:]))
    inner = differentiate(u, name, memo)
    if inner == ZERO:
        return ZERO
    outer = {"sin": lambda: call("cos", u),
             "cos": lambda: negative(call("sin", u)),
             "tan": lambda: power(call("cos", u), -2),
             "exp": lambda: node,
             "log": lambda: power(u, -1),
             "sqrt": lambda: divide(number(Fraction(1, 2)), node),
             "sinh": lambda: call("cosh", u),
             "cosh": lambda: call("sinh", u),
             "tanh": lambda: power(call("cosh", u), -2),
             "abs": lambda: call("sign", u)}
    if function not in outer:
        raise NotExact(function)
    return mul(outer[function](), inner)


def conditions(node):
    """The comparisons in it, each once."""
    found, stack = [], [node]
    while stack:
        node = stack.pop()
        if node[0] == "call" and node[1] in ("Gt", "Lt") and node not in found:
            found.append(node)
        stack.extend(child for child in node[1:] if isinstance(child, tuple))
    return found


def replace(node, old, new):
    if node == old:
        return new
    return tuple(replace(child, old, new) if isinstance(child, tuple) else child for child in node)


def log_derivative(node, name):
    """Of log(node): the derivative of a density, whose roots need not be evaluated."""
    if node[0] == "mul":
        return add(*(log_derivative(factor, name) for factor in node[1:]))
    if node[0] == "pow":
        return mul(number(node[2]), log_derivative(node[1], name))
    if node[0] == "call" and node[1] == "sqrt":
        return mul(number(Fraction(1, 2)), log_derivative(node[2], name))
    if node[0] == "call" and node[1] == "exp":
        return differentiate(node[2], name)
    if node[0] == "call" and node[1] == "abs":
        return log_derivative(node[2], name)
    return divide(differentiate(node, name), node)


# -- evaluation ------------------------------------------------------------------------------------


def polynomial(node):
    """{((name, power), ..): coefficient}, or NotExact."""
    kind = node[0]
    if kind == "num":
        return {(): node[1]} if node[1] else {}
    if kind == "sym":
        return {((node[1], 1),): Fraction(1)}
    if kind == "add":
        total = {}
        for term in node[1:]:
            for monomial, c in polynomial(term).items():
                total[monomial] = total.get(monomial, 0) + c
        return {m: c for m, c in total.items() if c}
    if kind == "mul":
        total = {(): Fraction(1)}
        for factor in node[1:]:
            total = _times(total, polynomial(factor))
        return total
    if kind == "pow" and node[2].denominator == 1 and node[2] > 0:
        total, base = {(): Fraction(1)}, polynomial(node[1])
        for _ in range(int(node[2])):
            total = _times(total, base)
        return total
    raise NotExact("no polynomial")


def _times(left, right):
    total = {}
    for a, ca in left.items():
        for b, cb in right.items():
            powers = dict(a)
            for name, p in b:
                powers[name] = powers.get(name, 0) + p
            key = tuple(sorted(powers.items()))
            total[key] = total.get(key, 0) + ca * cb
    return {m: c for m, c in total.items() if c}


def bases(nodes):
    """Of all arguments of sines and of exponentials the monomials, with the common denominator of
    their coefficients: sin(x/2) and cos(0.3*x) are functions of x/10."""
    found, seen, stack = {}, set(), list(nodes)
    while stack:
        node = stack.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        stack.extend(child for child in node[1:] if isinstance(child, tuple))
        if node[0] == "call" and node[1] in TRIGONOMETRIC + EXPONENTIAL:
            family = "angle" if node[1] in TRIGONOMETRIC else "exponent"
            for monomial, c in polynomial(node[2]).items():
                key = (family, monomial)
                found[key] = math.lcm(found.get(key, 1), c.denominator)
    return found


class Point:
    """Rational values of the symbols, and of what functions of them are made of. `unknown(key)`
    draws the value that is asked for first: of an angle the tangent of its half."""

    def __init__(self, values, denominators, unknown=None):
        self.values, self.denominators, self.unknown = values, denominators, unknown
        self.unknowns, self.memo = {}, {}

    def drawn(self, key):
        if key not in self.unknowns:
            self.unknowns[key] = self.unknown(key)
        return self.unknowns[key]

    def multiples(self, family, argument):
        for monomial, c in polynomial(argument).items():
            times = c * self.denominators[(family, monomial)]
            yield self.drawn((family, monomial)), int(times)

    def cos_sin(self, argument):
        cos, sin = Fraction(1), Fraction(0)
        for half, times in self.multiples("angle", argument):
            c, s = (1 - half * half) / (1 + half * half), 2 * half / (1 + half * half)
            if times < 0:
                s = -s
            for _ in range(abs(times)):
                cos, sin = cos * c - sin * s, sin * c + cos * s
        return cos, sin

    def exp(self, argument):
        value = Fraction(1)
        for base, times in self.multiples("exponent", argument):
            value *= base ** times
        return value


def evaluate(node, point):
    memo = point.memo
    known = memo.get(id(node))
    if known is None:
        known = memo[id(node)] = (_evaluate(node, point), node)
    return known[0]


def _evaluate(node, point):
    kind = node[0]
    if kind == "num":
        return node[1]
    if kind == "sym":
        return point.values[node[1]]
    if kind == "add":
        return sum((evaluate(term, point) for term in node[1:]), Fraction(0))
    if kind == "mul":
        value = Fraction(1)
        for factor in node[1:]:
            value *= evaluate(factor, point)
        return value
    if kind == "pow":
        base = evaluate(node[1], point)
        if node[2].denominator == 1:
            return base ** int(node[2])
        if node[2].denominator == 2:
            return square_root(base) ** node[2].numerator
        raise NotExact("a root")
    return _evaluate_call(node, point)


def square_root(value):
    if value < 0:
        raise NotExact("the root of a negative number")
    root = Fraction(math.isqrt(value.numerator), math.isqrt(value.denominator))
    if root * root != value:
        raise NotExact("a root that is not rational")
    return root


def _evaluate_call(node, point):
    function, arguments = node[1], node[2:]
    if function in TRIGONOMETRIC:
        cos, sin = point.cos_sin(arguments[0])
        return {"sin": sin, "cos": cos, "tan": sin / cos if cos else None}[function]
    if function in EXPONENTIAL:
        e = point.exp(arguments[0])
        sinh, cosh = (e - 1 / e) / 2, (e + 1 / e) / 2
        return {"exp": e, "sinh": sinh, "cosh": cosh, "tanh": sinh / cosh}[function]
    if function == "log":
        return point.drawn(("log", tuple(sorted(polynomial(arguments[0]).items()))))
    if function == "when":
        return evaluate(arguments[1 if evaluate(arguments[0], point) else 2], point)
    values = [evaluate(argument, point) for argument in arguments]
    simple = {"sqrt": square_root, "abs": abs, "sign": lambda a: (a > 0) - (a < 0),
              "Gt": lambda a, b: a > b, "Lt": lambda a, b: a < b}
    if function not in simple:
        raise NotExact(function)
    return Fraction(simple[function](*values))
