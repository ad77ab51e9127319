#!/usr/bin/env python3
"""Checks that SQL of the store names the tenant (tools/check-tenants.sh).

    check_tenants.py [ROOT]        check_tenants.py --self-test

A statement in db/sqlite that reads or changes rows of jobs, models or calls compares a column
`tenant`, or adds rows with that column. Macros are expanded. Neighboring literals are one
statement, and so are the pieces that a function appends to a text.

tools/tenants.txt lists the exceptions. A line has a file, the functions or tables that have the
statements, and the reason; * stands for any text. A line that excuses nothing is refused.
"""
import fnmatch
import glob
import os
import re
import sys
import tempfile

TABLE = re.compile(r"(?:\b(?:FROM|JOIN|INTO|UPDATE(?: OR \w+)?)\s+|,\s*)"
                   r"(?:jobs|models|calls)\b(?!\.)(?!\s*[),])")
COMPARED = re.compile(r"\btenant\s*(?:=|IS)\s*\S")
ADDED = re.compile(r"\bINSERT INTO \w+ \([^)]*\btenant\b")
APPENDS = ("text_puts", "text_printf")
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'|[A-Za-z_]\w*|\S')
DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)(\([^)]*\))?((?:[^\n\\]|\\.|\\\n)*)$", re.M)


def plain(text):
    """The source without comments, in as many lines."""
    def blank(match):
        word = match.group(0)
        return re.sub(r"[^\n]", " ", word) if word.startswith("/") else word
    return re.sub(r'"(?:[^"\\\n]|\\.)*"|/\*.*?\*/|//[^\n]*', blank, text, flags=re.S)


def macros_of(text):
    return {name: (re.findall(r"\w+", parameters) if parameters else None,
                   TOKEN.findall(body.replace("\\\n", " ")))
            for name, parameters, body in DEFINE.findall(text)}


def arguments(tokens, at):
    """The arguments of a call whose "(" is tokens[at], and the place behind its ")"."""
    found, depth = [[]], 0
    while at < len(tokens):
        token = tokens[at]
        at += 1
        depth += {"(": 1, ")": -1}.get(token, 0)
        if depth == 0:
            break
        if token == "," and depth == 1:
            found.append([])
        elif depth > 1 or token != "(":
            found[-1].append(token)
    return found, at


def expand(tokens, macros):
    """All macros replaced; a name never within itself."""
    out, at = [], 0
    while at < len(tokens):
        token = tokens[at]
        at += 1
        if token not in macros:
            out.append(token)
            continue
        parameters, body = macros[token]
        others = {name: macro for name, macro in macros.items() if name != token}
        if parameters is not None:
            if tokens[at:at + 1] != ["("]:
                out.append(token)
                continue
            given, at = arguments(tokens, at)
            given = dict(zip(parameters, (expand(each, macros) for each in given)))
            body = [word for each in body for word in given.get(each, [each])]
        out += expand(body, others)
    return out


def statements(text, macros):
    """Pairs of the function or table, and the text of a statement."""
    source = DEFINE.sub(lambda match: "\n" * match.group(0).count("\n"), text)
    source = re.sub(r"^[ \t]*#.*$", "", source, flags=re.M)
    owner, last, run, pieces = "", "", [], []
    depth, appends = 0, None  # the depth outside of a call that appends
    for token in expand(TOKEN.findall(source), macros):
        if token.startswith('"'):
            run.append(token[1:-1])
            continue
        if run and appends is not None:
            pieces += run
        elif run:
            yield owner, "".join(run)
        run = []
        if depth == 0 and token in ("(", "[", "=") and re.match(r"[A-Za-z_]", last):
            owner = last
        if token == "(" and last in APPENDS:
            appends = depth
        depth += {"{": 1, "}": -1, "(": 1, ")": -1}.get(token, 0)
        if depth == appends:
            appends = None
        if depth == 0 and pieces:
            yield owner, "".join(pieces)
            pieces = []
        last = token


def read_exceptions(root):
    with open(os.path.join(root, "tools", "tenants.txt"), encoding="utf-8") as file:
        lines = [line.split(None, 2) for line in file if line.strip() and line[0] != "#"]
    return lines


