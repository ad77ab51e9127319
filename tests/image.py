#!/usr/bin/env python3
"""Executes the stages of the Dockerfile without Docker, in chroots that debootstrap makes, and runs
the service of the last one as the image would: as its user, with its environment, by its entry
point.

    tests/image.py [--keep] [--mirror URL]        needs root, debootstrap and Debian's archive
    tests/image.py --release trixie               bookworm or trixie; builds and tests there

Also builds the binary a second time in another directory: it must be the same. --release leaves
the Dockerfile aside: it builds the sources on a release of Debian, runs there the tests that
depend most on Debian's libraries, and compares the results of all systems of the catalog with those
of build/dalembert. The base systems are kept in build/image; --keep keeps the stages, too.
"""

import argparse
import glob
import hashlib
import http.client
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WORK = os.path.join(ROOT, "build", "image")
RELEASES = {"debian:12-slim": "bookworm", "debian:13-slim": "trixie"}
HTTP_SUITES = sorted(os.path.basename(path)[:-len(".py")]
                     for path in glob.glob(os.path.join(ROOT, "tests", "http", "test_*.py")))
# These take longest by far, and test the store rather than Debian's libraries.
SLOW_SUITES = ("test_ensembles", "test_export")
# FLINT: exact tests and references. libmicrohttpd, zlib, libcurl and SQLite: the suites of HTTP.
# The self-test compares bits with those of Debian 12.
CHECKS = (
    "sh deploy/install-deps.sh run check",
    'make -j"$(nproc)" all unit-core_exact replay',
    "build/dalembert selftest",
    "make references",
    'make http HTTP="%s"' % " ".join(name for name in HTTP_SUITES if name not in SLOW_SUITES),
    # the package installs with its libraries alone, runs, and goes
    "make check-deb deb && apt-get install -q -y --no-install-recommends ./build/*.deb",
    "cd / && dalembert selftest && apt-get purge -q -y dalembert && test ! -e /usr/bin/dalembert",
)
SECONDS = 120

sys.path.insert(0, os.path.join(ROOT, "tests"))

import program  # noqa: E402
from deadline import deadline  # noqa: E402


def run(*command, **options):
    return subprocess.run(command, check=True, **options)


def base_system(release, mirror):
    """A directory with the packages that every system of the release has."""
    base = os.path.join(WORK, "base-" + release)
    if not os.path.exists(os.path.join(base, "etc", "debian_version")):
        shutil.rmtree(base, ignore_errors=True)
        command = ["debootstrap", "--variant=minbase", release, base + ".new", mirror]
        run(*command, stdout=subprocess.DEVNULL)
        os.rename(base + ".new", base)
    return base


def instructions(path):
    """(NAME, arguments) of each line, continued ones joined."""
    with open(path) as file:
        lines = [line for line in file if not line.lstrip().startswith("#")]
    for line in "".join(lines).replace("\\\n", " ").splitlines():
        if line.strip():
            name, _, rest = line.strip().partition(" ")
            yield name, rest.strip()


class Stage:
    def __init__(self, name, base):
        self.root = os.path.join(WORK, "stage-" + name)
        self.directory, self.user = "/", "0:0"
        self.environment = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"}
        self.labels, self.words = {}, {}
        shutil.rmtree(self.root, ignore_errors=True)
        run("cp", "-a", "--reflink=auto", base, self.root)
        shutil.copy("/etc/resolv.conf", os.path.join(self.root, "etc", "resolv.conf"))

    def path(self, inside):
        return os.path.join(self.root, os.path.join(self.directory, inside).lstrip("/"))

    def command(self, *words):
        """/proc is mounted for this command alone, as a container has it."""
        return ["unshare", "--mount-proc=" + os.path.join(self.root, "proc"),
                "chroot", "--userspec=" + self.user, self.root, *words]

    def shell(self, text):
        proxies = {key: value for key, value in os.environ.items()
                   if key.lower().endswith("_proxy")}
        script = "cd %s && { %s; }" % (shlex.quote(self.directory), text)
        environment = dict(proxies, **self.environment)
        run(*self.command("/bin/sh", "-c", script), env=environment)

    def copy(self, sources, target, origin):
        where = self.path(target)
        if target.endswith("/"):
            os.makedirs(where, exist_ok=True)
        for source in sources:
            found = os.path.join(origin, source.lstrip("/"))
            if os.path.isdir(found):
                # what .dockerignore leaves out, and this test's own files
                skip = shutil.ignore_patterns(".git", "build", "dalembert-data", "__pycache__")
                shutil.copytree(found, where, symlinks=True, ignore=skip, dirs_exist_ok=True)
            else:
                shutil.copy2(found, where)


