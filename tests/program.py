"""The program under test, for the scripts beside this file: $DALEMBERT_BIN or build/dalembert."""
import copy
import functools
import json
import os
import subprocess
import sys

from deadline import SECONDS

HERE = os.path.dirname(os.path.abspath(__file__))
BINARY = os.environ.get("DALEMBERT_BIN") or os.path.join(HERE, "..", "build", "dalembert")


class Refused(Exception):
    """A document with mistakes: what the program said."""


def require(script):
    """Ends the script when there is no program."""
    if not os.access(BINARY, os.X_OK):
        print(f"{script}: no program at {BINARY}; run make", file=sys.stderr)
        sys.exit(2)


def process(command, document, *options):
    """The ended process of a command that reads a document."""
    return subprocess.run([BINARY, command, "-", *options], input=json.dumps(document),
                          capture_output=True, text=True, timeout=SECONDS)


def run(command, document, *options):
    done = process(command, document, *options)
    if done.returncode != 0:
        raise Refused((done.stderr or done.stdout).strip()[:1000])
    return done.stdout


@functools.lru_cache(maxsize=None)
def names():
    """The systems of the catalog whose facts were computed independently; others may have none."""
    done = subprocess.run([BINARY, "catalog"], capture_output=True, text=True, check=True)
    listed = [line.split()[0] for line in done.stdout.splitlines()]
    known = [name for name in listed if os.path.exists(reference_file(name))]
    if not known:
        raise SystemExit("no system of the catalog has a file in tests/reference")
    return tuple(known)


def reference_file(name):
    return os.path.join(HERE, "reference", name + ".json")


@functools.lru_cache(maxsize=None)
def _catalog(name):
    done = subprocess.run([BINARY, "catalog", name], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def catalog(name, **members):
    """The job of a catalog system, with these members in place of its own."""
    return {**copy.deepcopy(_catalog(name)), **members}


def without_units(model):
    """A model of the catalog with its numbers alone; they are in units of the SI where they have
    any."""
    model = copy.deepcopy(model)
    for coordinate in model["coordinates"] + model.get("chart", {}).get("coordinates", []):
        if isinstance(coordinate, dict):
            coordinate.pop("unit", None)
    if "parameters" in model:
        model["parameters"] = {name: value["value"] if isinstance(value, dict) else value
                               for name, value in model["parameters"].items()}
    return model


def parameters(name):
    """The numbers of a catalog system's parameters."""
    return without_units(catalog(name)["model"]).get("parameters", {})


def simulate(document):
    """The whole answer; Refused when the motion was not computed to its end."""
    return json.loads(run("simulate", document))


def structure(document):
    """What `dalembert check` says of a model or job."""
    return json.loads(run("check", document, "--json"))


@functools.lru_cache(maxsize=None)
def has_analysis(name):
    """Whether this program has an analysis of this name (its options may be missing)."""
    job = catalog("nonholonomic-particle", analyses=[name])
    try:
        run("check", job)
    except Refused as refusal:
        return f'analysis "{name}" is not available' not in str(refusal)
    return True


def reference(name):
    """The facts that were computed independently: tests/reference/README.md."""
    with open(reference_file(name), encoding="utf-8") as file:
        return json.load(file)


def denies_motion(verdict):
    """Whether it is expected to be constant, and no word says why the motion contradicts that."""
    expected = verdict["predicted"] == "yes" or verdict["evidence"].get("likely") == "yes"
    moves = not verdict.get("observed", {}).get("conserved", True)
    explained = verdict["predicted"] == "yes" and "On this motion it changes by" in verdict[
        "reason"]
    return expected and moves and not explained and verdict["kind"] != "consistency"
