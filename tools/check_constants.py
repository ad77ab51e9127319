"""The table of tools/check-constants.sh.

A constant decides a result or a verdict if it is
    static const TYPE NAME = VALUE;    TYPE a number: limits, tolerances, factors, seeds
    #define NAME VALUE                 VALUE a decimal fraction
    enum { NAME = VALUE };             only if its comment has the word "decides"
It is not listed if its comment says "changes no result": an estimate of work, or seconds.
An enum is the size of a buffer otherwise. Not listed either: arrays, which are coefficients;
numbers of 12 digits and more, such as pi; and marks that stand for no number, such as -1.

The comment of a constant stands behind it in the same line, or above it without an empty line
between; one above several constants holds for all of them. It tells the unit, the meaning and the
origin: a convention, measured, a theorem, or a publication (its year before
a closing bracket). A number that stands for how many digits a computation has is a level of
core/base/accuracy.h rather than a constant with a name of its own: their number is at most MOST,
which --write lowers.
"""
import collections
import os
import re
import sys
import tempfile

MOST = 227
PAGE = os.path.join("docs", "reference", "constants.md")
HEAD = """# Constants that decide

These %d constants of core/ decide a result or a verdict. Sizes of buffers are not here, nor are
estimates of work and seconds that change no result. How many digits a computed number has is one
of the levels of core/base/accuracy.h. `make constants` writes this page from the comments of the
code; `make rules` checks it, and that the number of constants does not grow. "-" is a unit that
the comment does not name. Without an origin (convention, measured, theorem, publication): %d.

| constant | value | unit | meaning and origin | file |
|---|---|---|---|---|
"""

COMMENT = r"/\*(?:[^*]|\*(?!/))*\*/"
NUMBER_TYPE = r"(?:double|float|int|long|unsigned|unsigned long|size_t|u?int(?:8|16|32|64)_t)"
DECLARED = re.compile(r"static const %s ([A-Z]\w*\s*=[^;\[\]{}]*);" % NUMBER_TYPE)
DEFINED = re.compile(r"#[ \t]*define ([A-Z]\w*) (\d+\.\d*(?:e-?\d+)?|\d+e-?\d+)(?!\S)")
ENUM = re.compile(r"\benum\s*\{([^{}]*)\}\s*;")
NO_RESULT = re.compile(r"\bchanges? no result\b", re.I)
NO_LIMIT = re.compile(r"\d\.\d{11,}|^-1$|_MAX$|^INFINITY$|^NAN$")
ORIGIN = re.compile(r"\b(conventions?|measured|theorems?)\b|\b(19|20)\d\d\)", re.I)
UNITS = ("seconds|bytes|bits|radians|operations|evaluations|iterations|ulps|roundings|steps|states"
         "|members|digits|factors?|ratios?|fractions?|units of [^,:.;]*")
# "of scale: ..", "relative to its terms", "Seconds in which ..", "in bytes", ": steps."
UNIT = re.compile(r"^(of [^:.;]{1,40}):|\b(relative to [^,:.;]*)|^(%s)\b|\bin (%s)\b|: (%s)[.]"
                  r"|\b(no unit)s?\b" % (UNITS, UNITS, UNITS), re.I)

Constant = collections.namedtuple("Constant", "name value comment file line")


def words(comment):
    """The text of a comment in one line."""
    lines = re.sub(r"^/\*+|\*/$", "", comment).split("\n")
    return " ".join(" ".join(re.sub(r"^\s*\*", "", line) for line in lines).split())


def comment_behind(source, place):
    """The comment that begins in the same line, with nothing but a comma or a brace between."""
    m = re.match(r"[ \t,;}]*(%s)" % COMMENT, source[place:])
    return words(m.group(1)) if m else None


def comment_above(source, place):
    """The comment above a place with only constants, and no empty line, between."""
    block = source[:source.rfind("\n", 0, place) + 1]
    block = block[block.rfind("\n\n") + 1:]
    found = list(re.finditer(r"^[ \t]*(%s)[ \t]*$" % COMMENT, block, re.M))
    between = block[found[-1].end():] if found else "none"
    for constant in (COMMENT, DECLARED, DEFINED, ENUM):
        between = re.sub(constant, "", between)
    return None if between.strip() else words(found[-1].group(1))


def declarators(text):
    """(NAME, VALUE) of `A = 1, B = C(2, 3)`."""
    bare = re.sub(COMMENT, "", text)
    for part in re.split(r",(?=\s*[A-Z]\w*\s*=)", bare):
        name, _, value = part.partition("=")
        if value:
            yield name.strip(), " ".join(value.split()).rstrip(", ")


def of_enum(source, m):
    """The members of an enum whose comments say that they decide."""
    above = comment_behind(source, m.end()) or comment_above(source, m.start())
    inside = list(re.finditer(r"\b([A-Z]\w*)\s*=\s*((?:[^,/]|/(?!\*))*)", m.group(1)))
    for item in inside:
        place = m.start(1) + item.end()
        comment = comment_behind(source, place) or above
        if comment and re.search(r"\bdecides?\b", comment, re.I):
            yield m.start(1) + item.start(), item.group(1), item.group(2).strip(), comment


