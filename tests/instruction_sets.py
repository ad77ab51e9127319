"""The same bits on a CPU with less vectors: systems of the catalog here and on an emulated Haswell
(AVX2 and FMA, no AVX-512), every number of their documents but seconds.

    python3 tests/instruction_sets.py [NAME...]

Needs qemu-user (deploy/install-deps.sh long). Emulation is slow: without names a dozen systems that
between them use all parts of a program, by the interpreter: the emulator keeps what it has made of
machine code, also where other code has been written since. Machine code is compared with that of a
build that never takes AVX-512 (make BUILD=avx2 build/avx2/dalembert), on all systems. What is not
here is not compared, and it says so.
"""
import json
import os
import shutil
import subprocess
import sys

import program
from deadline import SECONDS

SYSTEMS = ("appell-hamel-elevator-implicit", "benenti-potential", "bilimovic-suslov", "car-axis",
           "disc-variable-circle-unbalanced", "floquet-disc-stable", "knife-edge-inclined-plane",
           "least-action-rheonomic-pendulum", "nonholonomic-particle", "particle-fixed-frame",
           "sphere-in-rotating-cylinder-gravity", "two-wheeled-carriage-generic")


PLAIN = os.path.join(program.HERE, "..", "build", "avx2", "dalembert")


def others():
    """Programs without AVX-512: a name, a command, and the systems it is fast enough for."""
    for name in ("qemu-x86_64-static", "qemu-x86_64"):
        if shutil.which(name):
            command = [shutil.which(name), "-cpu", "Haswell",
                       program.BINARY, "simulate", "--evaluator", "interpreter", "-"]
            yield "an emulated Haswell", command, SYSTEMS
            break
    if os.access(PLAIN, os.X_OK):
        yield "a build for AVX2", [PLAIN, "simulate", "-"], program.names()


def document(command, job):
    done = subprocess.run(command, input=json.dumps(job), capture_output=True,
                          text=True, timeout=10 * SECONDS)
    if done.returncode != 0:
        raise program.Refused(done.stderr.strip()[-1000:])
    return json.loads(done.stdout)


def differences(here, there, place=""):
    """Pointers to what is not the same."""
    if isinstance(here, dict) and isinstance(there, dict):
        for key in sorted(set(here) | set(there)):
            # seconds; the two may be two builds
            if key.endswith("_s") or key in ("build", "evaluator"):
                continue
            yield from differences(here.get(key), there.get(key), f"{place}/{key}")
    elif isinstance(here, list) and isinstance(there, list) and len(here) == len(there):
        for k, (a, b) in enumerate(zip(here, there)):
            yield from differences(a, b, f"{place}/{k}")
    elif here != there:
        yield place


def compare(other, command, names):
    """How many systems have other numbers there."""
    wrong = 0
    for name in names:
        job = program.catalog(name)
        found = list(differences(document([program.BINARY, "simulate", "-"], job),
                                 document(command, job)))
        wrong += len(found) > 0
        for place in found[:10]:
            print(f"{name}: {place} differs")
    print(f"instruction sets: {len(names) - wrong} of {len(names)} systems have the same bits on "
          f"{other}")
    return wrong


def selftest():
    """Whether the build for AVX2 computes the numbers that the program carries, bit by bit."""
    if not os.access(PLAIN, os.X_OK):
        return 0
    done = subprocess.run([PLAIN, "selftest"], capture_output=True, text=True, timeout=SECONDS)
    print("instruction sets: selftest on a build for AVX2:", done.stdout.splitlines()[-1])
    return done.returncode


def main():
    program.require("instruction_sets.py")
    found = list(others())
    if not found:
        print("instruction sets: no qemu-x86_64 and no build/avx2/dalembert here, nothing compared")
    wrong = sum(compare(other, command, sys.argv[1:] or names) for other, command, names in found)
    return 1 if wrong + selftest() else 0


if __name__ == "__main__":
    sys.exit(main())
