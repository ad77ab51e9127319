"""A job: following it, and reading its results."""

from __future__ import annotations

import http.client
import json
import os
import time
import urllib.parse
from typing import (TYPE_CHECKING, Any, Callable, Dict, Iterator, List, Mapping, NamedTuple,
                    Optional, Sequence, Union)

from . import errors
from .events import Parser
from .progress import Bar
from .table import NPY, NpyReader, Table, read_json_table, to_array
from .transport import Query

if TYPE_CHECKING:
    from .client import Client

FORMATS = {"csv": "text/csv", "json": "application/json", "ndjson": "application/x-ndjson",
           "npy": NPY}
EVENTS = ("state", "progress", "done", "deleted")
BEAT = 60.0  # an idle stream sends a sign more often
Columns = Optional[Sequence[str]]
Progress = Union[bool, Callable[[Mapping[str, Any]], None]]


class Svg(str):
    """A drawing, shown as such in notebooks."""

    def _repr_svg_(self) -> str:
        return str(self)

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        with open(path, "w", encoding="utf-8") as file:
            file.write(self)


class Event(NamedTuple):
    """An event of a stream: kind is state, progress, done or deleted."""

    kind: str
    job: Job


class Job:
    """A job as it was last seen; refresh(), wait() and follow() update it. job["name"] is any
    member of the resource."""

    def __init__(self, client: Client, data: Dict[str, Any]):
        self._client = client
        self._transport = client.transport
        self.data = data
        if not isinstance(data, dict) or not {"id", "state", "done", "revision"} <= data.keys():
            raise errors.BadAnswer(f"a job that is none: {str(data)[:80]}")

    # Description.

    @property
    def id(self) -> str:
        return self.data["id"]

    @property
    def state(self) -> str:
        """queued, running, succeeded, failed or cancelled."""
        return self.data["state"]

    @property
    def done(self) -> bool:
        return self.data["done"]

    @property
    def complete(self) -> bool:
        """The stored result is complete."""
        return bool(self.data.get("complete"))

    @property
    def cached(self) -> bool:
        """The result comes from an earlier identical job."""
        return bool(self.data.get("cached"))

    @property
    def revision(self) -> int:
        return self.data["revision"]

    @property
    def reason(self) -> Optional[str]:
        """Of a failure: model, numeric, limit, timeout, expired, worker_lost or internal."""
        return self.data.get("reason")

    @property
    def error(self) -> Optional[Dict[str, Any]]:
        return self.data.get("error")

    @property
    def warnings(self) -> List[str]:
        return self.data.get("warnings", [])

    @property
    def labels(self) -> Dict[str, str]:
        return self.data.get("labels", {})

    @property
    def progress(self) -> Dict[str, Any]:
        return self.data.get("progress", {})

    @property
    def tables(self) -> List[str]:
        """Names of the tables beside the result: of events, and `trajectory` if an ensemble keeps
        them."""
        return self.data.get("tables", [])

    @property
    def is_ensemble(self) -> bool:
        return self.data.get("members") is not None

    def __getitem__(self, name: str) -> Any:
        return self.data[name]

    def __repr__(self) -> str:
        return f"<Job {self.id} {self.state}>"

    def _path(self, tail: str = "") -> str:
        return "/v1/jobs/" + urllib.parse.quote(self.id, safe="") + tail

    def _json(self, tail: str, query: Optional[Query] = None, **options: Any) -> Any:
        return self._transport.json("GET", self._path(tail), query, **options)

    # Following.

    def refresh(self) -> Job:
        """Updates the job."""
        self.data = self._json("")
        return self

    def wait(self, timeout: Optional[float] = None, *, progress: Progress = False,
             check: bool = True) -> Job:
        """Returns when the job is done; WaitTimeout after `timeout` seconds, JobFailed (if `check`)
        unless it succeeded.

        progress=True draws a bar on a terminal (stderr); a function is called with the job instead.
        """
        if progress:
            self._watch(timeout, Bar() if progress is True else progress)
        else:
            self._poll(timeout)
        if check and self.state != "succeeded":
            raise errors.JobFailed(self)
        return self

    def _watch(self, timeout: Optional[float], show: Callable[[Mapping[str, Any]], None]) -> None:
        events = self.follow(timeout)
        try:
            for event in events:
                show(event.job.data)
                if event.kind == "deleted":
                    self.refresh()  # raises NotFound
        finally:
            events.close()
            if isinstance(show, Bar):
                show.close()

    def _poll(self, timeout: Optional[float]) -> None:
        start = time.monotonic()
        pause = 0.05
        while not self.done:
            left = None if timeout is None else start + timeout - time.monotonic()
            if left is not None and left <= 0:
                raise errors.WaitTimeout(self, timeout or 0.0)
            known, asked = self.revision, time.monotonic()
            seconds = self._client.longest_wait if left is None else min(
                left, self._client.longest_wait)
            self.data = self._json("", {"wait": f"{seconds:.3f}", "since": known}, patience=seconds)
            if self.revision == known and time.monotonic() - asked < seconds / 2:
                time.sleep(pause)  # too many requests wait: the service answers without waiting
                pause = min(2 * pause, 2.0)

    def follow(self, timeout: Optional[float] = None) -> Iterator[Event]:
        """The events of the job, up to its end or deletion: a generator. A stream that is cut is
        resumed."""
        parser = Parser()
        end = time.monotonic() + (float("inf") if timeout is None else timeout)
        while True:
            sent = {"Last-Event-ID": parser.last_id} if parser.last_id else None
            answer = self._transport.open("GET", self._path("/stream"),
                                          headers=sent, accept="text/event-stream")
            try:
                if answer.status == 204:  # the end was sent before
                    yield Event("done", self.refresh())
                    return
                answer.be_patient(self._time_left(end, timeout))
                for message in parser.messages(answer.chunks(4096)):
                    if message.name not in EVENTS:
                        continue  # from a later version
                    if message.name != "deleted":
                        self.data = self._read_event(message.data)
                    yield Event(message.name, self)
                    if message.name in ("done", "deleted"):
                        return
                    answer.be_patient(self._time_left(end, timeout))
            except (OSError, http.client.HTTPException) as cause:
                if isinstance(cause, errors.DalembertError):
                    raise
                # cut: the stream resumes after the last id
            finally:
                answer.close()
            time.sleep(min(parser.retry, self._time_left(end, timeout)))

    def _time_left(self, end: float, timeout: Optional[float]) -> float:
        """Seconds to read from an idle stream, which sends a sign more often; WaitTimeout after the
        end."""
        left = end - time.monotonic()
        if left <= 0:
            raise errors.WaitTimeout(self, timeout or 0.0)
        return min(left, BEAT)

    @staticmethod
    def _read_event(text: str) -> Dict[str, Any]:
        try:
            data = json.loads(text)
        except ValueError as cause:
            raise errors.BadAnswer(f"an event without a job: {text[:80]!r}") from cause
        if not isinstance(data, dict) or "state" not in data:
            raise errors.BadAnswer(f"an event without a job: {text[:80]!r}")
        return data

    # Steering.

    def cancel(self) -> Job:
        """Cancels a queued job at once, a running job within moments: wait(check=False). A
        cancelled job stays cancelled."""
        try:
            self.data = self._transport.json("POST", self._path("/cancel"))
        except errors.Conflict:
            if self.refresh().state != "cancelled":
                raise
        return self

    def delete(self) -> None:
        """Deletes the job, which must be done, and its results."""
        try:
            self._transport.request("DELETE", self._path())
        except errors.NotFound as gone:
            if not gone.lost:  # an earlier try may have deleted it
                raise

    def rerun(self, *, wait: float = 0.0, idempotency_key: Optional[str] = None) -> Job:
        """A new job: it repeats a plain job, or runs the members of an ensemble that have not
        succeeded."""
        return self._client._post_job(self._path("/rerun"), None, wait, idempotency_key)

    # Results.

    def request(self) -> Any:
        """The submitted document."""
        return self._json("/request")

    def diagnostics(self) -> Dict[str, Any]:
        """The evidence: residuals, energy balance, steps."""
        return self._json("/diagnostics")

    def invariants(self) -> Dict[str, Any]:
        """The conserved quantities, and the reasons."""
        return self._json("/invariants")

    def result(
        self,
        columns: Columns = None,
        *,
        start: Optional[float] = None,
        end: Optional[float] = None,
        stride: Optional[int] = None,
        tail: Optional[int] = None,
        points: Optional[int] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        table: Optional[str] = None,
        format: str = "npy",
    ) -> Table:
        """The trajectory; with `table` the rows of an event; for an ensemble its summary, one row
        for each member.

        start and end are times, both included; tail=N the last rows; points=N gives few rows for a
        plot, with all extremes. The format ("npy" or "json") only carries the numbers: they are
        the same, bit for bit.
        """
        query = _rows_query(columns, start, end, stride, limit,
                            cursor, table, tail=tail, points=points)
        return self._table("/result", query, format)

    def observe(
        self,
        expressions: Mapping[str, str],
        columns: Columns = None,
        *,
        start: Optional[float] = None,
        end: Optional[float] = None,
        stride: Optional[int] = None,
        tail: Optional[int] = None,
        points: Optional[int] = None,
        table: Optional[str] = None,
        format: str = "npy",
    ) -> Table:
        """New columns, by name and expression, on the stored rows of the job: the time and the new
        columns, or `columns`."""
        query = _rows_query(columns, start, end, stride, None,
                            None, table, tail=tail, points=points)
        return self._table("/columns", query, format, {"observe": dict(expressions)})

    def scene(self) -> Dict[str, Any]:
        """The scene and the figures of the job, with the columns of its numbers that move;
        result(table="@scene") has their values and rates."""
        return self._json("/scene")

    def _table(self, route: str, query: Dict[str, Any], format: str, document: Any = None) -> Table:
        path = self._path(route)
        if format not in ("npy", "json"):
            raise ValueError(f'the format of a table is "npy" or "json", not {format!r}')
        # only JSON has pages, omitted rows and axes
        if format == "json" or {"points", "limit", "shape"} & query.keys():
            return read_json_table(self._transport.request(_method(document),
                                                           path, query, document)[1])
        return self._npy(path, query, document)

    def _npy(self, path: str, query: Dict[str, Any], document: Any = None) -> Table:
        about = self._about(path, query, document)
        _, body = self._transport.request(_method(document), path, query, document, accept=NPY)
        return NpyReader([body]).table(about)

    def _about(self, path: str, query: Dict[str, Any], document: Any = None) -> Dict[str, Any]:
        """Units, and whether the result is complete, which an array does not contain. Asked first,
        so that it is not too favorable."""
        one = {name: value for name, value in query.items() if name != "tail"}
        found = self._transport.json(_method(document), path, {**one, "limit": 1}, document)
        return {name: found[name] for name in ("units", "complete", "ended_by") if name in found}

    def blocks(
        self,
        columns: Columns = None,
        *,
        rows: int = 65536,
        start: Optional[float] = None,
        end: Optional[float] = None,
        stride: Optional[int] = None,
        table: Optional[str] = None,
    ) -> Iterator[Table]:
        """A result of any size in bounded memory: tables of `rows` rows, one after the other."""
        if rows < 1:
            raise ValueError("a block has at least one row")
        query = _rows_query(columns, start, end, stride, None, None, table)
        path = self._path("/result")
        about = self._about(path, query)
        answer = self._transport.open("GET", path, query, accept=NPY)
        try:
            yield from NpyReader(answer.chunks()).blocks(rows, about)
        except (OSError, http.client.HTTPException) as cause:
            raise errors.Unreachable(f"GET {path}: cut within the rows: {cause}") from cause
        finally:
            answer.close()

    def rows(self, columns: Columns = None, **options: Any) -> Iterator[Dict[str, Any]]:
        """A result row by row in bounded memory, each by column name; options are those of
        blocks()."""
        for block in self.blocks(columns, **options):
            yield from block.rows()

    def pages(self, columns: Columns = None, *, limit: int = 1000,
              table: Optional[str] = None) -> Iterator[Table]:
        """A result page by page."""
        return self._pages("/result", _rows_query(columns, None, None, None, limit, None, table))

    def _pages(self, route: str, query: Dict[str, Any]) -> Iterator[Table]:
        while True:
            page = self._table(route, query, "json")
            yield page
            if page.next is None:
                return
            query = {**query, "cursor": page.next}

    def download(
        self,
        path: Union[str, os.PathLike[str]],
        format: Optional[str] = None,
        columns: Columns = None,
        *,
        start: Optional[float] = None,
        end: Optional[float] = None,
        stride: Optional[int] = None,
        table: Optional[str] = None,
    ) -> None:
        """The result into a file, streamed: .csv, .json, .ndjson or .npy. The file appears when it
        is complete."""
        name = os.fspath(path)
        format = format or os.path.splitext(name)[1][1:]
        if format not in FORMATS:
            raise ValueError(f"the format of a file is one of {', '.join(FORMATS)}, not {format!r}")
        query = _rows_query(columns, start, end, stride, None, None, table)
        answer = self._transport.open("GET", self._path("/result"), query, accept=FORMATS[format])
        part = f"{name}.{os.getpid()}.part"
        try:
            with open(part, "wb") as file:
                for chunk in answer.chunks():
                    file.write(chunk)
            os.replace(part, name)
        except http.client.HTTPException as cause:
            raise errors.Unreachable(f"{name}: cut within the rows: {cause}") from cause
        finally:
            answer.close()
            if os.path.exists(part):
                os.unlink(part)

    def plot(
        self,
        y: Union[str, Sequence[str], None] = None,
        x: Optional[str] = None,
        *,
        start: Optional[float] = None,
        end: Optional[float] = None,
        table: Optional[str] = None,
        width: Optional[int] = None,
        height: Optional[int] = None,
        theme: Optional[str] = None,
        aspect: Optional[str] = None,
        style: Optional[str] = None,
    ) -> Svg:
        """A drawing (SVG) of columns `y` over the column `x`; by default the coordinates over
        time."""
        query = {
            "x": None if x is None else [x],
            "y": [y] if isinstance(y, str) else y,
            "from": start,
            "to": end,
            "table": table,
            "width": width,
            "height": height,
            "theme": theme,
            "aspect": aspect,
            "style": style,
        }
        _, body = self._transport.request("GET", self._path("/plot.svg"),
                                          query, accept="image/svg+xml")
        return Svg(body.decode())

    # Ensembles.

    def members(
        self,
        where: Optional[str] = None,
        *,
        sort: Optional[str] = None,
        columns: Columns = None,
        grid: bool = False,
        format: str = "npy",
    ) -> Table:
        """All rows of the summary that meet a condition; with `grid` each column is a matrix, in
        the order of `axes`."""
        query = _rows_query(columns, None, None, None, None, None, None, where=where, sort=sort)
        if grid:
            return self._table("/members", {**query, "shape": "grid"}, "json")
        # without a limit the answer comes in pages
        query["limit"] = max(1, self.data["members"]["total"]) if self.is_ensemble else 1
        return self._npy(self._path("/members"),
                         query) if format == "npy" else self._table("/members", query, format)

    def member_pages(
        self,
        where: Optional[str] = None,
        *,
        sort: Optional[str] = None,
        columns: Columns = None,
        limit: int = 1000,
    ) -> Iterator[Table]:
        """The rows of members() page by page."""
        return self._pages("/members", _rows_query(columns, None, None,
                                                   None, limit, None, None, where=where, sort=sort))

    def member(self, k: int) -> Dict[str, Any]:
        """Member k: its row, and its job document, which gives the same motion if it is submitted
        alone."""
        return self._json(f"/members/{int(k)}")

    def member_result(
        self,
        k: int,
        columns: Columns = None,
        *,
        stride: Optional[int] = None,
        tail: Optional[int] = None,
        points: Optional[int] = None,
        table: Optional[str] = None,
        format: str = "npy",
    ) -> Table:
        """The trajectory of member k, or the rows of an event, if the ensemble keeps them."""
        query = _rows_query(columns, None, None, stride, None,
                            None, table, tail=tail, points=points)
        return self._table(f"/members/{int(k)}/result", query, format)

    def statistics(
        self,
        of: Columns = None,
        *,
        where: Optional[str] = None,
        quantiles: Optional[Sequence[float]] = None,
        bins: Optional[int] = None,
        over: Optional[str] = None,
    ) -> Dict[str, Any]:
        """Mean, variance, quantiles, histogram, covariance and Sobol's indices over members; lists
        of numbers are arrays."""
        query = {"of": [of] if isinstance(of, str) else of,
                 "where": where, "quantiles": quantiles, "bins": bins, "over": over}
        return _with_arrays(self._json("/statistics", query))


def _method(document: Any) -> str:
    return "GET" if document is None else "POST"


def _rows_query(
    columns: Columns,
    start: Optional[float],
    end: Optional[float],
    stride: Optional[int],
    limit: Optional[int],
    cursor: Optional[str],
    table: Optional[str],
    **more: Any,
) -> Dict[str, Any]:
    if isinstance(columns, str):
        columns = [columns]
    query = {
        "columns": columns,
        "from": start,
        "to": end,
        "stride": stride,
        "limit": limit,
        "cursor": cursor,
        "table": table,
        **more,
    }
    return {name: value for name, value in query.items() if value is not None}


def _with_arrays(value: Any) -> Any:
    """Lists of numbers and null as arrays, at any depth."""
    if isinstance(value, dict):
        return {name: _with_arrays(entry) for name, entry in value.items()}
    if isinstance(value, list):
        if value and all(entry is None or isinstance(entry, (int, float)) for entry in value):
            return to_array(value)
        return [_with_arrays(entry) for entry in value]
    return value
