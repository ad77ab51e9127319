#!/usr/bin/env python3
"""Jobs that failed once, each with its truth: the program has to be right, or honest if the file
says so.

usage: tests/failures/check.py [-v] [FOLDER or FILE.json ...]
The default is the folder of this script.
The program is $DALEMBERT_BIN, or ./build/dalembert. Exit status: 0 if each file is as good as it
says ("expect", RIGHT if it says nothing), 1 if not, 2 if a file is at fault. A needless warning
beside a right value counts as a failure.

A file is a job with more members: `name`, `source`, `published`, `note` (not sent), `check` (a
list) and `cases` (a list of {"name", "set": {"initial/v/x": 5, ..}, "check"}: the job again with
these places changed). Every check is

    {"what": WHAT, "value": the truth, "tol": 1e-9, "scale": optional}

The error of a number is |got - value| / scale, with scale = 1 + |value| unless given.
WHAT is one of
    final EXPR         at the last sample; EXPR in Python's signs over the columns:
                       "hypot(x, y)/l - 1", "dot(x)"
    column EXPR        at all samples, or those `at`: value is a number, a list, or an
                       expression in t
    events NAME        how many rows the event has (value: a number, or a list of those that count
                       as right)
    event times NAME   the instants of its rows
    eigenvalues KIND   value: [[re, im], ..], each to be among the eigenvalues of the equilibrium of
                       that kind
    discovery          value: how many first integrals there are; fewer found are honest, more are
                       wrong
    refused            the job must be refused or fail, for a reason that contains one of the words
                       in `value`
    a/b/key=text/c     a place in the answer: "invariants/floquet/stable",
                       "invariants/invariants/name=energy/predicted";
                       value: a number, true or false, a word, or a list of words that are right

RIGHT: all checks hold. HONEST: not right, but said so: refused, failed, "undecided", or a warning
beside the wrong value. WRONG: a value or verdict contradicts the truth and no warning is there, the
program crashed, or took what it must refuse. A file counts as the worst of its cases (-v prints
each). At most 60 s a run; what takes longer is HONEST (no answer)."""
import copy, glob, json, math, os, re, subprocess, sys, time

BINARY = os.environ.get("DALEMBERT_BIN") or "./build/dalembert"
NOT_SENT = ("name", "source", "published", "note", "check", "cases", "expect")
RIGHT, HONEST, WRONG = 0, 1, 2
WORDS = ("RIGHT", "HONEST", "WRONG")
LIMIT = 60


class FileAtFault(Exception):
    """A check that cannot be made: the file is to be mended, the program is not to blame."""