def pairs(text):
    return dict(word.split("=", 1) for word in shlex.split(text))


def execute(path, mirror):
    """All stages by name; the last one also by None. debootstrap stands for the digest."""
    stages, stage = {}, None
    for name, rest in instructions(path):
        if name == "FROM":
            image, _, alias = rest.partition(" AS ")
            tag = image.partition("@")[0]
            stage = Stage(alias or "last", base_system(RELEASES[tag], mirror))
            stages[alias or None] = stage
        elif name == "WORKDIR":
            stage.directory = rest
            os.makedirs(stage.path("."), exist_ok=True)
        elif name == "COPY":
            words = rest.split()
            origin = ROOT
            if words[0].startswith("--from="):
                origin = stages[words.pop(0)[len("--from="):]].root
            stage.copy(words[:-1], words[-1], origin)
        elif name == "RUN":
            stage.shell(rest)
        elif name == "ENV":
            stage.environment.update(pairs(rest))
        elif name == "LABEL":
            stage.labels.update(pairs(rest))
        elif name == "USER":
            stage.user = rest
        elif name == "ARG":
            pass
        elif name in ("VOLUME", "EXPOSE", "STOPSIGNAL", "HEALTHCHECK", "ENTRYPOINT", "CMD"):
            stage.words[name] = rest
        else:
            raise AssertionError("this test does not know the instruction " + name)
    return stages


def check(condition, message):
    if not condition:
        raise AssertionError(message)


def check_files(stage):
    check(re.fullmatch(r"[1-9]\d*:[1-9]\d*", stage.user), "the user is no number: " + stage.user)
    for label in ("title", "description", "licenses", "version", "revision", "base.digest"):
        check("org.opencontainers.image." + label in stage.labels, "no label " + label)
    binary = stage.path("/usr/local/bin/dalembert")
    sections = run("readelf", "-S", binary, capture_output=True, text=True).stdout
    check(".symtab" not in sections and ".debug" not in sections, "the binary is not stripped")
    with open(binary, "rb") as file:
        check(b"/src/" not in file.read(), "the binary names the directory it was built in")
    for tool in ("gcc", "make", "git"):
        check(not os.path.exists(stage.path("/usr/bin/" + tool)),
              "there is a %s in the image" % tool)
    data = os.stat(stage.path("/data"))
    check("%d:%d" % (data.st_uid, data.st_gid) == stage.user, "/data belongs to somebody else")
    check(data.st_mode & 0o077 == 0, "/data is open to others")


def request(port, path, host, method="GET", body=None, token=None):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=SECONDS)
    headers = {"Host": host, "Content-Type": "application/json"}
    if token:
        headers["Authorization"] = "Bearer " + token
    connection.request(method, path, body, headers)
    response = connection.getresponse()
    answer = response.status, response.read()
    connection.close()
    return answer


