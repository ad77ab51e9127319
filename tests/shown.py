#!/usr/bin/env python3
"""Puts every whole model and job that a page of docs/ shows to `dalembert check`, except those of
tutorials: tests/pages.py runs these, mistakes included.

    tests/shown.py

The fenced blocks of JSON count; tools/check-docs.sh parses all of them. The members of an object
without its braces, and jobs about another job (members_of), are no whole documents. The binary is
$DALEMBERT_BIN or build/dalembert.
"""
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
BINARY = os.environ.get("DALEMBERT_BIN", os.path.join(ROOT, "build", "dalembert"))
JSON = re.compile(r"^```json\n(\{.*?)^```$", re.M | re.S)


def documents():
    """(page, text) of every whole model or job"""
    for page in sorted(glob.glob(os.path.join(ROOT, "docs", "**", "*.md"), recursive=True)):
        with open(page, encoding="utf-8") as file:
            if os.sep + "tutorial" + os.sep in page:
                continue
            for block in JSON.findall(file.read()):
                if {"model", "lagrangian"} & set(json.loads(block)):
                    yield os.path.relpath(page, ROOT), block


def main():
    count = failed = 0
    for page, text in documents():
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            file.write(text)
            file.flush()
            run = subprocess.run([BINARY, "check", file.name], capture_output=True, text=True)
        count += 1
        if run.returncode:
            failed += 1
            print(f"shown: {page}: {text}\n{run.stdout}{run.stderr}", file=sys.stderr)
    print(f"shown: {count} models and jobs, {failed} with mistakes")
    return 1 if failed or not count else 0


if __name__ == "__main__":
    sys.exit(main())
