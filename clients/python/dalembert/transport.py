"""Requests and answers: kept connections, retries, compressed bodies. This module does not know the
resources."""

from __future__ import annotations

import email.utils
import gzip
import http.client
import json
import random
import ssl
import time
import urllib.parse
import zlib
from typing import Any, Iterator, Mapping, Optional

from . import errors

PACKED_FROM = 65536  # bytes of a body that is worth compressing
CHUNK = 65536
LOOPBACK = ("localhost", "127.0.0.1", "::1")
Query = Mapping[str, Any]


def encode_query(query: Query | None) -> str:
    """?a=1&b=x,y; a list is joined by commas, commas within its entries are %2C; None is left
    out."""
    pairs = []
    for name, value in (query or {}).items():
        if value is None:
            continue
        if isinstance(value, bool):
            text = "true" if value else "false"
        elif isinstance(value, (list, tuple)):
            text = ",".join(urllib.parse.quote(str(entry), safe="") for entry in value)
        else:
            text = urllib.parse.quote(str(value), safe="")
        pairs.append(urllib.parse.quote(name, safe="") + "=" + text)
    return "?" + "&".join(pairs) if pairs else ""


def encode_body(document: Any) -> bytes:
    """A document as JSON; text and bytes are sent as they are. NaN and infinities are a
    ValueError."""
    if isinstance(document, bytes):
        return document
    if isinstance(document, str):
        return document.encode()
    return json.dumps(document, allow_nan=False, ensure_ascii=False, default=_plain).encode()


def _plain(value: Any) -> Any:
    """Numbers and arrays of numpy, and array.array, as values of JSON."""
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"a document cannot hold a {type(value).__name__}: {value!r}")


def read_retry_after(text: str | None) -> float | None:
    """Seconds, from a number or a date; None: neither."""
    if not text:
        return None
    if text.strip().isdecimal():
        return float(text)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(text).timestamp() - time.time())
    except (TypeError, ValueError):
        return None


class Answer:
    """A status, headers and a body, which is read once and expanded: whole or in pieces."""

    def __init__(self, transport: Transport, connection: http.client.HTTPConnection):
        socket = connection.sock  # the connection forgets it if the answer is its last
        response = connection.getresponse()
        self.status = response.status
        self.headers = response.headers
        self._transport = transport
        self._connection = connection
        self._response = response
        self._socket = socket
        self._kept = False
        packed = response.headers.get("Content-Encoding", "").lower() in ("gzip", "x-gzip")
        self._unpack = zlib.decompressobj(16 + zlib.MAX_WBITS) if packed else None

    def chunks(self, size: int = CHUNK) -> Iterator[bytes]:
        """The body as it arrives; a body that ends too early is an IncompleteRead."""
        # read1() of a body of known length waits for more than the body has (Python before 3.12)
        read = self._response.read1 if self._response.length is None else self._response.read
        try:
            while True:
                piece = read(size)
                if not piece:
                    break
                if self._unpack:
                    piece = self._unpack.decompress(piece)
                if piece:
                    yield piece
            if self._response.length:  # read() does not complain
                raise http.client.IncompleteRead(b"", self._response.length)
            if self._unpack and not self._unpack.eof:
                raise http.client.IncompleteRead(b"")
            self._transport.keep(self._connection, self._response)
            self._kept = True
        except zlib.error as cause:
            raise http.client.HTTPException(
                f"the answer is not packed as it says: {cause}") from cause
        finally:
            self.close()

    def read(self) -> bytes:
        return b"".join(self.chunks())

    def be_patient(self, seconds: float) -> None:
        """Sets the timeout of each read from now on."""
        self._socket.settimeout(seconds)

    def close(self) -> None:
        """Ends the connection unless all of the body was read."""
        if not self._kept:
            self._response.close()
            self._connection.close()