# -- running ---------------------------------------------------------------------------------------
def simulate(job):
    """-> (answer or None, reason of a refusal or failure or None, crashed)"""
    try:
        run = subprocess.run([BINARY, "simulate", "-"], input=json.dumps(job),
                             capture_output=True, text=True, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        return None, f"no answer within {LIMIT} s", False
    said = " ".join(run.stderr.split()) or "without a word"
    if run.returncode < 0: return None, f"killed by signal {-run.returncode}", True
    try:
        answer = json.loads(run.stdout)
    except ValueError:
        return None, "refused: " + said, run.returncode not in (1, 2) or said == "without a word"
    if run.returncode == 0 and answer.get("job", {}).get("state") == "succeeded":
        return answer, None, False
    return answer, "failed: " + (answer.get("job", {}).get("message") or said), False


def changed(job, places):
    """The job with members replaced: {"model/parameters/k": 1}; missing objects are made."""
    job = copy.deepcopy(job)
    for place, value in places.items():
        *way, last = place.split("/")
        at = job
        for key in way: at = at[int(key)] if isinstance(at, list) else at.setdefault(key, {})
        at[int(last) if isinstance(at, list) else last] = value
    return job


# -- reading the answer ----------------------------------------------------------------------------
FUNCTIONS = {name: getattr(math, name)
             for name in ("sin", "cos", "tan", "sqrt", "exp",
                          "log", "hypot", "atan2", "pi", "fabs")}


def evaluate(text, names):
    """The value of an expression over columns: names such as dot(x) are written as the program
    writes them."""
    for k, name in enumerate(sorted((n for n in names if not n.isidentifier()),
                                    key=len, reverse=True)):
        if name in text:
            text, names = text.replace(name, f"_c{k}"), {**names, f"_c{k}": names[name]}
    try:
        return eval(text, {"__builtins__": {}}, {**FUNCTIONS, **names})
    except TypeError: return None          # a null among the columns
    except (NameError, SyntaxError) as e: raise FileAtFault(f"'{text}': {e}")


def table(answer, event=None):
    series = answer["events"][event]["series"] if event else answer["result"]["series"]
    return [dict(zip(series, row)) for row in zip(*series.values())]


def dig(answer, place):
    """-> (value or None, the reason given beside it): follows a/b/2/key=text/c through objects and
    lists."""
    at, reason = answer, ""
    for key in place.split("/"):
        if isinstance(at, dict):
            reason = at.get("failed") or at.get("reason") or reason
            at = at.get(key)
        elif isinstance(at, list) and "=" in key:
            name, text = key.split("=", 1)
            at = next((x for x in at if str(x.get(name)) == text), None)
        elif isinstance(at, list):
            at = at[int(key)] if int(key) < len(at) else None
        else: return None, reason
    return at, reason


# -- judging: each returns (status, error or None, text) -------------------------------------------
def numbers(pairs, check):
    """pairs: (label, got, truth)"""
    worst, text = 0.0, ""
    for label, got, truth in pairs:
        if got is None or not math.isfinite(got): return HONEST, None, f"{label}: no number"
        error = abs(got - truth) / check.get("scale", 1 + abs(truth))
        if error >= worst: worst, text = error, f"{label} = {got:.10g}, truth {truth:.10g}"
    return (RIGHT, worst, "") if worst <= check.get("tol", 1e-9) else (WRONG, worst, text)


def word(label, got, truth, reason):
    truths = truth if isinstance(truth, list) else [truth]
    if got in truths: return RIGHT, None, ""
    if got is None or got == "undecided": return HONEST, None, f"{got or 'not said'}: {reason}"
    return WRONG, None, f"{label} {json.dumps(got)}, truth {json.dumps(truth)}"


def judge_column(answer, check, expression, last):
    rows = table(answer)
    if last: rows = rows[-1:]
    elif "at" in check:
        picked = [min(rows, key=lambda row: abs(row["t"] - t)) for t in check["at"]]
        for row, t in zip(picked, check["at"]):
            if abs(row["t"] - t) > 1e-9 * (1 + abs(t)): raise FileAtFault(f"no sample at t = {t}")
        rows = picked
    value = check["value"]
    if isinstance(value, list) and len(value) != len(rows):
        raise FileAtFault(f"{len(value)} values for {len(rows)} samples")
    truth = lambda k, t: value[k] if isinstance(value, list) else evaluate(
        value, {"t": t}) if isinstance(value, str) else value
    return numbers([(f"{expression} at t = {row['t']:.6g}", evaluate(expression, row),
                     truth(k, row["t"])) for k, row in enumerate(rows)], check)


def judge_events(answer, check, name):
    if name not in answer["events"]: raise FileAtFault(f"no event '{name}'")
    count, truth = len(table(answer, name)), check["value"]
    ok = count in (truth if isinstance(truth, list) else [truth])
    return (RIGHT, None, "") if ok else (WRONG, None, f"event {name}: {count} rows, truth {truth}")


def judge_event_times(answer, check, name):
    times, truth = [row["t"] for row in table(answer, name)], check["value"]
    if len(times) != len(truth):
        return WRONG, None, f"event {name}: {len(times)} rows, truth {len(truth)}"
    return numbers([(f"event {name}", a, b) for a, b in zip(times, truth)], check)


def judge_eigenvalues(answer, check, kind):
    got, reason = dig(answer, f"invariants/equilibria/kind={kind}/eigenvalues")
    if not got: return HONEST, None, f"no eigenvalues: {reason}"
    worst, text = 0.0, ""
    for re_, im in check["value"]:
        error = min(abs(complex(x["re"] - re_, x["im"] - im))
                    for x in got) / check.get("scale", 1 + abs(complex(re_, im)))
        if error >= worst: worst, text = error, f"no eigenvalue {re_:.10g} {im:+.10g}i"
    return (RIGHT, worst, "") if worst <= check.get("tol", 1e-9) else (WRONG, worst, text)


def judge_discovery(answer, check):
    found = sum(x["kind"] == "first integral" and x["predicted"] == "yes"
                for x in answer["invariants"]["invariants"])
    if found == check["value"]: return RIGHT, None, ""
    return (HONEST if found < check["value"]
            else WRONG), None, f"{found} first integrals found, there are {check['value']}"


def judge(answer, check):
    what, _, rest = check["what"].partition(" ")
    if what in ("final", "column"): return judge_column(answer, check, rest, what == "final")
    if what == "events": return judge_events(answer, check, rest)
    if check["what"].startswith("event times "):
        return judge_event_times(answer, check, check["what"][12:])
    if what == "eigenvalues": return judge_eigenvalues(answer, check, rest)
    if what == "discovery": return judge_discovery(answer, check)
    if "/" in check["what"]:
        got, reason = dig(answer, check["what"])
        label, truth = check["what"].split("/", 1)[1], check["value"]
        if isinstance(truth, (int, float)) and not isinstance(truth, bool):
            return numbers([(label, got, truth)], check)
        return word(label, got, truth, reason)
    raise FileAtFault(f"unknown check '{check['what']}'")


def judge_refusal(answer, failure, check):
    if not failure: return WRONG, None, "accepted, but is to be refused"
    if any(re.search(w, failure) for w in check["value"]): return RIGHT, None, ""
    return HONEST, None, failure


def judge_case(job, checks):
    answer, failure, crashed = simulate(job)
    if crashed: return WRONG, None, failure
    refusal = [c for c in checks if c["what"] == "refused"]
    if refusal: outcomes = [judge_refusal(answer, failure, refusal[0])]
    elif failure: return HONEST, None, failure
    else: outcomes = [judge(answer, c) for c in checks]
    status = max(o[0] for o in outcomes)
    error = max((o[1] for o in outcomes if o[1] is not None and o[0] == status), default=None)
    text = next((o[2] for o in outcomes if o[0] == status), "")
    warnings = (answer or {}).get("job", {}).get("warnings") or []
    if status == WRONG and warnings: return HONEST, error, f"warned: {warnings[0]}"
    if status == RIGHT and warnings: text = f"(needless warning: {warnings[0]})"
    return status, error, text


# -- files -----------------------------------------------------------------------------------------
def cases_of(document):
    job = {k: v for k, v in document.items() if k not in NOT_SENT}
    if document.get("check"): yield "", job, document["check"]
    for case in document.get("cases", []):
        yield case["name"], changed(job, case.get("set", {})), case.get(
            "check") or document["check"]


def line(name, status, error, seconds, text):
    print(f"{name:44s} {WORDS[status]:6s} {'' if error is None else f'{error:.1e}':>8s} "
          f"{seconds:6.1f} s  {text}".rstrip(), flush=True)


def judge_file(path, verbose):
    document = json.load(open(path))
    name = os.path.basename(path)[:-5]
    start, results = time.time(), []
    for case, job, checks in cases_of(document):
        begun = time.time()
        results.append((case, *judge_case(job, checks)))
        if verbose:
            line(f"  {name}: {case}", *results[-1][1:3], time.time() - begun, results[-1][3][:60])
    if not results: raise FileAtFault("nothing to check")
    status = max(r[1] for r in results)
    error = max((r[2] for r in results if r[2] is not None and r[1] == status), default=None)
    case, _, _, text = next(r for r in results if r[1] == status)
    text = text[:60]
    if len(results) > 1:
        tally = ", ".join(f"{n} {WORDS[s]}" for s in (RIGHT, HONEST, WRONG)
                          if (n := sum(r[1] == s for r in results)))
        text = f"[{tally}] {case + ': ' if status else ''}{text}"
    line(name, status, error, time.time() - start, text)
    needless = any("needless warning" in r[3] for r in results)
    return status, status == WORDS.index(document.get("expect", "RIGHT")) and not needless


def main():
    arguments = [a for a in sys.argv[1:] if a != "-v"]
    places = arguments or [os.path.dirname(os.path.abspath(__file__))]
    paths = [p for place in places for p in (sorted(glob.glob(os.path.join(place, "*.json")))
                                             if os.path.isdir(place) else [place])]
    if not os.access(BINARY, os.X_OK):
        sys.exit(print(f"no program at {BINARY}: build it, or say where it is in DALEMBERT_BIN",
                       file=sys.stderr) or 2)
    tally, faults, fallen = [0, 0, 0], 0, []
    for path in paths:
        try:
            status, expected = judge_file(path, "-v" in sys.argv)
            tally[status] += 1
            if not expected: fallen.append(os.path.basename(path)[:-5])
        except (FileAtFault, OSError, ValueError, LookupError, TypeError) as fault:
            faults += 1
            print(f"{os.path.basename(path)}: this file cannot be checked: "
                  f"{type(fault).__name__}: {fault}", flush=True)
    if faults: print(f"{faults} files cannot be checked")
    print(f"{tally[RIGHT]} of {sum(tally)} right, {tally[HONEST]} honest, {tally[WRONG]} WRONG")
    if fallen: print("not as expected: " + ", ".join(fallen))
    sys.exit(2 if faults or not paths else 1 if fallen else 0)


main()