def constants(source, file):
    """All constants of a file, in order."""
    found = []
    for m in DECLARED.finditer(source):
        comment = comment_behind(source, m.end()) or comment_above(source, m.start())
        found += [(m.start(), name, value, comment) for name, value in declarators(m.group(1))]
    for m in DEFINED.finditer(source):
        comment = comment_behind(source, m.end()) or comment_above(source, m.start())
        found.append((m.start(), m.group(1), m.group(2), comment))
    for m in ENUM.finditer(source):
        found += of_enum(source, m)
    for place, name, value, comment in sorted(found, key=lambda item: item[0]):
        if not NO_LIMIT.search(value) and not NO_RESULT.search(comment or ""):
            yield Constant(name, value, comment or "", file, source.count("\n", 0, place) + 1)


def all_constants(root):
    for path, folders, names in os.walk(os.path.join(root, "core")):
        folders.sort()
        for name in sorted(names):
            if name.endswith((".c", ".h")):
                file = os.path.join(path, name)
                with open(file, encoding="utf-8") as stream:
                    yield from constants(stream.read(), os.path.relpath(file, root))


def unit(comment):
    """The unit that a comment names: "of scale", "seconds", or "-"."""
    m = UNIT.search(comment)
    return m.group(m.lastindex).lower() if m else "-"


def page(found):
    without = sum(not ORIGIN.search(c.comment) for c in found)
    rows, before = [], None
    for c in found:
        same = before and c.comment and (c.comment, c.file) == (before.comment, before.file)
        cells = ["`%s`" % c.name, c.value, unit(c.comment), "as above" if same else c.comment,
                 c.file]
        rows.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n")
        before = c
    return HEAD % (len(found), without) + "".join(rows)


def too_many(found):
    """A message if there are more constants than MOST, or one without an origin."""
    if len(found) > MOST:
        return ("%d constants, at most %d: is the new one a level of core/base/accuracy.h?"
                % (len(found), MOST))
    without = [c for c in found if not ORIGIN.search(c.comment)]
    return without and "%s:%d: %s has no origin" % (without[0].file, without[0].line,
                                                    without[0].name)


def check(root):
    found = list(all_constants(root))
    text = page(found)
    wrong = too_many(found)
    if wrong:
        print("check-constants: " + wrong)
        return 1
    path = os.path.join(root, PAGE)
    old = ""
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            old = file.read()
    if text != old:
        print("check-constants: %s does not say what core/ says; run make constants" % PAGE)
        return 1
    print("check-constants: %s is up to date" % PAGE)
    return 0


def write(root, lower=False):
    found = list(all_constants(root))
    with open(os.path.join(root, PAGE), "w", encoding="utf-8") as file:
        file.write(page(found))
    if lower and len(found) < MOST:
        with open(__file__, encoding="utf-8") as file:
            source = file.read()
        with open(__file__, "w", encoding="utf-8") as file:
            file.write(re.sub(r"^MOST = \d+$", "MOST = %d" % len(found), source, count=1,
                              flags=re.M))
    return 0


# ---------------------------------------------------------------------------------------- self-test

SAMPLE = """/* A file. */
enum { BUFFER = 16 }; /* characters */
enum {
    STEPS = 10, /* Decides when Newton's method has failed: steps. Convention. */
    ROOM = 4    /* names */
};

/* The first and the second bound
 * of a column, in seconds. Measured. */
static const double FIRST = 1e-3,
                    SECOND = 2 * F(1, 2);
static const size_t LEAST = 4; /* of the step: retried below it */
static const double PI = 3.14159265358979, NONE = -1;
static const double PAUSE = 0.5; /* Seconds. Convention; it changes no result. */
static const double TABLE[] = {1, 2};

#define ULPS 1.5

/* A function. Convention. */
int function(void);
static const double BARE = 1;
"""
EXPECTED = [("STEPS", "10", "steps", True), ("FIRST", "1e-3", "seconds", True),
            ("SECOND", "2 * F(1, 2)", "seconds", True), ("LEAST", "4", "of the step", False),
            ("ULPS", "1.5", "-", False), ("BARE", "1", "-", False)]


def self_test():
    found = list(constants(SAMPLE, "core/a.c"))
    listed = [(c.name, c.value, unit(c.comment), bool(ORIGIN.search(c.comment))) for c in found]
    assert listed == EXPECTED, listed
    assert not too_many(found[:3]) and "no origin" in too_many(found)
    assert "at most" in too_many(found * (MOST // len(found) + 1))
    with tempfile.TemporaryDirectory() as root:
        for folder in ("core", os.path.dirname(PAGE)):
            os.makedirs(os.path.join(root, folder))
        for text, stale in ((SAMPLE, False), (SAMPLE.replace("1e-3", "1e-4"), True)):
            with open(os.path.join(root, "core", "a.c"), "w", encoding="utf-8") as file:
                file.write(text)
            if not stale:
                write(root)
            assert (page(list(all_constants(root))) != page(found)) == stale
    print("check-constants: self-test passed")
    return 0


def main(arguments):
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
    if arguments == ["--self-test"]:
        return self_test()
    if arguments == ["--write"]:
        return write(root, lower=True)
    return check(arguments[0] if arguments else root)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