def check(root):
    paths = sorted(glob.glob(os.path.join(root, "db", "sqlite", "*.[ch]")))
    texts = {}
    for path in paths:
        with open(path, encoding="utf-8") as file:
            texts[os.path.basename(path)] = plain(file.read())
    shared = {}
    for name, text in texts.items():
        if name.endswith(".h"):
            shared.update(macros_of(text))
    exceptions = read_exceptions(root)
    complaints = ["tools/tenants.txt: no reason: " + " ".join(line)
                  for line in exceptions if len(line) < 3]
    used, checked = set(), 0
    for name, text in texts.items():
        for owner, sql in statements(text, dict(shared, **macros_of(text))):
            if not TABLE.search(sql):
                continue
            checked += 1
            if COMPARED.search(sql) or ADDED.search(sql):
                continue
            excuse = [k for k, line in enumerate(exceptions)
                      if fnmatch.fnmatch(name, line[0]) and any(
                          fnmatch.fnmatch(owner, each) for each in line[1].split(","))]
            used.update(excuse)
            if not excuse:
                complaints.append("db/sqlite/%s: %s: no tenant: %s" % (name, owner, sql[:90]))
    complaints += ["tools/tenants.txt: excuses nothing: " + " ".join(line[:2])
                   for k, line in enumerate(exceptions) if k not in used]
    return complaints, checked


# ---------------------------------------------------------------------------------------- self-test

HEADER = """#define JOB_OF(tenant) "j.id = ?1 AND j.tenant = " tenant " AND " SOUND
#define SOUND "j.checksum IS row_checksum(j.id, " SAYS("j.") ")"
#define SAYS(row) row "tenant, " row "state"
"""
GOOD = """/* SELECT id FROM jobs */
static const char OLD[] = "SELECT id " /* FROM jobs */
                          "FROM jobs WHERE tenant = ?1";
static void add(Text *sql, bool more)
{
    query_new(a, "SELECT j.state FROM jobs j WHERE " JOB_OF("?2"));
    query_new(a, "INSERT INTO jobs (id, tenant) VALUES (?1, ?2)");
    query_new(a, "SELECT tenant, seq FROM owners");
    text_puts(sql, "SELECT id FROM ");
    text_puts(sql, more ? "labels l JOIN jobs j ON j.seq = l.job " : "jobs j ");
    text_printf(sql, "WHERE %s.tenant = ?%d", "j", 1);
}
"""
BAD = [
    'static const char OLD[] = "SELECT id FROM jobs";',
    'static const char OLD[] = "SELECT id, tenant FROM " "jobs j WHERE id = ?1";',
    'static void f(void)\n{\n    run("UPDATE jobs SET state = 1 WHERE " SOUND);\n}',
    'static void f(void)\n{\n    run("UPDATE OR IGNORE calls SET url = 1");\n}',
    'static void f(void)\n{\n    run("DELETE FROM models WHERE id = ?1");\n}',
    'static void f(void)\n{\n    run("INSERT INTO calls (job) VALUES (?1)");\n}',
    'static void f(void)\n{\n    run("SELECT 1 FROM labels l, jobs j");\n}',
    'static void f(void)\n{\n    text_puts(a, "SELECT 1 FROM ");\n    text_puts(a, "jobs");\n}',
]


def self_test():
    with tempfile.TemporaryDirectory() as root:
        def plant(file, text):
            path = os.path.join(root, file)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as stream:
                stream.write(text)

        plant("tools/tenants.txt", "# none\n")
        plant("db/sqlite/a.h", HEADER)
        plant("db/sqlite/a.c", GOOD)
        assert check(root) == ([], 4), check(root)
        for text in BAD:
            plant("db/sqlite/a.c", GOOD + text + "\n")
            assert len(check(root)[0]) == 1, text
        # exceptions: a function or a file, with a reason, and needed
        plant("db/sqlite/a.c", BAD[2])
        for line, wrong in (("a.c f it must", 0), ("*.c * it must", 0), ("a.c g it must", 2),
                            ("b.c f it must", 2), ("a.c f", 1)):
            plant("tools/tenants.txt", line + "\n")
            assert len(check(root)[0]) == wrong, line
        plant("db/sqlite/a.c", GOOD)
        plant("tools/tenants.txt", "a.c add it must\n")
        assert len(check(root)[0]) == 1
    print("check-tenants: self-test passed")
    return 0


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test()
    here = os.path.dirname(os.path.abspath(__file__))
    complaints, checked = check(arguments[0] if arguments else os.path.join(here, ".."))
    if complaints:
        print("\n".join(complaints), file=sys.stderr)
        print("check-tenants: compare the tenant, or give the reason in tools/tenants.txt",
              file=sys.stderr)
        return 1
    print("check-tenants: %d statements name the tenant, or have a reason" % checked)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
