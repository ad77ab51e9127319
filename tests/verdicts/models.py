"""Random models whose laws are planted, disguised, broken by little, or broken far away.

Coefficients are decimals of one to three digits between 1e-14 and 1e14. What is true of a model is
not written down here: oracle.py works it out.
"""
from fractions import Fraction

CLASSES = ("polynomial", "trigonometric", "exponential", "piecewise")


def decimal_sum(rng):
    """Three decimals, the third the sum of the others, which doubles do not add up to."""
    a, b = (Fraction(rng.randrange(1, 999), 1000) for _ in range(2))
    return [repr(float(value)) for value in (a, b, a + b)]


class Builder:
    def __init__(self, rng, kind):
        self.rng, self.kind = rng, kind
        self.n = rng.randrange(1, 5)
        self.names = ["x", "y", "z", "w"][:self.n]
        self.wide = rng.random() < 0.5
        self.parameters, self.fields = {}, []
        self.constraints, self.dependent = [], []

    # -- numbers -----------------------------------------------------------------------------------

    def positive(self):
        digits = self.rng.randrange(1, 1000)
        exponent = self.rng.randrange(-14, 13) if self.wide else self.rng.randrange(-2, 1)
        return repr(float(f"{digits}e{exponent}"))

    def coefficient(self):
        """Some are parameters."""
        text = self.positive()
        if self.rng.random() < 0.3:
            name = f"k{len(self.parameters)}"
            self.parameters[name] = float(text)
            return name
        return text

    def signed(self):
        return self.rng.choice(("", "-")) + self.coefficient()

    def choice(self, *options):
        return self.rng.choice(options)

    def chance(self, share):
        return self.rng.random() < share

    # -- functions ---------------------------------------------------------------------------------

    def function(self, u):
        """A function of one argument of this class."""
        rng = self.rng
        options = [f"({u})^{rng.randrange(1, 4)}", f"({u})^2"]
        if self.kind != "polynomial":
            options += [f"sin({rng.randrange(1, 4)}*({u}))",
                        f"cos({u})^{rng.randrange(1, 3)}", f"({u})*cos({u})"]
        if self.kind == "exponential":
            options += [f"exp(-({u}))", f"log(2 + ({u})^2)", f"tanh({u})", f"cosh({u})"]
        if self.kind == "piecewise":
            options += [f"if(({u}) > {rng.randrange(1, 40)}, ({u})^2, 0)", f"({u})*abs({u})"]
        return rng.choice(options)

    def potential(self, arguments, terms):
        pieces = []
        for _ in range(terms):
            pieces.append(f"{self.signed()}*{self.function(self.rng.choice(arguments))}")
            if len(arguments) > 1 and self.chance(0.3):
                pieces[-1] += f"*{self.function(self.rng.choice(arguments))}"
        return pieces

    def disguised_zero(self):
        """Zero, or twice a term, at second sight."""
        rng, c = self.rng, self.signed()
        x, y = rng.choice(self.names), rng.choice(self.names)
        a, b, s = decimal_sum(rng)
        options = [f"{c}*(({x} + {y})^2 - {x}^2 - 2*{x}*{y} - {y}^2)",
                   f"({a}*{x} + {b}*{x} - {s}*{x})",
                   f"({a}*{x}*{y} - {s}*{y}*{x} + {b}*{x}*{y})", f"{c}*{y}*({x}/3 - {x}*(1/3))",
                   f"{c}*(({x} - 1)*({x} + 1) - {x}^2 + 1)*{y}"]
        if self.kind != "polynomial":
            options += [f"{c}*(sin(2*{x}) - 2*sin({x})*cos({x}))",
                        f"{c}*(cos({x})^2 + sin({x})^2 - 1)*{y}",
                        f"{c}*(cos({x} - {y}) - cos({x})*cos({y}) - sin({x})*sin({y}))"]
        if self.kind == "exponential":
            options += [f"{c}*(exp({x} + {y}) - exp({x})*exp({y}))",
                        f"{c}*(cosh({x})^2 - sinh({x})^2 - 1)*{y}"]
        return rng.choice(options)

    def breaking(self):
        """What breaks a symmetry, by little or far away."""
        rng, c = self.rng, self.signed()
        x, y = rng.choice(self.names), rng.choice(self.names)
        options = [f"{c}*{x}", f"{c}*{x}^2*{y}", f"{c}*{self.function(x)}"]
        if self.kind == "exponential":
            options += [f"{c}*exp(-4*(({x} - 12)^2 + {y}^2))"]
        if self.kind == "piecewise":
            options += [f"if({x} > 30, {c}*{x}^2, 0)", f"if(t > 100, {c}*{x}, 0)"]
        return rng.choice(options)

    def of_time(self):
        if self.kind == "polynomial":
            return f"{self.signed()}*t*{self.choice(*self.names)}"
        if self.kind == "piecewise":
            return f"if(t > 100, {self.signed()}*{self.choice(*self.names)}, 0)"
        return f"{self.signed()}*cos(3*t)*{self.choice(*self.names)}"

    # -- parts of the model ------------------------------------------------------------------------

    def lagrangian(self):
        symmetric = self.choice("none", "translation", "rotation",
                                "diagonal") if self.n > 1 else "none"
        first, second = self.names[:2] if self.n > 1 else ("x", "x")
        masses = {name: self.coefficient() for name in self.names}
        arguments = list(self.names)
        field = {}
        if symmetric == "translation":
            arguments = self.names[1:]
            field = {first: "1"}
        elif symmetric == "rotation":
            masses[second] = masses[first]
            arguments = self.names[2:] + [f"{first}^2 + {second}^2"]
            field = {first: f"-{second}", second: first}
        elif symmetric == "diagonal":
            arguments = self.names[2:] + [f"{first} - {second}"]
            field = {first: "1", second: "1"}
        if field:
            self.fields.append({"name": symmetric, "generator": field})
        pieces = [f"{masses[name]}*dot({name})^2/2" for name in self.names]
        pieces += self.kinetic_extra(arguments)
        pieces += [f"-{piece}" if piece[0] != "-" else piece[1:]
                   for piece in self.potential(arguments, self.rng.randrange(0, 4))]
        for share, piece in ((0.35, self.disguised_zero), (0.25, self.breaking),
                             (0.12, self.of_time)):
            if self.chance(share):
                pieces.append(piece())
        self.rng.shuffle(pieces)
        return " + ".join(f"({piece})" if piece[0] == "-" else piece for piece in pieces)

    def kinetic_extra(self, arguments):
        """Masses that depend on the position, and gyroscopic terms."""
        pieces, name = [], self.choice(*self.names)
        if self.chance(0.3):
            pieces.append(f"{self.coefficient()}*({self.choice(*arguments)})^2*dot({name})^2")
        if self.chance(0.15):
            pieces.append(f"{self.signed()}*({self.choice(*arguments)})*dot({name})")
        return pieces

    def random_fields(self):
        """Fields that may be symmetries or not."""
        x, y = self.choice(*self.names), self.choice(*self.names)
        self.fields.append({"name": "shift", "generator": {x: "1"}})
        if x != y and self.chance(0.5):
            self.fields.append({"name": "turn", "generator": {x: f"-{y}", y: x}})

    def forces(self):
        if not self.chance(0.3):
            return {}
        x, y = self.choice(*self.names), self.choice(*self.names)
        c = self.signed()
        options = [{x: f"{c}*dot({x})"}, {x: f"{c}*{self.function(y)}"}]
        if x != y:
            options.append({x: f"{c}*dot({y})", y: f"-({c}*dot({x}))"})
        if self.kind == "piecewise":
            options.append({x: f"if({x} > 30, {c}*dot({x}), 0)"})
        if self.kind == "exponential":
            options.append({x: f"{c}*exp(-4*({x} - 12)^2)*dot({x})"})
        return self.choice(*options)

    def constrain(self):
        """Constraints that are integrable or not, homogeneous or affine, on the last
        coordinates."""
        if self.n < 2 or not self.chance(0.6):
            return
        z, free = self.names[-1], self.names[:-1]
        x, y = self.choice(*free), self.choice(*free)
        c, e = self.signed(), self.signed()
        smooth = self.kind in ("trigonometric", "exponential")
        options = [f"dot({z}) = {c}*{x}*{y}*2*dot({x}) + {c}*{x}^2*dot({y})"
                   if x != y else f"dot({z}) = {c}*{x}*dot({x})",
                   f"dot({z}) = {c}*{x}*dot({y})", f"dot({z}) = {c}*{x}*dot({y}) + {e}",
                   f"dot({z}) = {c}*dot({x}) + {e}*t",
                   f"dot({z}) = {c}*({x}*dot({y}) - {y}*dot({x}))",
                   f"(1 + {x}^2)*dot({z}) + {c}*{y}*dot({y}) = 0"]
        if smooth:
            options += [f"dot({z}) = {c}*cos({x})*dot({x})",
                        f"cos({x})*dot({z}) - {c}*sin({x})*dot({y}) = 0",
                        f"dot({z}) = {c}*(sin(2*{x}) - 2*sin({x})*cos({x}))*dot({y})",
                        f"dot({z}) = {c}*cos({x})*dot({y}) + {e}*sin({z})"]
        self.constraints.append(self.choice(*options))
        self.dependent.append(z)
        if self.n > 3 and self.chance(0.4):
            w = self.names[-2]
            self.constraints.append(
                f"dot({w}) = {self.signed()}*{self.names[0]}*dot({self.names[1]})")
            self.dependent.append(w)

    def consistent_class(self):
        """dot(z) = -Da(x) dot(y), ..: the section mu = p is strongly consistent when the derivative
        of I3 Da^2 + I4 Db^2 vanishes (M. Crampin, T. Mestdag, section 7.1)."""
        self.names, self.n = ["x", "y", "z", "w"], 4
        a, b = self.rng.randrange(1, 20), self.rng.randrange(1, 20)
        unit = Fraction(1, self.choice(1, 10, 100))
        broken = self.choice("0", "0", "1e-9", "0.5")
        self.constraints = [f"dot(z) = {float(a * unit)!r}*cos(x)*dot(y)",
                            f"dot(w) = ({float(b * unit)!r}*sin(x) + {broken}*x)*dot(y)"]
        self.dependent = ["z", "w"]
        lagrangian = (f"{self.coefficient()}*dot(x)^2/2 + {self.coefficient()}*dot(y)^2/2"
                      f" + {b * b}*dot(z)^2/2 + {a * a}*dot(w)^2/2")
        self.fields = [{"name": "shift", "generator": {"y": "1"}}]
        return lagrangian, broken == "0"