class Transport:
    """Sends requests to one service. Each may be sent twice; a request that must take effect only
    once has a key."""

    def __init__(
        self,
        url: str,
        key: str | None,
        timeout: float,
        retries: int,
        longest_pause: float,
        packed: Optional[bool],
        context: ssl.SSLContext | None,
    ):
        parts = urllib.parse.urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(
                f"the address of a service is http://HOST:PORT or https://..., not {url!r}")
        if parts.username or parts.password or parts.query or parts.fragment:
            raise ValueError("the address of a service has no user, query or fragment")
        self.url = url.rstrip("/")
        self.timeout = timeout
        self.retries = retries
        self.longest_pause = longest_pause
        self.packed = parts.hostname not in LOOPBACK if packed is None else packed
        self.idle: list[http.client.HTTPConnection] = []
        self._key = key
        self._parts = parts
        self._context = context

    def _connect(self) -> http.client.HTTPConnection:
        host, port = self._parts.hostname or "", self._parts.port
        if self._parts.scheme == "https":
            return http.client.HTTPSConnection(host, port, timeout=self.timeout,
                                               context=self._context)
        return http.client.HTTPConnection(host, port, timeout=self.timeout)

    def keep(self, connection: http.client.HTTPConnection,
             response: http.client.HTTPResponse) -> None:
        """Takes back a connection whose answer was read to its end."""
        if connection.sock is not None and not response.will_close:
            self.idle.append(connection)

    def close(self) -> None:
        while self.idle:
            self.idle.pop().close()

    def open(
        self,
        method: str,
        path: str,
        query: Query | None = None,
        document: Any = None,
        headers: Mapping[str, str] | None = None,
        accept: str = "application/json",
        patience: float = 0.0,
        retries: int | None = None,
    ) -> Answer:
        """An answer of status 2xx whose body is still to be read; `patience` is added to the
        timeout."""
        return self._try(False, method, path, query, document,
                         headers, accept, patience, retries)[0]

    def request(
        self,
        method: str,
        path: str,
        query: Query | None = None,
        document: Any = None,
        headers: Mapping[str, str] | None = None,
        accept: str = "application/json",
        patience: float = 0.0,
        retries: int | None = None,
    ) -> tuple[Answer, bytes]:
        """An answer of status 2xx and its whole body; a cut answer is requested again."""
        return self._try(True, method, path, query, document, headers, accept, patience, retries)

    def json(self, method: str, path: str, query: Query | None = None,
             document: Any = None, **options: Any) -> Any:
        """The document of an answer."""
        _, body = self.request(method, path, query, document, **options)
        return read_json(body, method, path)

    def _try(
        self,
        whole: bool,
        method: str,
        path: str,
        query: Query | None,
        document: Any,
        headers: Mapping[str, str] | None,
        accept: str,
        patience: float,
        retries: int | None,
    ) -> tuple[Answer, bytes]:
        body = None if document is None else encode_body(document)
        target = self._parts.path.rstrip("/") + path + encode_query(query)
        sent = self._headers(accept, headers, body)
        packed = body
        if body is not None and self.packed and len(body) >= PACKED_FROM:
            packed = gzip.compress(body, 6)
            sent["Content-Encoding"] = "gzip"
        lost = False
        left = self.retries if retries is None else retries
        pause = 0.25
        while True:
            asked: float | None = None
            failure: errors.DalembertError
            try:
                answer = self._send(method, target, packed, sent, self.timeout + patience)
                good = 200 <= answer.status < 300
                data = answer.read() if whole or not good else b""
                if good:
                    return answer, data
                failure = self._problem(answer, data, errors.Source(body, query))
                failure.lost = lost
                asked = failure.retry_after
                if answer.status not in errors.RETRIED or (asked or 0.0) > self.longest_pause:
                    raise failure
            except (OSError, http.client.HTTPException) as cause:
                lost = True
                failure = errors.Unreachable(f"{method} {self.url}{path}: {_why(cause)}")
                failure.__cause__ = cause
                if isinstance(cause, ssl.SSLCertVerificationError):
                    raise failure
            if left <= 0:
                raise failure
            left -= 1
            time.sleep(pause * random.uniform(0.5, 1.0) if asked is None else asked)
            pause = min(2 * pause, self.longest_pause)

    def _headers(self, accept: str, more: Mapping[str, str] | None,
                 body: bytes | None) -> dict[str, str]:
        headers = {"Accept": accept, "User-Agent": "dalembert-python"}
        headers["Accept-Encoding"] = "gzip" if self.packed else "identity"
        if self._key:
            headers["Authorization"] = "Bearer " + self._key
        if body is not None:
            headers["Content-Type"] = "application/json"
        headers.update(more or {})
        return headers

    def _send(self, method: str, target: str, body: bytes | None,
              headers: dict[str, str], timeout: float) -> Answer:
        while True:
            used = bool(self.idle)
            connection = self.idle.pop() if used else self._connect()
            connection.timeout = timeout
            if connection.sock is not None:
                connection.sock.settimeout(timeout)
            try:
                try:
                    connection.request(method, target, body, headers)
                except (BrokenPipeError, ConnectionResetError):
                    if used:
                        raise
                    # the service may refuse a body before all of it was sent
                return Answer(self, connection)
            except (ConnectionError, http.client.BadStatusLine):
                connection.close()
                if not used:  # the service may have closed a kept connection meanwhile
                    raise
            except BaseException:
                connection.close()
                raise

    @staticmethod
    def _problem(answer: Answer, data: bytes, source: errors.Source) -> errors.Problem:
        body: Any = None
        if "json" in answer.headers.get("Content-Type", ""):
            try:
                body = json.loads(data)
            except ValueError:
                pass
        if not isinstance(body, dict):  # perhaps from a proxy
            body = {"detail": data[:200].decode("utf-8", "replace").strip()}
        return errors.problem(answer.status, body,
                              read_retry_after(answer.headers.get("Retry-After")), source)


def _why(cause: Exception) -> str:
    """The reason of a missing answer."""
    if isinstance(cause, ConnectionRefusedError):
        return ("nothing listens there; `dalembert serve` starts the service, $DALEMBERT_URL "
                "names it where it is elsewhere")
    return getattr(cause, "strerror", None) or str(cause) or type(cause).__name__


def read_json(body: bytes, method: str, path: str) -> Any:
    """The document of an answer."""
    try:
        return json.loads(body)
    except ValueError as cause:
        raise errors.BadAnswer(f"{method} {path}: the answer is no JSON: {body[:80]!r}") from cause
