"""The service: its jobs, models and limits."""

from __future__ import annotations

import os
import ssl
import time
import urllib.parse
import uuid
from typing import Any, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Union

from .errors import BadAnswer, Problem
from .job import Job, Progress
from .transport import Query, Transport, encode_body

Document = Union[Mapping[str, Any], str, bytes, os.PathLike]


class Changes(NamedTuple):
    """Changes since a revision."""

    jobs: List[Job]  # as they are now, in the order of their changes
    deleted: List[str]  # ids
    revision: int  # `since` of the next request
    reset: bool  # deletions since then are forgotten: drop all known jobs; all jobs follow


def read_document(document: Document) -> Any:
    """The bytes of a file if the document is a path, to send them unchanged; else the document."""
    if isinstance(document, os.PathLike):
        with open(document, "rb") as file:
            return file.read()
    return document


class Client:
    """A dalembert service.

        with Client("http://127.0.0.1:8080") as client:
            job = client.run({"model": {...}, "initial": {...}, "time": {"end": 10}})
            print(job.result()["x"])

    A document is a dict, JSON as str or bytes, or a pathlib.Path. Requests without an
    answer, or with 429, 502, 503 or 504, are retried `retries` times, after Retry-After (at most
    `longest_pause` seconds) or a growing pause. A submission has an Idempotency-Key, so that it is
    accepted once. Threads may share a client.
    """

    def __init__(
        self,
        url: Optional[str] = None,
        key: Optional[str] = None,
        *,
        timeout: float = 30.0,
        retries: int = 5,
        longest_pause: float = 30.0,
        gzip: Optional[bool] = None,
        ssl_context: Optional[ssl.SSLContext] = None,
    ):
        """url and key default to $DALEMBERT_URL, else http://127.0.0.1:8080, and to $DALEMBERT_KEY,
        else none.

        gzip: compresses large documents and answers; by default not on this machine, because
        compression takes longer than sending.
        """
        url = url or os.environ.get("DALEMBERT_URL") or "http://127.0.0.1:8080"
        key = key or os.environ.get("DALEMBERT_KEY")
        self.transport = Transport(url, key, timeout, retries, longest_pause, gzip, ssl_context)
        self._longest_wait: Optional[float] = None

    @property
    def url(self) -> str:
        return self.transport.url

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def close(self) -> None:
        """Closes the idle connections; they are opened again when they are needed."""
        self.transport.close()

    def __repr__(self) -> str:
        return f"<Client {self.url}>"

    @property
    def longest_wait(self) -> float:
        """The longest time that one request may wait, in seconds."""
        if self._longest_wait is None:
            self._longest_wait = float(self.limits()["max-wait"]["value"])
        return self._longest_wait

    # Jobs.

    def submit(self, document: Document, *, wait: float = 0.0,
               idempotency_key: Optional[str] = None) -> Job:
        """Submits a job or an ensemble. When this returns, the job is accepted and durable. Waits
        at most `wait` seconds for its end."""
        return self._post_job("/v1/jobs", document, wait, idempotency_key)

    def run(
        self,
        document: Document,
        *,
        timeout: Optional[float] = None,
        progress: Progress = False,
        check: bool = True,
    ) -> Job:
        """Submits a job and waits for its end, as Job.wait() does."""
        start = time.monotonic()
        job = self.submit(document, wait=0.0 if progress else 60.0
                          if timeout is None else min(60.0, timeout))
        left = None if timeout is None else max(0.0, start + timeout - time.monotonic())
        return job.wait(left, progress=progress, check=check)

    def _post_job(self, path: str, document: Optional[Document],
                  wait: float, key: Optional[str]) -> Job:
        headers = {"Idempotency-Key": key or str(uuid.uuid4())}
        if wait > 0:
            headers["Prefer"] = f"wait={wait:.3f}"
        body = None if document is None else read_document(document)
        return Job(self, self.transport.json("POST", path, None,
                                             body, headers=headers, patience=wait))

    def submit_batch(self, documents: Sequence[Document], *,
                     idempotency_key: Optional[str] = None) -> List[Job]:
        """Submits all documents or none: one mistake refuses them all, with the places of all
        mistakes (/jobs/3/...)."""
        bodies = [encode_body(read_document(document)) for document in documents]
        body = b'{"jobs":[' + b",".join(bodies) + b"]}"
        headers = {"Idempotency-Key": idempotency_key or str(uuid.uuid4())}
        found = self.transport.json("POST", "/v1/jobs:batch", None, body, headers=headers)
        return [Job(self, entry) for entry in _list(found, "jobs") if entry is not None]

    def validate(self, document: Document, *, equations: bool = False,
                 format: Optional[str] = None) -> Dict[str, Any]:
        """Checks a job and stores nothing: gives its structure and its estimated cost, or the
        InvalidDocument of a submission. The equations are in text, latex or c."""
        return self._check("/v1/jobs", document, equations, format)

    def job(self, id: str) -> Job:
        return Job(self, self.transport.json("GET", "/v1/jobs/" + urllib.parse.quote(id, safe="")))

    def jobs(
        self,
        *,
        state: Optional[str] = None,
        model: Optional[str] = None,
        name: Optional[str] = None,
        labels: Optional[Mapping[str, str]] = None,
        limit: int = 100,
    ) -> Iterator[Job]:
        """Jobs, the newest first, fetched in pages of `limit` when they are needed. `name`: a part
        of the model's name."""
        query = {**_filter_query(state, model, labels), "name": name, "limit": limit}
        while True:
            page = self.transport.json("GET", "/v1/jobs", query)
            for data in _list(page, "jobs"):
                yield Job(self, data)
            if page.get("next") is None:
                return
            query["cursor"] = page["next"]

    def job_counts(
        self,
        *,
        model: Optional[str] = None,
        name: Optional[str] = None,
        labels: Optional[Mapping[str, str]] = None,
    ) -> Dict[str, Any]:
        """The number of jobs in each state, of all that the filter finds; `more`: not all were
        counted."""
        query = {**_filter_query(None, model, labels), "name": name, "limit": 1,
                 "include": "counts"}
        counts: Dict[str, Any] = self.transport.json("GET", "/v1/jobs", query)["counts"]
        return counts

    def changes(
        self,
        since: Optional[int] = None,
        *,
        state: Optional[str] = None,
        model: Optional[str] = None,
        labels: Optional[Mapping[str, str]] = None,
        idle: Optional[float] = None,
    ) -> Iterator[Changes]:
        """All changes from the revision `since` (default: now) on: a generator without end, or
        until none came for `idle` seconds."""
        filters = _filter_query(state, model, labels)
        if since is None:
            since = int(self.transport.json("GET", "/v1/jobs", {"limit": 1})["revision"])
        while True:
            wait = self.longest_wait if idle is None else min(idle, self.longest_wait)
            page = self.transport.json("GET", "/v1/jobs",
                                       {**filters, "since": since, "wait": f"{wait:.3f}"},
                                       patience=wait)
            jobs = [Job(self, data) for data in _list(page, "jobs")]
            reset = bool(page.get("reset"))
            since = 0 if reset else int(page["revision"])
            if jobs or page.get("deleted") or reset:
                yield Changes(jobs, page.get("deleted", []), since, reset)
            elif idle is not None:
                return

    def cancel_jobs(
        self,
        ids: Optional[Sequence[str]] = None,
        *,
        state: Optional[str] = None,
        model: Optional[str] = None,
        labels: Optional[Mapping[str, str]] = None,
    ) -> Dict[str, Any]:
        """Cancels many jobs: by ids, or all queued and running jobs that a filter finds. Returns
        the outcome."""
        return self.transport.json("POST", "/v1/jobs:cancel",
                                   None, _bulk_wish(ids, state, model, labels))

    def delete_jobs(
        self,
        ids: Optional[Sequence[str]] = None,
        *,
        state: Optional[str] = None,
        model: Optional[str] = None,
        labels: Optional[Mapping[str, str]] = None,
    ) -> Dict[str, Any]:
        """Deletes many jobs: by ids, or all finished jobs that a filter finds. Returns the
        outcome."""
        return self.transport.json("POST", "/v1/jobs:delete",
                                   None, _bulk_wish(ids, state, model, labels))

    # Models.

    def store_model(self, document: Document) -> Dict[str, Any]:
        """Stores a model; jobs name it by {"model": {"id": ...}}."""
        return self.transport.json("POST", "/v1/models", None, read_document(document))

    def validate_model(self, document: Document, *, equations: bool = False,
                       format: Optional[str] = None) -> Dict[str, Any]:
        """Checks a model and stores nothing. The equations are in text, latex or c."""
        return self._check("/v1/models", document, equations, format)

    def models(self, *, limit: int = 100) -> Iterator[Dict[str, Any]]:
        return self._pages("models", limit)

    def model(self, id: str) -> Dict[str, Any]:
        return self._model(id)

    def delete_model(self, id: str) -> None:
        """The model is no longer listed, and new jobs cannot name it; accepted jobs keep it."""
        try:
            self.transport.request("DELETE", "/v1/models/" + urllib.parse.quote(id, safe=""))
        except Problem as gone:
            if gone.status != 404 or not gone.lost:
                raise

    def equations(self, id: str, *, format: Optional[str] = None,
                  formulation: Optional[str] = None) -> Dict[str, Any]:
        """The equations of motion of a stored model as text, latex or c."""
        return self._model(id, "/equations", {"format": format, "formulation": formulation})

    def structure(self, id: str) -> Dict[str, Any]:
        """Degrees of freedom, kinds of constraints, integrability."""
        return self._model(id, "/structure")

    def _model(self, id: str, tail: str = "", query: Optional[Query] = None) -> Dict[str, Any]:
        return self.transport.json("GET", "/v1/models/" + urllib.parse.quote(id, safe="") + tail,
                                   query)

    # Keys and tenants: these need a key with the scope admin.

    def create_key(self, name: str, *, tenant: Optional[str] = None,
                   scopes: Optional[Sequence[str]] = None,
                   expires: Optional[str] = None) -> Dict[str, Any]:
        """A new key with its token, which nobody can read again. It opens the jobs and models of
        `tenant`, which is "default" by default. `scopes` are read and write by default; `expires`
        is a date-time, such as 2027-01-31T12:00:00Z. It is not tried again: a
        lost answer leaves a key that nobody can use, to be revoked."""
        wish = {"name": name, "tenant": tenant, "scopes": None if scopes is None else list(scopes),
                "expires": expires}
        return self.transport.json(
            "POST", "/v1/keys", None,
            {member: value for member, value in wish.items() if value is not None}, retries=0)

    def keys(self, *, limit: int = 100) -> Iterator[Dict[str, Any]]:
        """All keys, newest first, without their tokens."""
        return self._pages("keys", limit)

    def revoke_key(self, id: str) -> None:
        """From now on the key opens nothing."""
        self.transport.request("DELETE", "/v1/keys/" + urllib.parse.quote(id, safe=""))

    def create_tenant(self, name: str, *, quotas: Optional[Dict[str, int]] = None,
                      retention: Optional[Dict[str, float]] = None) -> Dict[str, Any]:
        """A new tenant; `quotas` are numbers of queued and running jobs, and bytes of results.
        `retention` says how long finished jobs are kept: `keep` and `keep_failed` in seconds (0:
        for ever), and `keep_bytes`, bytes of results."""
        return self.transport.json("POST", "/v1/tenants", None,
                                   {"name": name, "quotas": quotas or {},
                                    "retention": retention or {}}, retries=0)

    def tenants(self) -> List[Dict[str, Any]]:
        """All tenants, with their quotas and counts."""
        return _list(self.transport.json("GET", "/v1/tenants"), "tenants")

    def tenant(self, name: str) -> Dict[str, Any]:
        """A tenant, with its quotas and counts."""
        return self.transport.json("GET", "/v1/tenants/" + urllib.parse.quote(name, safe=""))

    def change_tenant(self, name: str, *, quotas: Optional[Dict[str, Optional[int]]] = None,
                      retention: Optional[Dict[str, Optional[float]]] = None) -> Dict[str, Any]:
        """Sets quotas and retention of a tenant; None removes one, and those that are not named
        stay."""
        return self.transport.json("PATCH", "/v1/tenants/" + urllib.parse.quote(name, safe=""),
                                   None, {"quotas": quotas or {}, "retention": retention or {}})

    def _check(self, path: str, document: Document, equations: bool,
               format: Optional[str]) -> Dict[str, Any]:
        query = {"validate_only": True, "include": "equations" if equations else None,
                 "format": format}
        return self.transport.json("POST", path, query, read_document(document))

    def _pages(self, name: str, limit: int) -> Iterator[Dict[str, Any]]:
        query: Dict[str, Any] = {"limit": limit}
        while True:
            page = self.transport.json("GET", "/v1/" + name, query)
            yield from _list(page, name)
            if page.get("next") is None:
                return
            query["cursor"] = page["next"]

    # The service.

    def catalog(self) -> List[Dict[str, Any]]:
        """The built-in systems."""
        return _list(self.transport.json("GET", "/v1/catalog"), "systems")

    def catalog_system(self, name: str) -> Dict[str, Any]:
        """A built-in system with its job, ready to be submitted."""
        return self.transport.json("GET", "/v1/catalog/" + urllib.parse.quote(name, safe=""))

    def limits(self) -> Dict[str, Dict[str, Any]]:
        """Every limit in force: value, unit and meaning."""
        found = self.transport.json("GET", "/v1/limits")
        if not isinstance(found, dict) or not isinstance(found.get("limits"), dict):
            raise BadAnswer("limits that are none")
        return found["limits"]

    def language(self) -> Dict[str, Any]:
        """Functions, units, formulations, methods and analyses that documents may name."""
        return self.transport.json("GET", "/v1/language")

    def problem(self, code: str) -> Dict[str, Any]:
        """The meanings of a problem code, each with its cause and remedy."""
        return self.transport.json("GET", "/problems/" + urllib.parse.quote(code, safe=""))

    def queue(self) -> Dict[str, Any]:
        """The number of waiting jobs, their waiting time, and the pace of the workers."""
        return self.transport.json("GET", "/v1/queue")

    def about(self) -> Dict[str, Any]:
        """Name, version and links of the service."""
        return self.transport.json("GET", "/")

    def ready(self) -> bool:
        """Whether the service takes jobs now; Unreachable if there is no answer. Asked once."""
        try:
            self.transport.json("GET", "/readyz", retries=0)
        except Problem as problem:
            if problem.status != 503:
                raise
            return False
        return True


def _list(found: Any, name: str) -> List[Any]:
    if not isinstance(found, dict) or not isinstance(found.get(name), list):
        raise BadAnswer(f"an answer without {name}: {str(found)[:80]}")
    return found[name]


def _filter_query(state: Optional[str], model: Optional[str],
                  labels: Optional[Mapping[str, str]]) -> Dict[str, Any]:
    query: Dict[str, Any] = {"state": state, "model": model}
    query.update(("label." + name, value) for name, value in (labels or {}).items())
    return query


def _bulk_wish(
    ids: Optional[Sequence[str]],
    state: Optional[str],
    model: Optional[str],
    labels: Optional[Mapping[str, str]],
) -> Dict[str, Any]:
    """Ids, or a filter of the given members."""
    found = {"state": state, "model": model, "labels": dict(labels) if labels else None}
    wish: Dict[str, Any] = {"filter": {name: value for name, value in found.items()
                                       if value is not None}}
    if ids is None:
        return wish
    if wish["filter"]:
        raise ValueError("either ids or a filter")
    return {"ids": list(ids)}