def random_model(rng):
    """A job, with what the checks need to know of it."""
    kind = rng.choice(CLASSES)
    build = Builder(rng, kind)
    consistent = None
    if kind == "trigonometric" and build.chance(0.15):
        lagrangian, consistent = build.consistent_class()
        forces = {}
    else:
        lagrangian = build.lagrangian()
        build.random_fields()
        build.constrain()
        forces = build.forces()
    model = {"coordinates": build.names, "lagrangian": lagrangian, "symmetries": build.fields}
    for member, value in (("parameters", build.parameters),
                          ("constraints", build.constraints), ("forces", forces)):
        if value:
            model[member] = value
    free = [name for name in build.names if name not in build.dependent]
    analyses = ["energy", "momenta", "reactions", "structure",
                {"name": "moving_energy", "fields": build.fields}]
    if build.chance(0.35):
        analyses += ["gauge_momenta", "discovery"]
    if build.chance(0.4):
        analyses += ["measure"]
    if consistent is not None or (build.constraints and build.chance(0.3)):
        analyses += ["consistency"]
    job = {"model": model,
           "initial": {"q": {name: rng.randrange(-99, 100) / 100 for name in build.names},
                       "v": {name: rng.randrange(-99, 100) / 100 for name in free}},
           "time": {"end": 1e-12, "samples": 2}, "integrator": {"method": "rk4", "step": 1e-12},
           "analyses": analyses}
    return {"kind": kind, "job": job, "consistent": consistent}
