"""The jobs and the comparison of tools/same-bits.sh."""
import concurrent.futures
import contextlib
import copy
import functools
import io
import json
import os
import subprocess
import sys
import tempfile

TIMEOUT = 600  # seconds of one process, on a busy machine
MAX_STEPS = 20000  # of a run in a formulation; a run that crawls ends here, at the same step
SHOWN = 8  # differences printed of one job
MEMBERS = 34  # of an ensemble: two full batches of 16 lanes, and two members more
SPREAD = 0.02  # a varied value differs by at most this times (1 + its size)
INTEGRATORS = {"bdf": {"method": "bdf", "rtol": 1e-7},
               "loose": {"method": "dop853", "rtol": 1e-6, "atol": 1e-6},
               "tight": {"method": "dop853", "rtol": 1e-13}}
MU = 0.7  # any initial multiplier of the vakonomic formulation
# The list "compare" of a job may not name these.
NOT_COMPARED = ("own", "lagrange-dalembert", "vakonomic", "least-action")
# Members that follow the build, the machine and the clock, and the objects that have them.
CLOCK = {"version", "build", "host", "prepare_s", "integrate_s", "analyse_s"}
CLOCKED = ("/provenance", "/timings")


# --------------------------------------------------------------------------------------- comparison

class Number(str):
    """A number as the program writes it: -0 is not 0."""


def parsed(text):
    try:
        return json.loads(text, parse_float=Number, parse_int=Number)
    except ValueError:
        return text.splitlines()


def pointer(place, key):
    return place + "/" + str(key).replace("~", "~0").replace("/", "~1")


def differences(old, new, place=""):
    """Yields (JSON pointer, old value, new value)."""
    if isinstance(old, dict) and isinstance(new, dict):
        if list(old) != list(new):
            yield place, "members " + " ".join(old), "members " + " ".join(new)
        ignored = CLOCK if place.endswith(CLOCKED) else ()
        for key in old:
            if key in new and key not in ignored:
                yield from differences(old[key], new[key], pointer(place, key))
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for k, pair in enumerate(zip(old, new)):
            yield from differences(*pair, pointer(place, k))
    elif isinstance(old, list) and isinstance(new, list):
        yield place, "%d items" % len(old), "%d items" % len(new)
    elif type(old) is not type(new) or old != new:
        yield place, old, new


def run(program, arguments, document=None, check=True):
    return subprocess.run([program, *arguments], input=json.dumps(document), capture_output=True,
                          text=True, check=check, timeout=TIMEOUT)


def output(program, arguments, document):
    """The exit status and everything that a program prints."""
    try:
        done = run(program, arguments, document, check=False)
    except subprocess.TimeoutExpired:
        return {"exit": "timeout"}
    return {"exit": done.returncode, "out": parsed(done.stdout), "err": done.stderr.splitlines()}


def compare(programs, job):
    """(name of the job, its differences, whether the old program refuses the job)"""
    name, arguments, document = job
    old, new = (output(program, arguments, document) for program in programs)
    refused = old["exit"] != 0 and not isinstance(old.get("out"), dict)
    return name, list(differences(old, new)), refused


# --------------------------------------------------------------------------------------------- jobs

def change(job, **members):
    """A copy of a job with these members in place of its own; None takes a member away."""
    job = {**copy.deepcopy(job), **members}
    return {key: value for key, value in job.items() if value is not None}


def names_of(job):
    """The coordinates."""
    return [c if isinstance(c, str) else c["name"] for c in job["model"]["coordinates"]]


def start(job):
    """The object with q and v of the initial state, and its path."""
    initial = job["initial"]
    return (initial["chart"], "initial.chart") if "chart" in initial else (initial, "initial")


def inputs(job):
    """The numbers of the initial state by their paths, velocities first."""
    state, path = start(job)
    return {"%s.%s.%s" % (path, part, name): value for part in ("v", "q")
            for name, value in state.get(part, {}).items() if isinstance(value, (int, float))}


def analyses(job):
    """All analyses. The end of the motion is as good a period as any other."""
    q = start(job)[0].get("q", {}) if "initial" in job else {}
    end = job["time"].get("end", 2)
    return ["energy", "momenta", "reactions", "reaction_annihilator", "consistency", "structure",
            "measure", "discovery", "moving_energy", "gauge_momenta", "action", "linearise",
            {"name": "floquet", "period": end}, {"name": "equilibria", "near": [{"q": q}]},
            {"name": "lyapunov", "time": end, "transient": 0}]