def make_key(stage, entry, environment):
    """The first key, without which the image does not start; its token."""
    refused = subprocess.run(stage.command(*entry, "serve"), env=environment,
                             stderr=subprocess.PIPE, text=True, check=False)
    check(refused.returncode == 2 and "first-key-file" in refused.stderr,
          "without a key: %d %s" % (refused.returncode, refused.stderr))
    made = subprocess.run(stage.command(*entry, "keys", "create", "operator"), env=environment,
                          stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(made.stdout)["token"]


def check_service(stage):
    """Starts what the image starts, but for the port, which the test has to share with others."""
    command = json.loads(stage.words["ENTRYPOINT"]) + json.loads(stage.words["CMD"])
    environment = dict(stage.environment, DALEMBERT_LISTEN="0.0.0.0:0")
    token = make_key(stage, json.loads(stage.words["ENTRYPOINT"]), environment)
    process = subprocess.Popen(
        stage.command(*command), env=environment, stdout=subprocess.PIPE, text=True
    )
    try:
        port = int(process.stdout.readline().rsplit(":", 1)[1])
        for _ in deadline("the service to be ready"):
            if request(port, "/readyz", "10.0.0.7")[0] == 200:
                break
        probe = json.loads(stage.words["HEALTHCHECK"].partition("CMD ")[2])
        environment["DALEMBERT_LISTEN"] = "0.0.0.0:%d" % port
        run(*stage.command(*probe), env=environment)
        check(request(port, "/v1/jobs", "localhost")[0] == 401, "an answer without a key")
        catalog = request(port, "/v1/catalog/vertical-rolling-disk", "localhost", token=token)
        job = json.dumps(json.loads(catalog[1])["job"])
        status, body = request(port, "/v1/jobs?wait=60", "dalembert:80", "POST", job, token)
        check(status == 200 and json.loads(body)["state"] == "succeeded",
              "a job: %d %r" % (status, body))
        check(request(port, "/v1/jobs", "evil.example", token=token)[0] == 403, "a foreign host is answered")
        database = os.stat(stage.path("/data/dalembert.db"))
        check(database.st_mode & 0o777 == 0o600, "the database is open to others")
        process.send_signal(getattr(signal, stage.words["STOPSIGNAL"]))
        check(process.wait(SECONDS) == 0, "the service did not stop cleanly")
    finally:
        if process.poll() is None:
            process.kill()
        process.stdout.close()


def check_reproducible(build):
    """The same sources in a directory of another name and depth."""
    other = "/somewhere/else/than/before"
    run(*build.command("/bin/sh", "-c",
                       "mkdir -p %s && cp -a /src/. %s && rm -rf %s/build" % ((other,) * 3)))
    build.directory = other
    build.shell('make -j"$(nproc)" && make install-strip DESTDIR=/again PREFIX=/usr/local')
    first, second = (build.path(top + "/usr/local/bin/dalembert") for top in ("/image", "/again"))
    check(subprocess.run(["cmp", first, second]).returncode == 0, "two directories, two binaries")


def result_hashes(binary, prefix=lambda *words: words):
    """By the name of each system of the catalog, the SHA-256 of the document that the program
    computes for it: rows, events and invariants. The diagnostics are left out, because they name
    the build. `prefix` makes the words that start the program from its own."""
    def output(*words, **options):
        return run(*prefix(binary, *words), stdout=subprocess.PIPE, text=True, **options).stdout

    hashes = {}
    for name in [line.split()[0] for line in output("catalog").splitlines()]:
        document = json.loads(output("simulate", "-", input=output("catalog", name)))
        del document["diagnostics"]
        hashes[name] = hashlib.sha256(json.dumps(document).encode()).hexdigest()
    return hashes


def check_results(stage):
    """The same numbers and verdicts on this release as on the host."""
    here = result_hashes(program.BINARY)
    there = result_hashes("/src/build/dalembert", stage.command)
    check(here, "the catalog is empty")
    differ = [name for name in sorted(here.keys() | there.keys())
              if here.get(name) != there.get(name)]
    check(not differ, "other results than on the host: " + " ".join(differ))


def check_release(release, mirror):
    """Builds and tests the sources on a release; the stage."""
    stage = Stage(release, base_system(release, mirror))
    stage.directory = "/src"
    stage.copy(["."], "/src", ROOT)
    for command in CHECKS:
        stage.shell(command)
    check_results(stage)
    return stage


def check_image(mirror):
    """Builds the image, runs its service, compares two builds; the stages."""
    stages = execute(os.path.join(ROOT, "Dockerfile"), mirror)
    check_files(stages[None])
    check_service(stages[None])
    check_reproducible(stages["build"])
    return list(stages.values())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--keep", action="store_true", help="keep the stages")
    parser.add_argument("--mirror", default="http://deb.debian.org/debian")
    parser.add_argument("--release", choices=sorted(RELEASES.values()),
                        help="build and test the sources on this release of Debian instead")
    options = parser.parse_args()
    if os.geteuid() != 0 or not shutil.which("debootstrap"):
        sys.exit("image: needs root and debootstrap (deploy/install-deps.sh long)")
    os.makedirs(WORK, exist_ok=True)
    if options.release:
        program.require("image")
        stages = [check_release(options.release, options.mirror)]
        done = "built and tested on " + options.release
    else:
        stages = check_image(options.mirror)
        done = "built, started, stopped; the same binary from two directories"
    if not options.keep:
        for stage in stages:
            shutil.rmtree(stage.root)
    print("image: " + done)


if __name__ == "__main__":
    main()
