"""Errors as exceptions. Printed, a Problem shows each mistake at its place in the
document."""

from __future__ import annotations

import json
import unicodedata
from typing import TYPE_CHECKING, Any, Mapping, NamedTuple

if TYPE_CHECKING:
    from .job import Job

EXCERPT = 72  # columns of a text that are shown around a mistake


class DalembertError(Exception):
    """The base of all exceptions of this package."""


class Unreachable(DalembertError):
    """No answer, or an incomplete one, after all retries."""


class BadAnswer(DalembertError):
    """An answer that this service would not give: is it the address of another service?"""


class WaitTimeout(DalembertError, TimeoutError):
    """The job is not done within the timeout; it goes on."""

    def __init__(self, job: Job, seconds: float):
        super().__init__(f"job {job.id} is {job.state} after {seconds:g} s")
        self.job = job


class JobFailed(DalembertError):
    """A job that was waited for failed or was cancelled; its partial result is kept."""

    def __init__(self, job: Job):
        reason = f" ({job.reason})" if job.reason else ""
        detail = f": {job.error.get('detail') or job.error.get('title')}" if job.error else ""
        super().__init__(f"job {job.id} {job.state}{reason}{detail}")
        self.job = job


class Mistake(NamedTuple):
    """One mistake in a document."""

    pointer: str  # RFC 6901, into the document; or the name of a parameter of the query
    message: str
    offset: int | None = None  # characters before the place, in `text`
    hint: str | None = None
    text: str | None = None  # the text with the mistake, if its place is in a text

    def __str__(self) -> str:
        lines = [f"{self.pointer or 'the document'}: {self.message}"]
        if self.text and self.offset is not None:
            lines += ["    " + line for line in mark(self.text, self.offset)]
        if self.hint:
            lines.append("  " + self.hint)
        return "\n".join(lines)


class Problem(DalembertError):
    """The service refused the request (RFC 9457)."""

    def __init__(self, status: int, body: Mapping[str, Any],
                 retry_after: float | None = None, source: Source | None = None):
        self.status = status
        self.code = str(body.get("code", f"http_{status}"))
        self.title = str(body.get("title", "The request was refused"))
        self.detail = str(body.get("detail", ""))
        self.instance = str(body.get("instance", ""))
        self.body = body
        self.retry_after = retry_after  # seconds
        self.lost = False  # an earlier try had no answer, and may have taken effect
        more, entries = body.get("more_errors"), body.get("errors")
        self.more = more if isinstance(more, int) else 0  # mistakes beyond those listed
        listed = entries if isinstance(entries, list) else []
        self.mistakes = [_mistake(entry, source) for entry in listed if isinstance(entry, dict)]
        super().__init__(self._text())

    def _text(self) -> str:
        lines = [f"{self.title} ({self.status} {self.code})"]
        if not self.mistakes and self.detail:
            lines[0] += f": {self.detail}"
        for mistake in self.mistakes:
            lines += ["  " + line for line in str(mistake).split("\n")]
        if self.more:
            lines.append(f"  and {self.more} more")
        return "\n".join(lines)


class InvalidDocument(Problem):
    """400 or 422 with the places of the mistakes."""


class NotFound(Problem):
    """404."""


class Conflict(Problem):
    """409: the resource is in another state."""


class Busy(Problem):
    """429, 502, 503, 504: perhaps later; all retries are used."""


RETRIED = (429, 502, 503, 504)


def problem(status: int, body: Mapping[str, Any], retry_after: float | None,
            source: Source | None) -> Problem:
    """The exception for a status."""
    if status in (400, 422) and body.get("errors"):
        kind: type[Problem] = InvalidDocument
    elif status in RETRIED:
        kind = Busy
    else:
        kind = {404: NotFound, 409: Conflict}.get(status, Problem)
    return kind(status, body, retry_after, source)


class Source:
    """The request that was sent, to show the places of mistakes in it."""

    def __init__(self, document: bytes | None, query: Mapping[str, Any] | None):
        self._document = document
        self._query = query or {}

    def text(self, pointer: str) -> str | None:
        """The text that a pointer names; the whole document if it is no JSON."""
        if pointer and not pointer.startswith("/"):
            value = self._query.get(pointer)
            return value if isinstance(value, str) else None
        if self._document is None:
            return None
        whole = self._document.decode("utf-8", "replace")
        try:
            value = json.loads(whole)
        except ValueError:
            return whole
        try:
            for step in pointer.split("/")[1:]:
                step = step.replace("~1", "/").replace("~0", "~")
                value = value[int(step)] if isinstance(value, list) else value[step]
        except (KeyError, IndexError, ValueError, TypeError):
            return None
        return value if isinstance(value, str) else None


def _mistake(entry: Mapping[str, Any], source: Source | None) -> Mistake:
    pointer, offset, hint = str(entry.get("pointer", "")), entry.get("offset"), entry.get("hint")
    return Mistake(
        pointer,
        str(entry.get("message", "")),
        offset if isinstance(offset, int) else None,
        hint if isinstance(hint, str) else None,
        source.text(pointer) if source else None,
    )


def _width(character: str) -> int:
    """Columns of a terminal."""
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def mark(text: str, offset: int) -> list[str]:
    """The line with the character at `offset`, and a caret below it; a long line is cut
    around the place."""
    offset = min(max(offset, 0), len(text))
    begin = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", offset)
    line = text[begin : end if end >= 0 else len(text)]
    at = offset - begin
    left = max(0, min(at - EXCERPT // 2, len(line) - EXCERPT))
    shown = "".join(c if c.isprintable() else " " for c in line[left : left + EXCERPT])
    before = "..." if left > 0 else ""
    after = "..." if left + EXCERPT < len(line) else ""
    indent = len(before) + sum(map(_width, shown[: at - left]))
    return [before + shown + after, " " * indent + "^"]
