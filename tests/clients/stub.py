"""A service that answers what it is told, byte by byte: one answer a request, the connection closed
after each unless it goes on."""

import json
import socket
import struct
import threading


def answer(status, body=b"", headers=(), kind="application/json"):
    """An answer as it should be."""
    if isinstance(body, (dict, list)):
        body = json.dumps(body).encode()
    lines = ["HTTP/1.1 %d Text" % status, "Content-Type: " + kind, "Content-Length: %d" % len(body)]
    return "\r\n".join(lines + ["%s: %s" % pair for pair in headers]).encode() + b"\r\n\r\n" + body


def stream(*blocks, headers=()):
    """Server-sent events up to where the connection is closed."""
    head = ["HTTP/1.1 200 OK",
            "Content-Type: text/event-stream"] + ["%s: %s" % pair for pair in headers]
    return "\r\n".join(head + ["", ""]).encode() + "".join(blocks).encode()


def chunked(body, whole=True, kind="application/x-npy"):
    return (b"HTTP/1.1 200 OK\r\nContent-Type: " + kind.encode()
            + b"\r\nTransfer-Encoding: chunked\r\n\r\n"
            + b"%x\r\n" % len(body) + body + (b"\r\n0\r\n\r\n" if whole else b""))


def event(name, data, identifier=None):
    number = "" if identifier is None else "id: %d\n" % identifier
    return "event: %s\n%sdata: %s\n\n" % (name, number, json.dumps(data))


def npy(rows, shape=None, formats="<f8"):
    header = "{'descr': [('t', '%s')], 'fortran_order': False, 'shape': (%d,), }\n" % (
        formats, shape or len(rows))
    text = header.encode()
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text + struct.pack(
        formats[0] + "%dd" % len(rows), *rows)


class Request:
    def __init__(self, line, headers, body):
        self.method, self.path = line.split(" ")[:2]
        self.headers, self.body = headers, body


class Stub:
    """Give it answers; what was asked is in `requests`. b"" closes the connection without a
    word."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.requests = []
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.url = "http://127.0.0.1:%d" % self.socket.getsockname()[1]
        self.thread = threading.Thread(target=self.serve, daemon=True)
        self.thread.start()

    def serve(self):
        while self.answers:
            try:
                connection, _ = self.socket.accept()
            except OSError:
                return
            with connection, connection.makefile("rb") as file:
                request = self.read(file)
                if request is None:
                    continue
                self.requests.append(request)
                try:
                    connection.sendall(self.answers.pop(0))
                except OSError:
                    pass  # the client has gone
        self.socket.close()

    @staticmethod
    def read(file):
        line = file.readline().decode()
        if not line:
            return None
        headers = {}
        for text in iter(file.readline, b"\r\n"):
            name, value = text.decode().split(":", 1)
            headers[name.lower()] = value.strip()
        return Request(line, headers, file.read(int(headers.get("content-length", 0))))

    def close(self):
        """Ends it; True: all that it had to say was asked for."""
        if self.answers:
            self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()
        self.thread.join()
        return not self.answers
