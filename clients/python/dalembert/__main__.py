"""python3 -m dalembert run JOB.json: submits a job, shows its progress, saves its result and
prints its outcome."""

from __future__ import annotations

import argparse
import json
import pathlib
import sys
from typing import List, Optional

from . import Client, DalembertError, Job, JobFailed
from .summary import came_to, checked


def add_service(parser: argparse.ArgumentParser) -> None:
    """The service, before or after the command. Without defaults, because those of the command
    would replace the others."""
    for flag, meaning in (
        ("--url", "address of the service (default $DALEMBERT_URL, else http://127.0.0.1:8080)"),
                          ("--key", "API key (default $DALEMBERT_KEY, which is not seen by other "
                                    "users of the machine)")):
        parser.add_argument(flag, default=argparse.SUPPRESS, help=meaning)


def read_arguments(arguments: Optional[List[str]]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python3 -m dalembert", description=__doc__)
    parser.set_defaults(url=None, key=None)
    add_service(parser)
    commands = parser.add_subparsers(dest="command", required=True)
    check = commands.add_parser("check", help="check a job; nothing is stored")
    run = commands.add_parser("run", help="submit a job and wait for its end")
    for command in (check, run):
        add_service(command)
        command.add_argument("job", type=pathlib.Path, metavar="JOB.json")
    check.add_argument("--json", action="store_true",
                       help="print all that is known of it, as the service answers")
    for form in ("csv", "npy", "json", "ndjson"):
        run.add_argument("--" + form, metavar="FILE", help=f"save the result as {form.upper()}")
    run.add_argument("--svg", metavar="FILE", help="save a drawing of the coordinates")
    run.add_argument("--timeout", type=float, metavar="SECONDS",
                     help="wait no longer; the job goes on")
    run.add_argument("--quiet", action="store_true", help="no progress bar")
    return parser.parse_args(arguments)


def save(job: Job, options: argparse.Namespace) -> None:
    for form in ("csv", "npy", "json", "ndjson"):
        path = getattr(options, form)
        if path:
            job.download(path, form)
    if options.svg:
        job.plot().save(options.svg)


def run(client: Client, options: argparse.Namespace) -> int:
    job = client.submit(options.job)
    print(f"job {job.id}", file=sys.stderr)
    job.wait(options.timeout, progress=not options.quiet, check=False)
    for warning in job.warnings:
        print(f"warning: {warning}", file=sys.stderr)
    # the outcome is printed first: files may fail
    try:
        job.wait()
        print(came_to(job))
    except JobFailed as why:
        print(why, file=sys.stderr)
    save(job, options)
    return 0 if job.state == "succeeded" else 1


def main(arguments: Optional[List[str]] = None) -> int:
    """0: success; 1: the job failed or cannot be simulated, or there is no service; 2: usage."""
    options = read_arguments(arguments)
    try:
        with Client(options.url, options.key) as client:
            if options.command == "run":
                return run(client, options)
            found = client.validate(options.job)
            print(json.dumps(found, indent=2, ensure_ascii=False)
                  if options.json else checked(found))
            return 0
    except (DalembertError, ValueError) as mistake:
        print(mistake, file=sys.stderr)
        return 1
    except OSError as mistake:  # of a file
        print(f"{mistake.filename}: {mistake.strerror}" if mistake.filename else mistake,
              file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
