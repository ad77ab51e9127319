"""The figures of tools/check-shape.sh.

    columns      lines of more than 100 columns in C files and headers, comments included; by folder
    struct       structs of more than 25 members, or of more than 4 members of type bool. Behind the
                 opening brace `/* wide: REASON */` allows one; by file and name
    parameters   functions of more than 7 parameters; by file and name
    cycle        folders that include each other, directly or by way of other folders
    origin       constants that decide (tools/check_constants.py) whose comment tells no origin: a
                 convention, measured, a theorem, or the year of a publication; by folder
    layers       the table of ARCHITECTURE.md names the LAYERS of the Makefile in the same order

tools/shape.txt has a line for each exception that is left: figure, place, number. A number that is
higher than its line is an error, and so is a lower one: the line is to be lowered along with the
code. --write does that; it refuses if the sum of a figure would rise.
"""
import collections
import contextlib
import io
import os
import re
import sys
import tempfile

import check_constants

COLUMNS, MEMBERS, BOOLEANS, PARAMETERS = 100, 25, 4, 7
LIST = os.path.join("tools", "shape.txt")
CODE = ("core", "db", "api", "server")
TESTS = ("tests", "bench")

# Comments, literals and preprocessor lines: no brace, comma or parenthesis in them counts.
NOT_CODE = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\''
                      r'|^[ \t]*#(?:\\\n|/\*.*?\*/|[^\n])*', re.S | re.M)


def blanked(source):
    """The source with spaces for all that is not code; every place stays where it is."""
    return NOT_CODE.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), source)


def top_level(text, separator):
    """Splits at separators outside of all brackets."""
    parts, depth = [""], 0
    for c in text:
        depth += (c in "([{") - (c in ")]}")
        if c == separator and depth == 0:
            parts.append("")
        else:
            parts[-1] += c
    return parts


def closing(code, opening):
    """The place of the bracket that ends what begins at `opening`."""
    depth, pair = 0, {"{": "{}", "(": "()"}[code[opening]]
    for m in re.finditer(r"[%s]" % re.escape(pair), code[opening:]):
        depth += 1 if m.group() == pair[0] else -1
        if depth == 0:
            return opening + m.start()
    return len(code)


def structs(source, code):
    """(name, members, booleans) of every struct that has no reason to be wide."""
    for m in re.finditer(r"\bstruct\s*(\w*)\s*\{", code):
        end = closing(code, m.end() - 1)
        if "/* wide:" in source[m.end():source.find("\n", m.end())]:
            continue
        fields = [f.strip() for f in top_level(code[m.end():end], ";") if f.strip()]
        counts = [(len(top_level(f, ",")), f.startswith("bool ")) for f in fields]
        behind = re.match(r"\}\s*(\w+)", code[end:])
        name = m.group(1) or (behind.group(1) if behind else "")
        yield name, sum(n for n, _ in counts), sum(n for n, is_bool in counts if is_bool)


def functions(code):
    """(name, parameters) of every function that is defined."""
    place = 0
    while (brace := code.find("{", place)) >= 0:
        head = code[place:brace].rsplit(";", 1)[-1].rsplit("}", 1)[-1]
        m = re.search(r"\b(\w+)\s*\(", head)
        if m and head.rstrip().endswith(")") and "=" not in head[:m.start()]:
            end = closing(head, m.end() - 1)
            yield m.group(1), len(top_level(head[m.end():end], ","))
        place = closing(code, brace) + 1


def in_cycles(edges):
    """Nodes that come back to themselves."""
    def after(node):
        seen, todo = set(), [node]
        while todo:
            new = edges[todo.pop()] - seen
            seen |= new
            todo.extend(new)
        return seen
    return [node for node in sorted(edges) if node in after(node)]


def files(root, folders, ends):
    for folder in folders:
        for path, _, names in os.walk(os.path.join(root, folder)):
            for name in names:
                if name.endswith(ends):
                    yield os.path.relpath(os.path.join(path, name), root)


def read(root, file):
    with open(os.path.join(root, file), encoding="utf-8") as stream:
        return stream.read()


def figures(root):
    """{(figure, place): number} of all that is more than allowed."""
    found, edges = collections.Counter(), collections.defaultdict(set)
    for file in files(root, CODE + TESTS, (".c", ".h", ".cc")):
        source, folder = read(root, file), os.path.dirname(file)
        found["columns", folder] += sum(len(line) > COLUMNS for line in source.splitlines())
        if file.startswith(TESTS):
            continue
        code = blanked(source)
        for name, members, booleans in structs(source, code):
            if members > MEMBERS or booleans > BOOLEANS:
                found["struct", "%s:%s" % (file, name)] = members if members > MEMBERS else booleans
        for name, parameters in functions(code):
            if parameters > PARAMETERS:
                found["parameters", "%s:%s" % (file, name)] = parameters
        for other in re.findall(r'^ *# *include *"([^"]+)/[^"/]+"', source, re.M):
            if other != folder and other.startswith(CODE):
                edges[folder].add(other)
    for constant in check_constants.all_constants(root):
        if not check_constants.ORIGIN.search(constant.comment):
            found["origin", os.path.dirname(constant.file)] += 1
    found.update({("cycle", folder): 1 for folder in in_cycles(edges)})
    return {key: number for key, number in found.items() if number}


