"""A line on a terminal with the progress of a job."""

from __future__ import annotations

import sys
from typing import IO, Any, Mapping, Optional

CELLS = 24


def describe(job: Mapping[str, Any]) -> str:
    """The state of a job in one line."""
    progress = job.get("progress") or {}
    fraction = progress.get("fraction")
    parts = [job["state"]]
    if job["state"] == "queued":
        queue = job.get("queue") or {}
        parts.append(f"{queue.get('position', 0)} before it")
        if queue.get("eta_s") is not None:
            parts.append(f"begins in {duration(queue['eta_s'])}")
        return ", ".join(parts)
    if fraction is not None:
        full = int(fraction * CELLS)
        parts[0] += f" [{'#' * full}{'.' * (CELLS - full)}] {100 * fraction:3.0f} %"
    members = job.get("members")
    if members:
        parts.append(f"{members['done']} of {members['total']} members")
    elif progress.get("t") is not None:
        parts.append(f"t = {progress['t']:.6g}")
    if not job["done"] and progress.get("eta_s") is not None:
        parts.append(f"{duration(progress['eta_s'])} left")
    return ", ".join(parts)


def duration(seconds: float) -> str:
    """95 s, 12 min, 3.5 h."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"


class Bar:
    """Rewritten in place; if the stream is no terminal, nothing is written."""

    def __init__(self, stream: Optional[IO[str]] = None):
        self._stream = sys.stderr if stream is None else stream
        self._shows = self._stream.isatty()
        self._width = 0

    def __call__(self, job: Mapping[str, Any]) -> None:
        if self._shows:
            line = describe(job)
            self._stream.write("\r" + line.ljust(self._width))
            self._stream.flush()
            self._width = len(line)

    def close(self) -> None:
        if self._shows and self._width:
            self._stream.write("\n")
            self._width = 0