def least_action(job, series):
    """From the start of a motion to its place after a twentieth of the samples."""
    last = max(1, len(series["t"]) // 20)
    ends = {end: {"t": series["t"][k], "q": {name: series[name][k] for name in names_of(job)}}
            for end, k in (("start", 0), ("end", last))}
    guess = {name: 1.01 * series["dot(%s)" % name][0] + 0.01 for name in names_of(job)}
    return change(job, formulation="least-action", initial=None, events=None, time={"samples": 21},
                  boundary=dict(ends, guesses=[{"v": guess}]))


def in_formulations(program, job):
    """(formulation, job) for every formulation that applies to a system."""
    if "initial" not in job or "formulation" in job:
        yield job["formulation"], job
        return
    structure = json.loads(run(program, ["check", "-", "--json"], job).stdout)
    mu = [MU] * len(structure["constraints"])
    for name, answer in structure["formulations"].items():
        if not answer["applies"]:
            continue
        if name == "vakonomic":
            yield name, change(job, formulation=name, initial=dict(job["initial"], mu=mu))
        elif name == "least-action":
            motion = json.loads(run(program, ["simulate", "-"], job).stdout)
            yield name, least_action(job, motion["result"]["series"])
        else:
            yield name, change(job, formulation=name)


def settings(job, formulations):
    """(what, changes) for other runs of the same motion."""
    for what, integrator in INTEGRATORS.items():
        yield what, {"integrator": integrator}
    if "initial" not in job:
        return
    begin, end, first = job["initial"].get("t", 0), job["time"]["end"], names_of(job)[0]
    yield "rk4", {"integrator": {"method": "rk4", "step": (end - begin) / 256}}
    yield "backwards", {"time": {"end": begin - (end - begin) / 4, "samples": 17}}
    yield "accuracy", {"accuracy": True}
    yield "compare", {"compare": formulations}
    if "formulation" not in job:
        yield "sensitivities", {"sensitivities": list(inputs(job))[:2]}
    turn = {"name": "turn", "when": "dot(%s)" % first, "direction": "rising"}
    yield "events", {"events": [{"name": "section", "when": first}, turn,
                                {"name": "tick", "every": (end - begin) / 7}]}


def single_jobs(name, job, found):
    """The jobs of one motion of a system: (name, arguments of the program, document)."""
    yield name + " check", ["check", "-", "--json"], job
    for formulation, inside in found:
        label = "%s %s" % (name, formulation)
        yield label, ["simulate", "-"], change(inside, analyses=analyses(job),
                                               integrator={"max_steps": MAX_STEPS})
        yield label + " equations", ["equations", "-", "--formulation", formulation], inside
    yield name + " interpreter", ["simulate", "-", "--evaluator", "interpreter"], job
    others = [formulation for formulation, _ in found if formulation not in NOT_COMPARED]
    for what, changes in settings(job, others):
        yield "%s %s" % (name, what), ["simulate", "-"], change(job, analyses=[], **changes)


def ensembles(job):
    """(what, changes) for ensembles of a system."""
    begin, end, first = job["initial"].get("t", 0), job["time"]["end"], names_of(job)[0]
    path, value = next(iter(inputs(job).items()), ("initial.v." + first, 0))
    width = SPREAD * (1 + abs(value))
    spread = {"from": value - width, "to": value + width}
    vary = {path: dict(spread, count=MEMBERS)}
    events = [{"name": "section", "when": first}, {"name": "tick", "every": (end - begin) / 5}]
    reduce = {"last": {"of": "energy()", "take": "last"},
              "most": {"of": first, "take": "max"},
              "mean": {"of": first + "^2", "take": "mean"},
              "rms": {"of": "dot(%s)" % first, "take": "rms"},
              "time": {"event": "section", "take": "first_event"},
              "count": {"event": "section", "take": "event_count"}}
    ranges = {path: spread, "time.end": {"from": begin + (end - begin) / 8, "to": end}}
    design = {"kind": "sobol", "count": MEMBERS, "seed": 1, "ranges": ranges}
    yield "plain", {"vary": vary, "time": {"end": end, "samples": 2}}
    yield "reduced", {"vary": vary, "events": events, "integrator": {"rtol": 1e-7},
                      "ensemble": {"reduce": reduce, "keep": "events"}}
    yield "uneven", {"ensemble": {"keep": "trajectories", "design": design},
                     "time": {"end": end, "samples": 9}}
    yield "bdf", {"vary": vary, "integrator": {"method": "bdf", "rtol": 1e-6},
                  "time": {"end": begin + (end - begin) / 4, "samples": 9},
                  "ensemble": {"over_time": [first]}}


def ensemble_job(name, job, changes):
    initial = dict(job["initial"], consistency="project")
    changes = {"initial": initial, "observe": None, "events": None, **changes}
    return name, ["simulate", "-", "--threads", "1"], change(job, **changes)


def ensemble_jobs(name, job, found):
    for what, changes in ensembles(job):
        yield ensemble_job("%s ensemble %s" % (name, what), job, changes)
    # in one formulation: always the same one for this system, another one for the next system
    known = [item for item in found if item[0] != "least-action"]
    formulation, inside = known[sum(map(ord, name)) % len(known)]
    yield ensemble_job("%s ensemble in %s" % (name, formulation), inside,
                       dict(ensembles(job))["plain"])


def all_jobs(program, only):
    """Yields the jobs of the catalog, or of the systems `only`."""
    for line in run(program, ["catalog"]).stdout.splitlines():
        name = line.split()[0]
        if only and name not in only:
            continue
        job = json.loads(run(program, ["catalog", name]).stdout)
        found = list(in_formulations(program, job))
        yield from single_jobs(name, job, found)
        if "initial" in job:
            yield from ensemble_jobs(name, job, found)


# ------------------------------------------------------------------------------------------- report

def report(programs, only=()):
    """Compares and prints; returns how many jobs there are and how many differ."""
    jobs = refused = wrong = 0
    one = functools.partial(compare, programs)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, found, refusal in pool.map(one, all_jobs(programs[0], only)):
            jobs, refused, wrong = jobs + 1, refused + refusal, wrong + bool(found)
            for place, old, new in found[:SHOWN]:
                print("%s: %s: %s -> %s" % (name, place, json.dumps(old), json.dumps(new)),
                      flush=True)
            if len(found) > SHOWN:
                print("%s: and %d more" % (name, len(found) - SHOWN))
    print("same-bits: %d of %d jobs have the same bits, %d differ (%d have no result)"
          % (jobs - wrong, jobs, wrong, refused))
    return jobs, wrong


# ---------------------------------------------------------------------------------------- self-test

# A program with one system; its answers to jobs that contain a text have another last digit.
FAKE = """#!/bin/sh
case "$1 $2" in
"catalog ") echo "one  A system" ;;
"catalog one")
    echo '{"model": {"coordinates": ["x"]}, "initial": {"v": {"x": 1}}, "time": {"end": 1}}' ;;
"check -") echo '{"constraints": [], "formulations": {"hamel": {"applies": true}}}' ;;
*)  number=0.3
    if grep -q '%s'; then number=0.30000000000000004; fi
    echo '{"series": {"x/y": [-0, '$number']}, "timings": {"prepare_s": '$$'}}' ;;
esac
"""


def fake(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(FAKE % text)
    os.chmod(path, 0o700)
    return path


def self_test():
    with tempfile.TemporaryDirectory() as folder, \
            contextlib.redirect_stdout(io.StringIO()) as printed:
        old, new = fake(folder, "old", "no such text"), fake(folder, "new", '"method": "rk4"')
        jobs, wrong = report([old, old])
        _, changed = report([old, new])
    assert jobs > 10 and wrong == 0, "a program differs from itself"
    line = 'one rk4: /out/series/x~1y/1: "0.3" -> "0.30000000000000004"\n'
    assert changed == 1 and line in printed.getvalue(), "one job with another number passed"
    assert list(differences(parsed("[0]"), parsed("[-0]"))), "-0 passed as 0"
    assert list(differences({"a": 1}, {"a": 1, "b": None})), "a new member passed"
    assert list(differences({"t_s": 1}, {"t_s": 2})), "a column with a name like seconds passed"
    print("same-bits: self-test passed")
    return 0


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test()
    if len(arguments) < 2 or not all(os.access(program, os.X_OK) for program in arguments[:2]):
        print("usage: tools/same-bits.sh OLD NEW [SYSTEM...] (OLD and NEW are programs)",
              file=sys.stderr)
        return 2
    programs = [os.path.abspath(program) for program in arguments[:2]]
    jobs, wrong = report(programs, arguments[2:])
    return 1 if wrong or not jobs else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
