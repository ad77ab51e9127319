"""Server-sent events, from a stream that may be cut anywhere and is then resumed."""

from __future__ import annotations

from typing import Iterable, Iterator, NamedTuple, Optional


class Message(NamedTuple):
    name: str
    data: str


class Parser:
    """Bytes in, messages out; `last_id` and `retry` (seconds) serve to resume."""

    def __init__(self) -> None:
        self.last_id: Optional[str] = None
        self.retry = 1.0

    def messages(self, chunks: Iterable[bytes]) -> Iterator[Message]:
        """An unfinished message at the end is dropped, as the standard says."""
        name, data = "message", []
        for line in _lines(chunks):
            if not line:
                if data:
                    yield Message(name, "\n".join(data))
                name, data = "message", []
                continue
            field, _, value = line.partition(":")
            value = value[1:] if value.startswith(" ") else value
            if field == "event":
                name = value
            elif field == "data":
                data.append(value)
            elif field == "id" and "\0" not in value:
                self.last_id = value
            elif field == "retry" and value.isdecimal():
                self.retry = int(value) / 1000


def _lines(chunks: Iterable[bytes]) -> Iterator[str]:
    """Lines ended by LF, CRLF or CR, perhaps split between chunks."""
    left = b""
    for chunk in chunks:
        left += chunk
        # a CR at the end may be half of a CRLF
        text, left = (left[:-1], left[-1:]) if left.endswith(b"\r") else (left, b"")
        parts = text.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
        left = parts.pop() + left
        for part in parts:
            yield part.decode("utf-8", "replace")