def layers_differ(root):
    """The layers by the table and by the Makefile, or None if they agree."""
    makefile = read(root, "Makefile").replace("\\\n", " ")
    built = re.search(r"^LAYERS := (.*)$", makefile, re.M).group(1).split()
    named = re.findall(r"^\| `([a-z/]+)` \|", read(root, "ARCHITECTURE.md"), re.M)
    named = [name for name in named if "/" in name or name in CODE]
    return None if named == built else (named, built)


def allowed(root):
    if not os.path.exists(os.path.join(root, LIST)):
        return {}
    lines = (line.split() for line in read(root, LIST).splitlines() if not line.startswith("#"))
    return {(figure, place): int(number) for figure, place, number in lines}


def complaints(root):
    found, limits = figures(root), allowed(root)
    for key in sorted(found.keys() | limits.keys()):
        now, limit = found.get(key, 0), limits.get(key, 0)
        if now > limit:
            yield "%s: %s is %d, at most %d is allowed" % (key[1], key[0], now, limit)
        elif now < limit:
            yield ("%s: %s is %d; lower its line of %s (tools/check-shape.sh --write)"
                   % (key[1], key[0], now, LIST))
    differ = layers_differ(root)
    if differ:
        yield "ARCHITECTURE.md: its table has %s,\nLAYERS of the Makefile %s" % tuple(
            " ".join(names) for names in differ)


def sums(numbers):
    total = collections.Counter()
    for (figure, _), number in numbers.items():
        total[figure] += number
    return total


def write(root):
    found, limits = figures(root), sums(allowed(root))
    risen = [figure for figure, total in sums(found).items() if limits and total > limits[figure]]
    if risen:
        print("check-shape: not written, for these would rise: " + " ".join(risen))
        return 1
    with open(os.path.join(root, LIST), "w", encoding="utf-8") as file:
        file.write("# What tools/check-shape.sh still allows: figure, place, number. "
                   "Numbers fall, they never rise.\n")
        file.writelines("%s %s %d\n" % (*key, found[key]) for key in sorted(found))
    return 0


def check(root):
    wrong = list(complaints(root))
    for complaint in wrong:
        print(complaint)
    left = allowed(root)
    totals = sums(left)
    # of structs and parameters the number of exceptions, not the sum of their sizes
    totals.update({figure: sum(key[0] == figure for key in left) - totals[figure]
                   for figure in ("struct", "parameters") if figure in totals})
    left = ", ".join("%s %d" % item for item in sorted(totals.items()))
    print("check-shape: %s" % ("failed" if wrong else "in order; left in %s: %s" % (LIST, left)))
    return 1 if wrong else 0


# ---------------------------------------------------------------------------------------- self-test

MEMBERS_26 = "\n    ".join("int m%d;" % k for k in range(26))
BAD = {  # a file that must be refused, by its figure
    "columns": "/* " + 100 * "x" + " */\n",
    "struct": "typedef struct A { %s } A;\n" % MEMBERS_26,
    "struct bool": "struct A {\n    bool a, b, c;\n    bool d, e;\n};\n",
    "parameters": "static int f(int a, int b, int c, int d, int e, int g, int h, int i)\n{\n}\n",
    "origin": "static const double LIMIT = 1; /* of the step */\n",
    "cycle": '#include "core/b/b.h"\n',
}
GOOD = """static const double LIMIT = 1; /* of the step. Convention. */
/* A comment, with (many, commas, in, it, a, b, c, d, e). */
typedef struct A { /* wide: one line of a table */
    %s
} A;
struct B {
    bool a, b, c, d;
    int (*call)(int, int, int, int, int, int, int, int, int);
};
int g(int a, int b, int c, int d, int e, int f, int (*h)(int, int))
{
    if (call(1, 2, 3, 4, 5, 6, 7, 8, 9)) {
    }
}
int declared(int a, int b, int c, int d, int e, int f, int g, int h);
static const A table[] = {{1, 2, 3, 4, 5, 6, 7, 8, 9}};
""" % MEMBERS_26


def self_test():
    def plant(file, text):
        path = os.path.join(root, file)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(text)

    with tempfile.TemporaryDirectory() as root:
        plant("Makefile", "LAYERS := core/a \\\n\tcore/b db\n")
        plant("ARCHITECTURE.md", "| `core/a` | x |\n| `core/b` | x |\n| `db` | x |\n| `other` |\n")
        plant("core/b/b.h", '#include "core/a/a.h"\n')
        plant("core/a/a.h", GOOD)
        assert list(complaints(root)) == [], list(complaints(root))
        for figure, text in BAD.items():
            plant("core/a/a.c", text)
            found = list(complaints(root))
            assert found and all(": %s is" % figure.split()[0] in c for c in found), figure
        # the list of exceptions: it allows what it names, and it is to be lowered
        plant("core/a/a.c", BAD["parameters"])
        plant(LIST, "parameters core/a/a.c:f 8\n")
        assert list(complaints(root)) == []
        plant(LIST, "parameters core/a/a.c:f 9\n")
        assert len(list(complaints(root))) == 1
        assert write(root) == 0 and allowed(root) == {("parameters", "core/a/a.c:f"): 8}
        plant("core/a/a.c", BAD["parameters"] + BAD["parameters"].replace("f(", "k(int z, "))
        plant("Makefile", "LAYERS := core/b core/a db\n")
        assert len(list(complaints(root))) == 2
        with contextlib.redirect_stdout(io.StringIO()):
            assert write(root) == 1, "a figure rose"
    print("check-shape: self-test passed")
    return 0


def main(arguments):
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
    if arguments == ["--self-test"]:
        return self_test()
    if arguments == ["--write"]:
        return write(root)
    return check(arguments[0] if arguments else root)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
