#!/usr/bin/env python3
"""The bill of materials of a built program: CycloneDX 1.5, from ldd, dpkg-query and the page's bundles.

    tools/sbom.py PROGRAM > dalembert.cdx.json

One component for each Debian package whose shared library the program may load, with its version, and
one for each npm package in the bundles of the web page (web/vendor/LICENSES). The same program on the same machine gives the same bytes: the time is $SOURCE_DATE_EPOCH, if it is set,
and the serial number is made of the content.
"""
import datetime
import hashlib
import json
import os
import re
import subprocess
import sys
import uuid

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


LOADED = ["libcurl.so.4"]  # by name, once webhooks or `dalembert keys --url` need it (api/net/curl.c)


def loaded_path(name):
    found = re.search(r"^\s*%s .*=> (\S+)$" % re.escape(name), output("/sbin/ldconfig", "-p"), re.M)
    return found.group(1)


def libraries(program):
    """The files that the loader maps, and those that the program loads by name."""
    loaded = [loaded_path(name) for name in LOADED]
    mapped = "".join(output("ldd", file) for file in [program, *loaded])
    return sorted(set(re.findall(r"(/\S+\.so[^\s]*)", mapped)) | set(loaded))


def packages_of(files):
    """The Debian packages that own the files, as (name, version, architecture, source)."""
    # /lib is a link to /usr/lib; a package may name either
    names = {}
    for file in files:
        real = os.path.realpath(file)
        for path in (file, real, real.removeprefix("/usr"), "/usr" + file):
            names[path] = file
    # the status is not 0 because most of the paths belong to nobody
    found = subprocess.run(["dpkg-query", "-S", *names], capture_output=True, text=True,
                           check=False).stdout
    owners = {names[path]: owner for owner, path in
              (line.split(": ", 1) for line in found.splitlines()) if path in names}
    missing = sorted(set(files) - set(owners))
    if missing:
        raise SystemExit("sbom: no package owns " + ", ".join(missing))
    fields = output("dpkg-query", "-W", "-f",
                    "${Package}\t${Version}\t${Architecture}\t${source:Package}\n",
                    *sorted(set(owners.values())))
    return sorted(tuple(line.split("\t")) for line in fields.splitlines())


def component(package):
    name, version, architecture, source = package
    purl = "pkg:deb/debian/%s@%s?arch=%s" % (name, version, architecture)
    return {"type": "library", "bom-ref": purl, "name": name, "version": version, "purl": purl,
            "properties": [{"name": "debian:source", "value": source}]}


def bundled(content):
    """The npm packages of the web page, if the program has one."""
    if b"vendor/preact.js" not in content:
        return []
    with open(os.path.join(ROOT, "web", "vendor", "LICENSES"), encoding="utf-8") as file:
        found = re.findall(r"^== (\S+) (\S+)$", file.read(), re.M)
    purls = ["pkg:npm/%s@%s" % (name.replace("@", "%40"), version) for name, version in found]
    return [{"type": "library", "bom-ref": purl, "name": name, "version": version, "purl": purl}
            for purl, (name, version) in zip(purls, found)]


def main():
    program, = sys.argv[1:]
    with open(os.path.join(ROOT, "VERSION"), encoding="ascii") as file:
        version = file.read().strip()
    with open(program, "rb") as file:
        content = file.read()
    digest = hashlib.sha256(content).hexdigest()
    components = [component(one) for one in packages_of(libraries(program))] + bundled(content)
    bom = {"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
           "metadata": {"component": {
               "type": "application", "bom-ref": "dalembert", "name": "dalembert",
               "version": version, "hashes": [{"alg": "SHA-256", "content": digest}]}},
           "components": components,
           "dependencies": [{"ref": "dalembert",
                             "dependsOn": [one["bom-ref"] for one in components]}]}
    if "SOURCE_DATE_EPOCH" in os.environ:
        time = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]),
                                               datetime.timezone.utc)
        bom["metadata"]["timestamp"] = time.strftime("%Y-%m-%dT%H:%M:%SZ")
    told = json.dumps(bom, sort_keys=True).encode()
    bom["serialNumber"] = "urn:uuid:%s" % uuid.uuid5(uuid.NAMESPACE_URL, hashlib.sha256(
        told).hexdigest())
    json.dump(bom, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
